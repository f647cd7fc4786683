"""The third part of the lexicon: people one works and lives with, their work, makes of things, and everyday verbs.

The verbs carry their irregular forms, so that "told" and "tell", "skrivit" and "skrev" are one word in both languages.
"""

# fmt: off
LIFE = """
boss person: boss manager supervisor | chef chefen arbetsledare
colleague person: colleague coworker co-worker | kollega arbetskamrat
flatmate person: flatmate roommate housemate | rumskompis
classmate person: classmate | klasskompis klasskamrat
landlord person: landlord landlady | hyresvärd
husband person: husband hubby | make maken
wife person: wife | fru hustru
fiance person: fiancé fiancée fiance fiancee | fästman fästmö
child person: child children kid kids | barn
son person: son | son
daughter person: daughter | dotter döttrar
grandchild person: grandchild | barnbarn
grandson person: grandson | sonson dotterson
granddaughter person: granddaughter | sondotter dotterdotter
nephew person: nephew | brorson systerson
niece person: niece | brorsdotter systerdotter
stepbrother person: stepbrother half-brother | styvbror halvbror
stepsister person: stepsister half-sister | styvsyster halvsyster
twin person: twin | tvilling
ex person: ex ex-boyfriend ex-girlfriend | exet
partnerinlife person: spouse | respektive
lecturer person: lecturer | föreläsare
professor person: professor | professor
groupmate person: lab-partner teammate | labbkompis lagkamrat
waiter job: waiter waitress | servitör servitris
receptionist job: receptionist | receptionist
midwife job: midwife | barnmorska
assistantnurse job: assistant-nurse | undersköterska
carer job: carer | vårdbiträde
paramedic job: paramedic | ambulanssjukvårdare
pharmacist job: pharmacist | apotekare
physiotherapist job: physiotherapist physio | fysioterapeut sjukgymnast
surgeon job: surgeon | kirurg
librarian job: librarian | bibliotekarie
translator job: translator interpreter | översättare tolk
musician job: musician | musiker
painter job: painter | konstnär
sculptor job: sculptor | skulptör
illustrator job: illustrator | illustratör
designer job: designer | designer
photographer job: photographer | fotograf
economist job: economist | nationalekonom
biologist job: biologist | biolog
chemist job: chemist | kemist
physicist job: physicist | fysiker
gardener job: gardener | trädgårdsmästare
cleaner job: cleaner | städare lokalvårdare
caretaker job: caretaker janitor | vaktmästare
soldier job: soldier | soldat
secretary job: secretary | sekreterare
consultant job: consultant | konsult
estateagent job: realtor | mäklare
truckdriver job: trucker | lastbilschaufför
taxidriver job: taxi-driver cabbie | taxichaufför
preschoolteacher job: nursery-teacher | förskollärare
socialworker job: social-worker | socionom
builder job: builder | byggarbetare
bricklayer job: bricklayer | murare
warehouseworker job: warehouse-worker | lagerarbetare
postman job: postman | brevbärare
fisherman job: fisherman | fiskare
butcher job: butcher | slaktare
judge job: judge | domare
politician job: politician | politiker
priest job: priest vicar | präst
welder job: welder | svetsare
bartender job: bartender | bartender
barista job: barista | barista
babysitter job: babysitter nanny | barnvakt
dancer job: dancer | dansare
volvo carmake: volvo | volvo
saab carmake: saab | saab
toyota carmake: toyota | toyota
bmw carmake: bmw | bmw
audi carmake: audi | audi
ford carmake: ford | ford
kia carmake: kia | kia
skoda carmake: skoda | skoda
tesla carmake: tesla | tesla
renault carmake: renault | renault
peugeot carmake: peugeot | peugeot
nissan carmake: nissan | nissan
honda carmake: honda | honda
fiat carmake: fiat | fiat
mazda carmake: mazda | mazda
hyundai carmake: hyundai | hyundai
volkswagen carmake: volkswagen vw | volkswagen vw
mercedes carmake: mercedes | mercedes
iphone phonemake: iphone | iphone
android phonemake: android | android
samsung phonemake: samsung | samsung
nokia phonemake: nokia | nokia
huawei phonemake: huawei | huawei
oneplus phonemake: oneplus | oneplus
pixel phonemake: pixel | pixel
xiaomi phonemake: xiaomi | xiaomi
beginner level: beginner novice | nybörjare
intermediate level: intermediate | medelgod
advanced level: advanced | avancerad
expert level: expert | expert
alcohol thing: alcohol | alkohol
beer alcohol: beer | öl
wine alcohol: wine | vin
cider alcohol: cider | cider
spirits alcohol: spirits | sprit
vodka alcohol: vodka | vodka
whisky alcohol: whisky | whisky
gin alcohol: gin | gin
soda thing: soda | läsk
snus thing: snus | snus snusa snusar
instrument thing: instrument | instrument
salmon seafood: salmon | lax
tuna seafood: tuna | tonfisk
cod seafood: cod | torsk
steak flesh: steak | biff
burger flesh: burger hamburger | hamburgare
sausage flesh: sausage | korv
bacon flesh: bacon | bacon
ham flesh: ham | skinka
butter dairy: butter | smör
yoghurt dairy: yoghurt yogurt | yoghurt
cream dairy: cream | grädde
honey dairy: honey | honung
new quality: new | ny nytt nya
grandparents person: grandparents | morföräldrar farföräldrar
defender position: defender | försvarare back
midfielder position: midfielder | mittfältare
striker position: striker forward attacker | anfallare forward
winger position: winger | ytter
preschool stage: nursery kindergarten preschool | förskola dagis
primary stage: primary | lågstadium lågstadiet
middleschool stage: middle-school | mellanstadium mellanstadiet
secondary stage: secondary | högstadium högstadiet
uppersecondary stage: sixth-form | gymnasium gymnasiet
university stage: university uni | universitet
home site: home | hem
christmas event: christmas xmas | jul julen
easter event: easter | påsk påsken
choir thing: choir | kör kören körövning
practise verb: practise rehearse practises | öva övar repa repar övade
club thing: club | klubb
society thing: society association | förening
course_thing thing: course | kurs
tell verb: tell told | berätta berättat berättade
book_verb verb: booked booking | boka bokat bokade bokar
pay verb: pay paid | betala betalar betalat betalade
decide verb: decide decided | bestämma bestämt bestämde
choose verb: choose chose chosen | välja valt valde väljer
write verb: wrote written | skrev skrivit
read verb: reading | läst läste
eat verb: ate eaten | ätit åt
drink_verb verb: drank drunk | druckit drack
sleep verb: slept | sov sovit
see verb: see saw seen | se ser såg sett
meet verb: meet met | träffa träffar träffade träffat
give verb: given | gav gett
take verb: took taken | tog tagit
make verb: make made | gjorde gjort
come verb: come came | komma kommer kom kommit
find verb: find found | hitta hittar hittat hittade
think verb: think thought | tänka tänker tänkt tänkte
call verb: call called | ringa ringer ringt ringde
drive verb: drive drove driven | köra körde kört
run verb: ran | sprang sprungit
cook verb: cook cooked | laga-mat
smoke verb: smoke smoked | röka röker rökte rökt
believe verb: believe believed | tro tror trott trodde
know verb: know knew known | veta vet känner
teach verb: taught | lärt
win verb: win won | vinna vinner vann vunnit
lose verb: lose lost | förlora förlorar förlorade förlorat
wear verb: wear wore worn | ha-på-sig
send_verb verb: sent | skicka skickar skickade skickat
begin verb: began begun | börjat började
pass verb: pass passed | klara klarar klarade klarat
fail verb: fail failed | kugga kuggade
apply verb: applied | sökt sökte
order verb: order ordered | beställa beställt beställde
clean verb: clean cleaned | städa städar städade
sign verb: sign signed | skriva-på
register verb: register registered enrolled enrol | anmäla anmält anmälde
visit verb: visit visited | besöka besökt besökte
"""
