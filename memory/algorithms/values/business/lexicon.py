"""What a small company's facts are about, in English and Swedish, each under one idea.

A line is `idea kind: English forms | Swedish forms`, base forms only; `-` joins what is said in several words. Two facts
that name different ideas of one kind speak of different things, so a kind holds what people would mix up: one tax and
another, one building and another. A word on no list is compared as it stands: a gap costs recall, never a wrong match.
"""

BUSINESS_THINGS = """
vat tax: vat value-added-tax | moms mervärdesskatt
payrolltax tax: payroll-tax employer-contribution employer's-contribution employer-declaration employer-tax social-security-contribution social-fee agi | arbetsgivaravgift arbetsgivardeklaration socialavgift sociala-avgifter agi
prelimtax tax: preliminary-tax f-tax provisional-tax f-skatt | preliminärskatt f-skatt fskatt preliminär-skatt
corptax tax: corporate-tax corporation-tax company-tax | bolagsskatt inkomstskatt
payetax tax: withholding-tax withheld-tax paye | källskatt personalskatt
propertytax tax: property-tax | fastighetsskatt fastighetsavgift
customsduty tax: customs-duty import-duty customs-fee | tull tullavgift
tax tax0: tax taxation | skatt beskattning
dividend money: dividend | utdelning
salary money: salary wage pay-rise salaries wages | lön lönen löner lönerna
bonus money: bonus bonuses | bonus
rent money: rent rental | hyra hyror hyran hyreskostnad
bankloan money: bank-loan loan-from-the-bank | banklån
loan money: loan | lån
shareholderloan money: shareholder-loan owner's-loan owner-loan loan-from-the-owner director's-loan | ägarlån aktieägarlån
receivable money: receivable claim bad-debt | fordran kundfordran fordringar kundförlust
taxreserve money: tax-allocation-reserve periodisation-reserve accrual-fund | periodiseringsfond p-fond
warranty money: warranty-provision warranty | garantiavsättning garanti
refund money: refund repayment-of-tax | återbäring skatteåterbäring
sharecapital money: share-capital | aktiekapital
revenue money: revenue turnover sales income | intäkt omsättning inkomst försäljning inkomstkälla
profit money: profit surplus | vinst överskott
result money: result bottom-line | resultat
margin money: margin | marginal täckningsgrad bruttomarginal
loss money: loss deficit | förlust underskott
cost money: cost costs expense expenditure | kostnad utgift kostar kostade
insurance money: insurance premium | försäkring
pension money: pension occupational-pension | pension tjänstepension
sickpay money: sick-pay | sjuklön
vacationpay money: vacation-pay holiday-pay | semesterlön semesterersättning
overtime money: overtime | övertid
severance money: severance severance-pay | avgångsvederlag
perdiem money: per-diem daily-allowance | traktamente
mileage money: mileage mileage-allowance | milersättning
wellness money: wellness-allowance wellness-grant fitness-allowance health-allowance | friskvård friskvårdsbidrag
benefit money: fringe-benefit | förmån
grant money: grant subsidy funding | bidrag stöd
contribution money: shareholder-contribution shareholders'-contribution | aktieägartillskott ägartillskott villkorat-tillskott
groupcontribution money: group-contribution | koncernbidrag
overdraft money: overdraft credit-line line-of-credit credit-facility | checkkredit checkräkningskredit kontokredit
interest money: interest interest-rate | ränta
latefee money: late-fee late-filing-fee penalty fine | förseningsavgift straffavgift böter
deposit money: deposit | deposition handpenning
discount money: discount rebate | rabatt
price money: price price-list | pris prislista
hourlyrate money: hourly-rate rate-per-hour hourly-fee hourly-price | timpris timarvode timtaxa
budget money: budget | budget
target money: target goal | mål målet målsättning
forecast money: forecast | prognos
notice money: notice-period period-of-notice lock-in-period binding-period | uppsägningstid bindningstid
terms money: payment-terms payment-term due-after fall-due to-pay-in days-to-pay credit-period | betalningsvillkor betalningstid kredittid betalvillkor
invoice document: invoice bill | faktura kundfaktura
supplierinvoice document: supplier-invoice supplier-bill | leverantörsfaktura
reminderfee money: reminder-fee | påminnelseavgift
quote document: quote quotation tender | offert anbud
order document: order | order beställning
receipt document: receipt | kvitto
contract document: contract agreement | avtal kontrakt
shareholderagreement document: shareholder-agreement shareholders'-agreement | aktieägaravtal delägaravtal
bylaws document: articles-of-association | bolagsordning
annualreport document: annual-report annual-account annual-accounts year-end-accounts year-end-closing year-end-report year-end annual-closing final-accounts | årsredovisning bokslut årsbokslut
monthlyclosing document: monthly-closing month-end-close monthly-close month-end | månadsbokslut månadsavstämning
monthlyreport document: monthly-report | månadsrapport
interimreport document: interim-report quarterly-report | delårsrapport kvartalsrapport
taxreturn document: tax-return income-tax-return | inkomstdeklaration skattedeklaration
k10 document: k10 k10-form | k10 k10-blankett k10-blanketten
ink2 document: ink2 | ink2
ne document: ne-form ne-annex | ne-bilaga
controlstatement document: income-statement-for-employees kontrolluppgift | kontrolluppgift
voucher document: transaction booking voucher journal-entry entry posting bookings entries | transaktion verifikation verifikat bokning verifikationer bokföringspost
bankstatement document: bank-statement | kontoutdrag
balancesheet document: balance-sheet | balansräkning
incomestatement document: income-statement profit-and-loss | resultaträkning resultatrapport
sustainability document: sustainability-report | hållbarhetsrapport hållbarhetsredovisning
policy document: policy | policy
minutes document: minutes | protokoll
agm document: annual-general-meeting agm general-meeting shareholder-meeting | bolagsstämma årsstämma
coding document: account-coding coding | kontering kontera kontering konteringar
chartofaccounts document: chart-of-accounts bas-chart account-plan bas | kontoplan bas bas-kontoplan
accountnumber document: account-number account-numbers | kontonummer kontonumren kontonumret
account document0: account | konto
seat premises: registered-office seat based-in domiciled company-seat | säte hemvist
office premises: office offices head-office headquarter headquarters hq main-office | kontor kontoret kontors huvudkontor
storage premises: storage storage-room storage-unit storeroom | förråd magasin
stock premises: stock warehouse inventory | lager lagret lagrets lagren varulager
workshop premises: workshop | verkstad
showroom premises: showroom | showroom utställningslokal utställning
shop premises: shop store boutique | butik affär
webshop premises: web-shop webshop online-shop e-shop online-store e-commerce | webbutik nätbutik e-handel webbshop
parking premises: parking parking-space garage | parkering p-plats parkeringsplats garage
factory premises: factory plant production-hall | fabrik produktionshall
kitchen premises: kitchen | kök
restaurant premises: restaurant | restaurang
cafe premises: cafe café coffee-shop | kafé café
salon premises: salon | salong
studio premises: studio | studio ateljé
premises premises: premises property building | lokal fastighet byggnad
branch premises: branch branch-office | filial
car asset: car company-car | bil firmabil tjänstebil personbil bilar
van asset: van delivery-van | skåpbil transportbil budbil
lorry asset: truck lorry | lastbil
forklift asset: forklift fork-lift forklift-truck pallet-truck | truck gaffeltruck
trailer asset: trailer | släp släpvagn trailer
machine asset: machine | maskin
lathe asset: lathe | svarv
cnc asset: cnc cnc-machine milling-machine mill | cnc fräs cnc-maskin fräsmaskin
excavator asset: excavator digger | grävmaskin
crane asset: crane lift | kran lyftkran lift
tractor asset: tractor | traktor
computer asset: computer laptop pc | dator datorer laptop
server asset: server server-rack | server
printer asset: printer copier | skrivare kopiator
coffeemachine asset: coffee-machine | kaffemaskin kaffeautomat
phone asset: phone telephone mobile | telefon mobil
furniture asset: furniture office-furniture | möbel möbler kontorsmöbler inredning
boat asset: boat | båt
oven asset: oven | ugn
fridge asset: fridge freezer cold-store | kylskåp frys kylrum
camera asset: camera | kamera
tool asset: tool tools | verktyg
solarpanel asset: solar-panel solar-cell | solcell solpanel
charger asset: charging-post charging-station charger | laddstolpe laddstation laddbox
cashregister asset: cash-register till | kassaregister kassaapparat kassa
terminal asset: card-terminal card-reader | kortterminal kortläsare
website asset: website web-site homepage | hemsida webbplats webbsida
patent asset: patent | patent
trademark asset: trademark | varumärke
licence asset: licence license | licens
software software: accounting-software accounting-program bookkeeping-software accounting-system bookkeeping-program | bokföringsprogram redovisningsprogram ekonomisystem bokföringssystem affärssystem
payrollsoftware software: payroll-software payroll-system | löneprogram lönesystem
timesystem software: time-reporting time-tracking timesheet time-sheets time-reports | tidrapportering tidrapport tidredovisning
crm software: crm | crm
expenseapp software: expense-app receipt-app | kvittoapp utläggsapp
einvoice software: e-invoice e-invoicing electronic-invoice e-invoices electronically | e-faktura efaktura elektroniskt e-fakturor
auditor role: auditor audit auditing | revisor revision revisionsbyrå
bookkeeper role: bookkeeper bookkeeping accounting-firm accountant accounting-consultant accountancy accounting-agency books accounting | bokföring redovisningsbyrå redovisningskonsult redovisning byrå bokförare ekonomiassistent
ceo role: ceo managing-director | vd verkställande-direktör
deputyceo role: deputy-ceo deputy-managing-director vice-president | vice-vd
cfo role: cfo finance-director financial-manager finance-manager | ekonomichef ekonomiansvarig cfo
salesmanager role: sales-manager head-of-sales | försäljningschef säljchef
chair role: chair chairman chairperson chairwoman chair-of-the-board chairman-of-the-board board-chair | ordförande styrelseordförande ordförande-i-styrelsen
board role: board board-of-directors | styrelse styrelsen
boardmember role: board-member director member members | ledamot styrelseledamot ledamöter
deputy role: deputy-member deputy-board-member deputy alternate | suppleant styrelsesuppleant
signatory role: signatory authorised-signatory firm-signatory | firmatecknare firmateckning
owner role: owner shareholder part-owner co-owner owners proprietor | ägare delägare aktieägare
investor role: investor | investerare
founder role: founder | grundare
employee role: employee employees employed-person staff personnel headcount people-on-the-payroll | anställd anställda personal medarbetare
intern role: intern trainee apprentice | praktikant lärling
salesperson role: salesperson seller salesman sales-rep | säljare
consultant role: freelancer | underkonsult frilansare
subcontractor role: subcontractor sub-contractor | underentreprenör underleverantör
supplier role: supplier vendor | leverantör
lawyer role: lawyer solicitor law-firm | advokat jurist advokatbyrå
bank role: bank | bank storbank
insurer role: insurance-company insurer | försäkringsbolag
landlord role: landlord | hyresvärd
collector role: debt-collector debt-collection collection-agency | inkasso inkassobolag inkassobyrå
factoring role: factoring | factoring fakturaköp fakturabelåning
carrier role: carrier freight-company haulier | fraktbolag transportör speditör åkeri
electricity role: electricity electricity-supplier power-supplier | el elavtal elleverantör
telecom role: broadband internet telecom | bredband internet operatör
cleaning role: cleaning cleaner cleaning-firm | städning städ städfirma städare
union role: union trade-union | fackförbund facket
collective role: collective-agreement | kollektivavtal
husband family: husband | make maken
wife family: wife spouse | maka fru hustru
daughter family: daughter | dotter
son family: son | son
brother family: brother | bror brodern
sister family: sister | syster
father family: father | far pappa
mother family: mother | mor mamma
child family: child children kid | barn
holding unit: holding-company holding parent-company parent | holdingbolag moderbolag holding
subsidiary unit: subsidiary daughter-company | dotterbolag dotterföretag
operating unit: operating-company | driftbolag rörelsebolag driftsbolag
group unit: group | koncern
payroll process: payroll salary-administration wage-administration | lönehantering löneadministration lönekörning lönearbete lönebesked
invoicing process: invoicing billing | fakturering
accruals process: accrual | periodisering
depreciation process: depreciation | avskrivning avskrivningar
capitalisation process: capitalisation | aktivering
reconciliation act: reconciliation reconcile reconciled | avstämning stämma-av stäms-av stämmer-av stämde-av stämt-av avstämd avstämda avstämt
stockcount act: stocktaking stock-take stock-taking stock-count inventory-count counted counting | inventering inventera inventeras inventerar
deferral process: deferral deferment respite | anstånd
fiscalyear process: fiscal-year financial-year accounting-year accounting-period | räkenskapsår verksamhetsår bokföringsår
vacation absence: vacation holiday | semester
sickleave absence: sick sick-leave | sjuk sjukskriven sjukskrivning
parentalleave absence: parental-leave maternity-leave paternity-leave | föräldraledig föräldraledighet mammaledig pappaledig
leave absence: leave-of-absence | tjänstledig
training process: course training education | kurs utbildning
recruitment process: recruitment recruiting | rekrytering
marketing process: marketing advertising campaign | marknadsföring reklam kampanj annonsering
certification process: certification iso-certified iso-certification certified | certifiering certifierad certifierat
rot process: rot rut rot-deduction rut-deduction | rot rut rotavdrag rutavdrag rot-avdrag rut-avdrag
taxaccount process: tax-account | skattekonto
taxaudit process: tax-audit | skatterevision skattekontroll
share process: share shares shareholding ownership stake | aktie aktier ägande ägarandel
optionprogram process: stock-option option-programme option-program warrant | optionsprogram personaloption teckningsoption
representation process: entertainment client-entertainment | representation
travel process: business-trip trip travel travel-expense | resa tjänsteresa resor reseräkning
deadline content: deadline due-date final-date last-date date-due date dates | deadline sista-datum datum förfallodatum förfallodag deadlines
reminder content: reminder remind reminded nudge alert notification notified | påminnelse påminn påminna påmind påminner avisering notis
step content: step steps | steg uträkning delsteg
finalfigure content: final-figure final-number end-result just-the-figure final-answer | slutsiffra slutsumma slutresultat facit
example content: example examples | exempel räkneexempel
source content: source sources law-reference reference legal-reference | källa källor lagrum källhänvisning paragraf
link content: link links | länk länkar
summary content: summary summaries summarise summarize recap | sammanfattning sammanfatta sammanfattar
emoji content: emoji emojis smiley | emoji emojis smileys
jargon content: jargon technical-term technical-terms | fackterm facktermer fikonspråk facktermer fackspråk
taximpact content: tax-implication tax-implications tax-consequence tax-effect tax-effects | skattekonsekvens skatteeffekt skattekonsekvenser
checklist content: checklist to-do-list | checklista
meeting content: meeting meetings | möte möten
screenshot content: screenshot screenshots | skärmdump skärmdumpar
comparison content: comparison comparisons last-year's-figures | jämförelse jämförelser
formula content: formula formulas | formel formler
lateinterest money: late-payment-interest penalty-interest default-interest interest-on-late-payment | dröjsmålsränta
fee money: fee fees charge-fee | avgift avgifter
commission money: commission | provision provisionslön
accountsreceivable money: accounts-receivable trade-receivables | kundfordringar
accountspayable money: accounts-payable trade-payables | leverantörsskulder
liquidity money: liquidity cash-flow cash | likviditet kassaflöde likvida-medel
equity money: equity | eget-kapital
debt money: debt | skuld skulder
vatrate money: vat-rate | momssats
prepayment money: prepayment advance-payment in-advance | förskott förskottsbetalning
subscription asset: subscription | abonnemang prenumeration
mower asset: lawnmower mower | gräsklippare
scanner asset: scanner | skanner scanner
bicycle asset: bicycle bike cargo-bike | cykel lådcykel
bus asset: bus minibus | buss minibuss
motorcycle asset: motorcycle moped | motorcykel moped
saw asset: saw | såg
drill asset: drill drilling-machine | borr borrmaskin
sewingmachine asset: sewing-machine | symaskin
welder asset: welding-machine | svets svetsmaskin
robot asset: robot | robot
screen asset: screen monitor display | skärm bildskärm
tablet asset: tablet ipad | surfplatta ipad
desk asset: desk desks chairs | skrivbord stol stolar
scaffold asset: scaffolding scaffold | byggställning ställning
container asset: container | container
pump asset: heat-pump pump | värmepump pump
ventilation asset: ventilation air-conditioning | ventilation luftkonditionering
alarm asset: alarm burglar-alarm | larm inbrottslarm
carpenter occupation: carpenter joiner | snickare
electrician occupation: electrician | elektriker
plumber occupation: plumber | rörmokare vvs-montör
painter occupation: painter | målare
driver occupation: driver | chaufför förare
chef occupation: chef cook | kock
waiter occupation: waiter waitress | servitör servitris
baker occupation: baker | bagare
hairdresser occupation: hairdresser | frisör
designer occupation: designer | designer formgivare
developer occupation: developer programmer | utvecklare programmerare
engineer occupation: engineer | ingenjör
projectmanager occupation: project-manager project-leader | projektledare
assistant occupation: assistant | assistent
receptionist occupation: receptionist | receptionist
warehouseworker occupation: warehouse-worker | lagerarbetare
technician occupation: technician | tekniker servicetekniker
mechanic occupation: mechanic | mekaniker
gardener occupation: gardener | trädgårdsmästare
architect occupation: architect | arkitekt
foreman occupation: foreman supervisor | arbetsledare förman
shopassistant occupation: shop-assistant sales-assistant | butiksbiträde butikssäljare
marketer occupation: marketer marketing-manager | marknadsförare marknadschef
officemanager occupation: office-manager | kontorschef kontorsansvarig
payrollclerk occupation: payroll-clerk payroll-officer | lönekonsult löneassistent
photographer occupation: photographer | fotograf
construction industry: construction building-industry | bygg byggbranschen byggnation
transportindustry industry: transport haulage logistics | transport åkerinäring logistik
itservices industry: it-consulting software-development it-services | it-konsult systemutveckling it-tjänster
retail industry: retail | detaljhandel
wholesale industry: wholesale | grossist partihandel
forestry industry: forestry | skogsbruk
farming industry: farming agriculture | jordbruk lantbruk
catering industry: catering | catering
healthcare industry: healthcare health-care | vård
hospitality industry: hospitality | besöksnäring
design industry: design | design formgivning
mediaindustry industry: media | media
"""
