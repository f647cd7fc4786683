"""What is done in a small company, and what its things can be, in English and Swedish; the form is that of the things.

Of the kinds below `act`, an attribute has one value at a time: who files monthly does not file quarterly.
"""

BUSINESS_ACTS = """
buy act: buy bought buying purchase purchased acquire acquired | köpa köpte köper köpt inköp köpas införskaffade förvärvade förvärv
sellaway act: sold | sålde sålt avyttrade såld
sell act: sell sells selling sale | sälja säljer säljas
lease act: lease leased leasing leases on-lease rental-agreement tenancy lease-agreement rental-contract | hyresavtal hyreskontrakt hyresavtalet leasa leasar leasing leasas leasade hyrleasa leasad
buyout act: buy-out bought-out bought-it-out | köpa-ut köpte-ut köpt-ut utköp löste-ut
hire act: hire hired hiring recruit recruited employed joined join employ | anställa anställde anställt anställer rekryterade rekrytera nyanställde
start act: start starts started starting begin begins began start-date starting-date | börjar började börja startdatum tillträder tillträdde startar start
quit act: quit resign leaves-the-company left-the-company resigned dismissed fired laid-off let-go made-redundant gave-notice | slutar slutade slutat sluta avskedad avgick avgår varslad
terminate act: terminated terminate gave-notice-on ended expired ceased discontinued given-notice | uppsagd uppsagt uppsagda upphört upphör upphörde löpt-ut sagt-upp säga-upp sades-upp sade-upp sa-upp uppsägning säger-upp
borrow act: borrow borrowed took-a-loan lent lend | lånade låna lånat låna-ut lånade-ut lånar
repay act: repay repaid paid-back paid-off amortise amortised | återbetala återbetalades återbetalade betalade-tillbaka amorterade löste-lånet amortera amorterar amortering
writeoff act: write-off wrote-off written-off writing-off wrote-it-off | skriva-av skrev-av skrivit-av avskriven skrevs-av kundförlust skrivas-av
writedown act: write-down wrote-down written-down wrote-the-stock-down impairment wrote | skriva-ned skriva-ner skrev-ned skrev-ner skrivas-ned nedskrivning skrivas-ner nedskriven
provision act: set-aside provision allocate allocated sets-aside setting-aside | avsätta avsatte avsättning satte-av sätta-av avsatt avsätter
withdraw act: dissolve dissolved released reverse reversed | återföra återförde återföring upplöste
pay act: pay paid pays paying payment | betala betalade betalar betald betalt betalda betalning betalas betalades
payout act: pay-out paid-out disbursed | betala-ut betalades-ut utbetalning betalade-ut betalats-ut
file act: file filed files submit submitted report reports reported reporting declare filing declaration return handed-in | lämna lämnas lämnar inlämnad lämnade inlämnat redovisas redovisar deklarera deklarerar deklaration skickade-in rapportera rapporteras lämnats-in lämnades-in
register act: register registered registration | registrera registrerade registrerad registrering registrerades
deregister act: deregister deregistered deregistration | avregistrera avregistrerade avregistrerad
open act: opened opens opening launch launched launching | öppna öppnar öppnade öppnat lansera lanserade lansering
close act: closed-down close-down shut-down wind-up winding-up shutting-down | lägga-ned lägga-ner lade-ned lade-ner lagt-ned lagt-ner avveckla avvecklade avveckling nedläggning
move act: move moved moving relocate relocated relocation | flytta flyttade flyttat flyttar flytt flytten flyttades
finish act: finish finished finalised completed complete ready | avsluta avslutad avslutat färdig färdigt klar klart färdigställd klara
sign act: sign signed signs | teckna tecknade tecknat signera signerade undertecknade skrev-på underskriven signerat undertecknad
review act: review reviewed go-through went-through gone-through check checked checking reviewing examined | granska granskad granskade granskat genomgång gå-igenom gås-igenom gick-igenom gått-igenom genomgången genomgångna granskade färdiggranskad färdiggranskat kontrollera kontrollerade
raise act: raise raised increase increased | höja höjde höjdes höjt ökade öka höjning
lower act: lower lowered decrease decreased reduced cut reduce | sänka sänkte sänktes sänkt minskade minska sänkning
renew act: renew renewed extend extended renewal extension prolonged | förlänga förlängde förlängt förnya förnyade förlängning
found act: found founded established incorporated | grunda grundades grundade bildades startades
merge act: merge merged merger | fusionera fusion fusionerade slå-ihop slå-samman
liquidate act: liquidate liquidated liquidation bankruptcy bankrupt | likvidera likvidation konkurs
renovate act: renovate renovated renovation refurbish | renovera renoverade renovering bygga-om ombyggnad
insure act: insure insured | försäkra försäkrade
invest act: invest invested investment | investera investerade investering
receive act: received receive got-a-refund | erhöll fick-tillbaka mottog
understand act: understand learn learn-about understanding explained | förstå lära lära-sig förklarad förklarat
accrue act: accrued accrue | periodiserade periodisera periodiserad
depreciate act: depreciate depreciated | skrivs-av avskrivs
import act: import imports imported importing | importera importerar import importerade
exporting act: export exports exported exporting | exportera exporterar export exporterade
manufacture act: manufacture manufactures produce produces | tillverka tillverkar producera producerar tillverkning
letout act: rent-out rents-out sublet sublets let-out | hyra-ut hyr-ut andrahand andrahandsuthyrning uthyrning
apply act: apply applied application | ansöka ansökte ansökan söka sökte sökt
dispute act: dispute disputed contest contested appeal appealed | bestrida bestred tvist överklaga överklagade omprövning
rentin act: rents rented renting | hyr hyrs hyrde hyrt
revoke act: revoked withdrawn recalled | återkallad återkallat återkallats indragen
approve act: approve approves approved | attestera attesterar attesteras godkänna godkänner godkänns attest
grant0 act: granted | beviljad beviljat beviljats beviljades beviljade beviljar
send act: send sends sent mailed | skicka skickar skickade skickas skickat skickades
order0 act: ordered ordering | beställde beställt
repair act: repair repaired repairs | reparera reparerade reparation laga
deliver act: deliver delivers delivered delivery | leverera levererar levererade leverans
teach act: teach teaches | undervisa
biggest rank: biggest largest main most-important | största störst viktigaste huvudsaklig
smallest rank: smallest | minsta minst
oldest rank: oldest | äldsta äldst
closedhours opening: closed shut | stängt stängd stängda
openhours opening: open | öppet öppen
late habit: late too-late overdue | sent sena sen försenad försenade förfallen försent
unpaid habit: unpaid | obetald obetalda obetalt
ontime habit: on-time in-time punctual promptly | i-tid punktlig punktligt
daily period: daily every-day each-day per-day a-day | dagligen varje-dag per-dag
weekly period: weekly every-week each-week per-week a-week once-a-week | veckovis varje-vecka per-vecka i-veckan
monthly period: monthly every-month each-month per-month a-month once-a-month month-by-month | månadsvis varje-månad per-månad i-månaden månatlig månatligen en-gång-i-månaden
quarterly period: quarterly every-quarter each-quarter per-quarter a-quarter quarter-by-quarter once-a-quarter every-three-months | kvartalsvis varje-kvartal per-kvartal i-kvartalet en-gång-per-kvartal var-tredje-månad
halfyearly period: half-yearly twice-a-year every-six-months semi-annually | halvårsvis två-gånger-om-året halvår varje-halvår
yearly period: yearly annually every-year each-year per-year a-year once-a-year annual | årligen varje-år per-år om-året en-gång-om-året en-gång-per-år årsvis årlig helår helårsvis
k1 framework: k1 | k1
k2 framework: k2 | k2
k3 framework: k3 | k3
k4 framework: k4 | k4
ifrs framework: ifrs | ifrs
cashmethod method: cash-method cash-basis cash-accounting | kontantmetoden bokslutsmetoden kontantmetod bokslutsmetod
invoicemethod method: invoice-method accrual-method accrual-basis accruals-basis invoicing-method | faktureringsmetoden fakturametoden faktureringsmetod
fifo method: fifo first-in-first-out | fifo först-in-först-ut
average method: average-cost weighted-average | genomsnittspris genomsnittsmetoden vägt-genomsnitt
limitedco form: limited-company aktiebolag | aktiebolag
soletrader form: sole-trader sole-proprietorship | enskild-firma enskild-näringsverksamhet
tradingpartnership form: trading-partnership general-partnership | handelsbolag
association form: economic-association | ekonomisk-förening
dormant activity: dormant shell inactive no-activity | vilande lagerbolag vilande-bolag
fulltime hours: full-time fulltime | heltid heltidsanställd
parttime hours: part-time parttime half-time | deltid halvtid deltidsanställd
permanentjob tenure: permanent permanently | tillsvidare tillsvidareanställd fast-anställd
temporaryjob tenure: temporary fixed-term temporarily | visstid visstidsanställd vikarie vikariat tillfällig
probation tenure: probation probationary | provanställd provanställning
inhouse handling: in-house ourselves myself by-ourselves internally themselves himself herself do-it-ourselves | internt själva själv i-egen-regi inhouse egen-regi
outsourced handling: outsourced outsource external externally | outsourcad outsourcat externt extern utlagd lagts-ut lagt-ut utkontrakterad
goods offering: goods products product merchandise | varor produkter produkt
services offering: services service | tjänster tjänst
consulting offering: consulting consultancy consulting-fee consultant-fee consultant | konsult konsultarvode konsultarvoden konsulttjänster konsultuppdrag konsulting
courses offering: courses workshops | kurser
ecommerce channel: online over-the-internet | på-nätet
swedish language: swedish | svenska svensk
english language: english | engelska engelsk
norwegianl language: norwegian-language | norska
german language: german | tyska
finnish language: finnish | finska
shortanswer length: short brief concise quick shorter | kort korta kortfattat kortfattad koncis kortare
longanswer length: long detailed thorough longer in-depth comprehensive elaborate in-detail | lång långa utförlig utförliga utförligt detaljerad detaljerade detaljerat längre ingående
simpleanswer level: simple plain easy simply beginner basic beginner-level | enkel enkelt enkla lätt lätta nybörjare grundläggande lättbegriplig
expertanswer level: advanced technical expert | avancerad avancerade teknisk tekniska expert expertnivå
bullets layout: bullet-point bullet-points bullet bullets bullet-form bulleted | punktlista punktform punkter punktlistor
tables layout: table tables tabular | tabell tabeller tabellform
charts layout: chart charts graph graphs diagram | diagram graf grafer
prose layout: running-text paragraph paragraphs plain-text prose long-paragraphs | löptext löpande-text stycken brödtext
casual tone: casual informal relaxed du-form casually | vardaglig avslappnat avslappnad dua du-tilltal informell informellt vardagligt du
formal tone: formal polite | formell formellt formella
morning moment: morning mornings | morgon morgnar förmiddag
afternoon moment: afternoon afternoons evening | eftermiddag kväll
byemail channel: email e-mail by-email | mejl e-post epost mail
byphone channel: by-phone call calls | ringa telefonsamtal
bysms channel: sms text-message | sms
bychat channel: in-the-chat | i-chatten
sweden market: sweden | sverige
norway market: norway norwegian norwegians | norge norsk norska norrmän
finland market: finland finnish-customers | finland finländska
denmark market: denmark danish | danmark dansk danska
germany market: germany german-customers | tyskland tyska-kunder
uk market: uk britain england united-kingdom | storbritannien england
usa market: usa us united-states america | usa amerika
eu market: eu europe european-union | eu europa
abroad market: abroad foreign overseas international | utland utomlands utlandet utländska internationellt
companies clientele: business-customers companies b2b corporate-customers | företagskunder företag b2b företagare
consumers clientele: consumers private-customers private-individuals b2c households | privatpersoner konsumenter privatkunder b2c hushåll
publicsector clientele: public-sector municipalities municipality | offentlig-sektor kommuner kommun regioner
bolagsverket authority: bolagsverket swedish-companies-registration-office companies-registration-office | bolagsverket
skatteverket authority: skatteverket swedish-tax-agency tax-agency tax-authority tax-authorities tax-office | skatteverket
tillvaxtverket authority: tillväxtverket swedish-agency-for-growth | tillväxtverket
kronofogden authority: kronofogden enforcement-authority | kronofogden
forsakringskassan authority: försäkringskassan social-insurance-agency | försäkringskassan
almi authority: almi | almi
arbetsformedlingen authority: arbetsförmedlingen public-employment-service | arbetsförmedlingen
fortnox product: fortnox | fortnox
visma product: visma | visma
bokio product: bokio | bokio
bjornlunden product: björn-lundén | björn-lundén
speedledger product: speedledger | speedledger
hogia product: hogia | hogia
briox product: briox | briox
xero product: xero quickbooks | xero
spreadsheet product: excel spreadsheet | excel kalkylark
seb bankname: seb | seb
swedbank bankname: swedbank | swedbank
nordea bankname: nordea | nordea
handelsbanken bankname: handelsbanken | handelsbanken
danskebank bankname: danske-bank | danske-bank
lansforsakringar bankname: länsförsäkringar | länsförsäkringar
sparbanken bankname: sparbanken | sparbanken
customer other: customer client | kund kunden kunder kunderna
answer other: answer answers reply replies response responses chat | svar svaren besvaras besvara
question other: question questions | fråga frågor
explanation other: explanation explanations explain explained | förklaring förklaringar förklara förklarar förklarad
figure other: figure figures numbers | siffra siffror
calculation other: calculation calculations | beräkning beräkningar räkna
"""
