"""The second half of the lexicon: what people do, eat, have and go to."""

# fmt: off
THINGS = """
football sport: football soccer | fotboll
basketball sport: basketball | basket
handball sport: handball | handboll
hockey sport: hockey | hockey ishockey
tennis sport: tennis | tennis
swimming sport: swim | simma simning
running sport: run jog | springa löpning jogga
dancing sport: dance ballet | dansa dans balett
riding sport: riding | ridning rida
climbing sport: climb | klättra klättring
chess sport: chess | schack
skiing sport: ski | åka-skidor
guitar instrument: guitar | gitarr
piano instrument: piano | piano
violin instrument: violin fiddle | fiol
cello instrument: cello | cello
drums instrument: drum | trumma trummor
flute instrument: flute | flöjt
trumpet instrument: trumpet | trumpet
saxophone instrument: saxophone sax | saxofon
bass instrument: bass | elbas
coffee food: coffee | kaffe
tea food: tea | te
milk food: milk | mjölk
meat food: meat beef | kött
chicken food: chicken | kyckling
pork food: pork | fläsk fläskkött
egg food: egg | ägg
cheese food: cheese | ost
bread food: bread | bröd
rice food: rice | ris
pasta food: pasta | pasta
pizza food: pizza | pizza
lasagne food: lasagne lasagna | lasagne
taco food: taco tacos | taco tacos
sushi food: sushi | sushi
soup food: soup | soppa
pancake food: pancake | pannkaka
mushroom food: mushroom | svamp
olive food: olive | oliv oliver
tomato food: tomato tomatoes | tomat
banana food: banana | banan
apple food: apple | äpple
nut food: nut | nöt nötter
peanut food: peanut | jordnöt jordnötter
gluten food: gluten | gluten
lactose food: lactose dairy | laktos
chocolate food: chocolate | choklad
broccoli food: broccoli | broccoli
spinach food: spinach | spenat
avocado food: avocado | avokado
shellfish food: shellfish prawn | skaldjur räka
favourite value: favourite favorite fave | favorit
food thing: food dish meal | mat maträtt rätt
drink thing: drink | dryck
colour thing: colour color | färg
subject thing: subject | ämne skolämne
book thing: book novel | bok boken böcker
film thing: film movie | film
song thing: song track | låt sång
band thing: band artist | band artist grupp
game thing: game videogame | spel tvspel datorspel
series thing: series show | serie tvserie
season thing: season | årstid
sport thing: sport | sport
number thing: number | siffra nummer tal
exam event: exam test quiz | prov tenta förhör examen glosförhör
essay event: essay | uppsats
homework event: homework assignment task | läxa uppgift
presentation event: presentation talk | redovisning redovisa presentation föredrag
appointment event: appointment | tid besök läkartid tandläkartid
party event: party | fest kalas
concert event: concert gig recital | konsert
play event: play | pjäs föreställning
match event: match | match
trip event: trip | resa utflykt klassresa
holiday event: holiday vacation | semester lov
interview event: interview | intervju
wedding event: wedding | bröllop
birthday event: birthday | födelsedag
lesson event: lesson class | lektion
practice event: practice training rehearsal | träning repetition rep
meeting event: meeting | möte utvecklingssamtal
race event: race run-race | lopp tävling
tournament event: tournament cup | turnering cup
camp event: camp | läger kollo
exchange event: exchange | utbyte
driving event: driving-test | uppkörning
deadline event: deadline | deadline inlämning
audition event: audition | audition uttagning
school thing: school | skola
academy thing: college academy | folkhögskola
year thing: grade year | årskurs klass åk
locker thing: locker | skåp skåpet
room thing: room bedroom | rum sovrum
house thing: house | hus villa
flat thing: flat apartment | lägenhet
phone thing: phone mobile | mobil telefon mobilen
computer thing: computer laptop | dator
hair thing: hair | hår
eye thing: eye | öga ögon
glasses thing: glasses | glasögon
braces thing: braces brace | tandställning
cast thing: cast plaster | gips
arm thing: arm | arm
leg thing: leg | ben
knee thing: knee | knä knät
foot thing: foot feet | fot fötter
shoe thing: shoe | sko skor
wrist thing: wrist | handled
job thing: job | jobb extrajobb
answer thing: answer reply response | svar svara
explanation thing: explanation | förklaring
example thing: example | exempel
hint thing: hint clue | ledtråd tips
picture thing: picture image diagram | bilder diagram
emoji thing: emoji emojis | emoji emojis emojier
feedback thing: feedback | feedback återkoppling
word thing: word | ord
floor thing: floor | våning
height thing: height | höjd höjder heights
thunder thing: thunder | åska åskan
dark thing: dark darkness | mörker mörkret
flying thing: fly flight | flyga flygning
library site: library | bibliotek biblioteket
canteen site: canteen cafeteria | matsal matsalen bamba
hall site: hall | aula aulan hall hallen
gymhall site: gymnasium | gympasal idrottshall sporthall gymmet
park site: park | park
church site: church | kyrka
garage site: garage | garage
cellar site: cellar basement | källare
kitchen site: kitchen | kök
pool site: pool | simhall badhus
money thing: money allowance | pengar veckopeng månadspeng
bedtime thing: bedtime | läggdags
size thing: size | storlek
team_role position: goalkeeper goalie keeper | målvakt
france place: france | frankrike
germany place: germany | tyskland
spain place: spain | spanien
denmark place: denmark | danmark
norway place: norway | norge
sweden place: sweden | sverige
finland place: finland | finland
england place: england | england
scotland place: scotland | skottland
italy place: italy | italien
greece place: greece | grekland
gothenburg place: gothenburg | göteborg
copenhagen place: copenhagen | köpenhamn
london place: london | london
morning daypart: morning | morgon morgnar förmiddag morgonen mornings
evening daypart: evening | kväll kvällar
night daypart: night | natt nätter
weekend daypart: weekend | helg
afternoon daypart: afternoon | eftermiddag
live verb: live | bo bor bott
work verb: work | jobba arbeta jobbar arbetar
study verb: study revise learn | plugga studera lära läser-på
play_verb verb: plays playing played | spela spelar spelas spelade spelat
eat verb: eat | äta äter
drink_verb verb: drinks drinking | dricka dricker
read verb: read | läsa läser
write verb: write | skriva skriver
speak verb: speak talk_in | prata tala pratar talar
sleep verb: sleep | sova sover
cycle verb: cycling | cyklar
train verb: train_at | träna tränar
sing verb: sing | sjunga sjunger
draw verb: draw | rita ritar
explain verb: explain | förklara förklarar
correct verb: correct | rätta rättar
become verb: become | bli blir
start verb: start begin kick-off | börja börjar starta startar
finish verb: finish end | sluta slutar
wake verb: wake get-up | vakna vaknar
share verb: share | dela delar
sit verb: sit | sitta sitter
want verb: want | vill ville
need verb: need | behöver behöva
break_bone verb: break broke broken | bryta brutit bröt
forget verb: forget forgot left-behind | glömma glömde glömt
send verb: submit hand-in due | lämna lämnas
"""
