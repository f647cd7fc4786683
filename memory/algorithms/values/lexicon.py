"""Words of a student's life in English and Swedish, each under one idea, so that both languages read alike.

A line is `idea kind: English forms | Swedish forms`. Only base forms are listed; `words.fold` takes the endings off.
The kinds say what may stand in for what ("purple" for "cyan" as a colour). Words that are not here are compared as
they stand, so a gap costs recall between languages and never a false agreement.
"""

from collections.abc import Iterator

from memory.algorithms.values.lexicon_of_life import LIFE
from memory.algorithms.values.lexicon_of_things import THINGS

_TABLE = """
mother person: mum mom mother mummy mam | mamma mor morsa mamman morsan mammas
father person: dad father daddy | pappa far farsa pappan farsan pappas
parents person: parents parent folks | förälder föräldrar
sister person: sister sis | syster syrra syrran systrar
brother person: brother bro | bror brorsa brorsan bröder brodern
sibling person: sibling | syskon
stepfather person: stepdad stepfather | styvpappa plastpappa bonuspappa
stepmother person: stepmum stepmom stepmother | styvmamma plastmamma bonusmamma
grandmother person: grandma granny gran nan nana grandmother | mormödrar
mormor person: | mormor
farmor person: | farmor
morfar person: | morfar
farfar person: | farfar
grandfather person: grandad granddad grandpa grandfather | morfäder
cousin person: cousin | kusin
aunt person: aunt auntie | tant
moster person: | moster
faster person: | faster
uncle person: uncle | onkel
morbror person: | morbror
farbror person: | farbror
boyfriend person: boyfriend | pojkvän kille
girlfriend person: girlfriend | flickvän tjej
partner person: partner | sambo
friend person: friend mate pal | kompis vän polare
bestfriend person: bff bestie | bästis
teacher person: teacher | lärare läraren fröken
coach person: coach trainer | tränare
tutor person: tutor mentor | mentor klassföreståndare handledare
captain person: captain | lagkapten kapten
head person: headteacher principal headmaster | rektor
neighbour person: neighbour neighbor | granne
team thing: team squad | lag laget
dog pet: dog puppy doggy | hund valp
cat pet: cat kitten kitty | katt kattunge
rabbit pet: rabbit bunny | kanin
hamster pet: hamster | hamster
horse pet: horse pony | häst ponny
fish pet: fish goldfish | fisk guldfisk
bird pet: bird budgie parrot | fågel undulat papegoja
pet pet: pet animal | husdjur djur
guineapig pet: guinea-pig | marsvin
tortoise pet: tortoise turtle | sköldpadda
snake pet: snake | orm
spider pet: spider | spindel spindlar
maths course: maths math mathematics | matte matematik matten
physics course: physics | fysik
chemistry course: chemistry | kemi
biology course: biology | biologi
history course: history | historia historien
geography course: geography | geografi
religion course: religion | religion
english course: english | engelska engelsk
swedish course: swedish | svenska svensk
french course: french | franska fransk
german course: german | tyska tysk
spanish course: spanish | spanska spansk
italian course: italian | italienska
latin course: latin | latin
chinese course: chinese mandarin | kinesiska
japanese course: japanese | japanska
arabic course: arabic | arabiska
persian course: persian farsi | persiska
polish course: polish | polska
finnish course: finnish | finska
norwegian course: norwegian | norska
danish course: danish | danska
art course: art | bild konst
music course: music | musik
drama course: drama theatre theater | drama teater
pe course: pe gym sports | idrott gympa gymnastik
technology course: technology tech | teknik
science course: science | no naturkunskap
civics course: civics sociology politics | samhällskunskap samhäll so
crafts course: crafts | slöjd
woodwork course: woodwork | träslöjd
textiles course: textiles | textilslöjd syslöjd
cooking course: cookery cooking | hemkunskap
programming course: programming coding computing | programmering kodning
philosophy course: philosophy | filosofi
psychology course: psychology | psykologi
economics course: economics business | ekonomi
fractions topic: fraction | bråk
percent topic: percent percentage | procent procenträkning
geometry topic: geometry | geometri
algebra topic: algebra | algebra
equation topic: equation | ekvation
grammar topic: grammar | grammatik
spelling topic: spelling | stavning stavfel
vocabulary topic: vocabulary vocab | glosa glosor ordförråd
recursion topic: recursion | rekursion
red colour: red | röd rött röda
blue colour: blue | blå blått blåa
darkblue colour: navy dark-blue | mörkblå mörkblått
lightblue colour: light-blue | ljusblå ljusblått
green colour: green | grön grönt gröna
yellow colour: yellow | gul gult gula
orange colour: orange | orange
purple colour: purple violet | lila violett
pink colour: pink | rosa
black colour: black | svart svarta
white colour: white | vit vitt vita
grey colour: grey gray | grå grått
brown colour: brown | brun brunt bruna
turquoise colour: turquoise teal | turkos turkost
cyan colour: cyan | cyan
beige colour: beige | beige
gold colour: gold golden | guld
silver colour: silver | silver
blond colour: blond blonde | blond blont
ginger colour: ginger | rödhårig
doctor job: doctor physician | läkare doktor
nurse job: nurse | sjuksköterska sköterska
dentist job: dentist | tandläkare
vet job: vet veterinarian | veterinär
police job: police policeman policewoman | polis
firefighter job: firefighter fireman | brandman
author job: author writer | författare
engineer job: engineer | ingenjör
architect job: architect | arkitekt
lawyer job: lawyer solicitor barrister | advokat jurist
pilot job: pilot | pilot
chef job: chef cook | kock
baker job: baker | bagare
electrician job: electrician | elektriker
plumber job: plumber | rörmokare
carpenter job: carpenter joiner | snickare
busdriver job: bus-driver | busschaufför bussförare
driver job: driver | chaufför förare
programmer job: programmer developer coder | programmerare utvecklare
journalist job: journalist reporter | journalist
actor job: actor actress | skådespelare
singer job: singer | sångare sångerska
psychologist job: psychologist therapist | psykolog
hairdresser job: hairdresser barber | frisör
mechanic job: mechanic | mekaniker
farmer job: farmer | bonde lantbrukare
accountant job: accountant | revisor ekonom
scientist job: scientist researcher | forskare
astronaut job: astronaut | astronaut
marinebiologist job: marine-biologist | marinbiolog
footballer job: footballer | fotbollsspelare
youtuber job: youtuber streamer | youtuber
salesman job: salesman salesperson cashier | säljare kassör
bus ride: bus | buss bussen
train ride: train | tåg
tram ride: tram | spårvagn
metro ride: metro tube underground subway | tunnelbana
bike ride: bike bicycle cycle | cykel cykla cyklar
car ride: car | bil
walk ride: walk foot | gå promenera promenad
scooter ride: scooter moped | moped elsparkcykel
"""


def read_table() -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """Yield idea, kind, its English and its Swedish forms."""
    for line in filter(None, (_TABLE + THINGS + LIFE).splitlines()):
        head, forms = line.split(":", 1)
        idea, kind = head.split()
        english, swedish = (tuple(part.split()) for part in forms.split("|"))
        yield idea, kind, english, swedish
