"""Words of a company's facts that carry nothing by themselves, English and Swedish, as they stand."""

_WORDS = """
a an the of in on at to from for with by as into onto about before after and or but so than that this these those there here it its is are
was were be been being am has have had having do does did done can could may shall should would which who whose what when where i we you he
she they me us him them my our your his her their mine ours one all every each any some same other only just also too very always still
again already ever once more most much many both either rather such if whether because though while during until within own out up down over
under per via gets get got getting give gives given gave make makes made take takes took taken taking let lets use uses used using set sets
setup keep keeps kept want wants prefer prefers like likes please ask asks asked need needs needed see sees seen go goes went going gone
come comes came coming put puts run runs running said says say tell told know known think thinks bring brings handle handled handles look
looks seem seems help helps mainly mostly company business firm net amount sum total around roughly approximately currently present
presently today now new latest current yes no not appointed appoint named serves acts position post role person people somebody someone
thing things stuff money kr sek kronor tkr item matter way kind sort type part whole entire full fully final booked recorded posted located
based situated found care first second last next year month week idea plan plans planned month's usually normally generally typically often
regularly belongs belong rest remaining remainder split between good great better best well clear clearly has-had decided decide decides
decision chose choose chosen picked settled settle switched switch changed change changes mentioned wanting undecided unsure considering
further later yet form left right time times instead thirty end start day days en ett den det de dem denna detta dessa av på till från för
med om som och eller men så att när där här var vara är blev blir bli blivit har hade ha haft kan kunde ska skulle får fick fått vill ville
man jag vi du ni han hon hen mig oss dig er sig sin sitt sina min mitt mina vår vårt våra din ditt dina hans hennes deras sen sedan nu redan
ännu än inom över vid hos utan enligt genom mot efter före innan bara endast enbart även också ju väl nog alltid ständigt ofta igen mer mest
mycket många några någon något annan annat andra samma alla allt hela varje båda gör gjorde gjort göra görs gjordes ger ge gav gett tar ta
tog tagit sätter sätta satt satte ligger låg lägger lägga finns fanns sitter står stå heter använder använda används använde kör köra sköts
sköter sköta skött hanteras hanterar brukar håller hålla bolag bolaget bolagets företag företaget företagets firma firman firmans belopp
totalt cirka ungefär numera idag ny nytt nya nye utsedd utsågs utses utse fungerar roll personer sak saker del delar år året månad månaden
vecka ut upp ner ned bort fram framöver helst gärna hellre föredrar uppskattar önskar tycker bäst gillar behöver måste tänker beslutade
beslutat beslut bestämma bestämt bestämde bestämd valde vald valt väljer valdes bytte byter bytt byte gått gick går ändrat ändra främst
huvudsakligen mestadels vanligtvis vanligen normalt oftast resten tillhör mellan fördelas delas bra utgör utgörs består bestå ledamot-av
konsist kommer komma kom ingår fortfarande länge tid gång gånger slut sist första sätt fråga frågan riktigt ordentligt bokförs bokförd
bokfört bokförda förs ink inkl exkl inklusive exklusive belägen belägna placerad skriver skriva skrev språk språket language skrivs write
writes writing written wrote chatta chattar chatt holds hold held ve re ll since sinc faktiskt stället dag letting anlita anlitade anlitat
anlitar anlitas engaged engage planen planer nuvarande gamla gammal gamle old prepared prepare upprättas upprättar upprättad nere inför
hoppa sker happens happen actual actually will replaced replaces ersatt ersatte ersätter ersattes inte ej ingen inget inga icke aldrig
without never none nothing stop stopped skip work works arbetar jobbar arbeta jobba följer följa follows words få bättre bättr term terms ab
hb kb charges charge charged converted convert convertera omvandla omvandlades omvandlat ombildades ombildad driv drivs drivas byta
switching changing val valet operates operating operate active activities activity received arrived anländ stays stay stannar kvar pågår
ongoing contains innehåller includes include inkluderar consists consist regarding concerning gällande angående avseende including
tillsammans together name namn called kallas kallad verksam verksamma verksamt besked news waiting stands stand company's reasons reason
eftersom
lösning lösningen hitta hittar hittade find finds finding outbound nummer number numret numbers then nearly almost nästan
"""
EMPTY: frozenset[str] = frozenset(_WORDS.split())
