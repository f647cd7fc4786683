"""Words and turns of phrase that name a feeling, in both languages. Words are compared by their stems, phrases as they stand."""

from companion_site.language import Language
from memory.life.feelings import PrimaryEmotion

#: beginnings of "plain" lines: a word that names the feeling; of "strong": one that names much of it
WORDS: dict[Language, dict[PrimaryEmotion, tuple[str, str]]] = {
    "en": {
        "sadness": (
            "sad sadness unhappy blue gloomy disappointed disappointing hurt hurts sorry regret miss missing lost gray "
            "grey empty tears cry cried crying weeping sob hopeless pointless worthless rejected rejection rotten awful "
            "failed failure died dead funeral buried grief mourning upset lousy",
            "devastated heartbroken depressed depression miserable grieving despair broken crushed",
        ),
        "joy": (
            "happy happily glad joy joyful delighted fun funny laugh laughed laughing smile smiled smiling grin grinning "
            "proud pride excited exciting lovely wonderful great celebrate celebrated won win winning yay woohoo hooray haha "
            "pleased enjoyed enjoy brilliant delicious cool love awesome relief relieved",
            "fantastic amazing ecstatic thrilled overjoyed best incredible",
        ),
        "anxiety": (
            "anxious anxiety worried worry worries worrying nervous nerves scared afraid fear fears frightened stress "
            "stressed stressful tense panic dread dreading trembling shaking sweating pressure overwhelmed uneasy restless",
            "terrified panicking petrified panicked horrified",
        ),
        "loneliness": (
            "lonely loneliness lonesome alone isolated excluded invisible outsider friendless unwanted",
            "abandoned forsaken",
        ),
        "calm": (
            "calm calmer calming peace peaceful relaxed relaxing relax rested content ease quiet quietly still serene "
            "balanced steady safe soothing settled slow slowly fine okay comfortable cosy restful mellow",
            "tranquil blissful",
        ),
    },
    "sv": {
        "sadness": (
            "ledsen ledsna ledset sorgsen sorg sorgligt nere låg deppig besviken besvikelse saknar saknad tårar tårarna gråt "
            "gråter gråta grät gråtit gråten ångrar tom tomt tungt hopplöst meningslöst värdelös kuggade misslyckad svider "
            "dog död begravning begravde skäms sårad dyster olycklig",
            "förkrossad förtvivlad deprimerad knäckt krossad bottenlös",
        ),
        "joy": (
            "glad glada gladare glatt glädje lycklig lycka kul roligt rolig roligaste skrattade skratt skrattar härlig "
            "härligt stolt underbar underbart jättebra kanonbra toppen toppenbra nöjd hurra grattis haha jubel jublade vann "
            "vinst vunnit njöt taggad längtar kär skoj lättnad lättad älskar klarade lyckades mysig",
            "fantastisk fantastiskt bäst överlycklig drömmen jätteglad superglad",
        ),
        "anxiety": (
            "orolig oroliga oro oroar nervös nervositet rädd rädsla ångest stress stressad stressig stressigt panik ängslig "
            "pirrigt pirrig spänd darrar svettas kallsvettas grubblar snurrar press pressad rastlös törs hetsigt",
            "livrädd skräckslagen panikslagen panikångest vettskrämd",
        ),
        "loneliness": (
            "ensam ensamt ensamhet ensamma utanför osynlig isolerad utstött övergiven bortglömd vänlös utfryst",
            "kontaktlös",
        ),
        "calm": (
            "lugn lugnt lugna stilla ro rofyllt frid avslappnad avkopplad trygg tryggt utvilad harmonisk balans skönt "
            "tillfreds landat behagligt långsamt långsamma mjuk tyst fridfullt okej piano trivs",
            "rofylld",
        ),
    },
}  # fmt: skip

#: turns of phrase that tell a feeling without a word for it
PHRASES: dict[Language, dict[PrimaryEmotion, tuple[str, ...]]] = {
    "en": {
        "sadness": (
            r"(?:passed|pass) away", r"no(?:thing| point)\b.{0,20}(?:matters|happy|fun)", r"put (?:him|her|the \w+) to sleep",
            r"broke my heart", r"let (?:\w+ ){1,2}down", r"split(?:ting)? up", r"broke up",
            r"(?:feel(?:ing)?|am|i'm|bit|so|really) (?:down|low)",
        ),
        "joy": (r"can(?:no|')t wait", r"can hardly wait", r"got in", r"guess (?:who|what)", r"so well", r"much better", r"in love"),
        "anxiety": (
            r"what if", r"can(?:no|')t (?:breathe|sleep|think|sit still|stop thinking)", r"(?:heart|pulse)(?: \w+)? rac\w+",
            r"too much", r"go(?:es|ing)? wrong", r"lying awake", r"stomach (?:aches|hurts|is in knots)", r"(?:don't|do not) dare",
            r"so (?:much|many) (?:homework|deadlines|exams|tests)",
        ),
        "loneliness": (
            r"by myself", r"on my own", r"(?:nobody|no one|no-one)\b.{0,25}(?:call\w*|ask\w*|talk\w*|notic\w*|see\w*|understand\w*|with)",
            r"no friends", r"left out", r"without me", r"except me", r"(?:some(?:one|body)|any(?:one|body)) to (?:talk|tell|eat|be|share)",
            r"keep me company", r"(?:don't|do not) know (?:anyone|anybody|a soul)", r"fit in",
        ),
        "calm": (
            r"at ease", r"no (?:rush|hurry|stress)", r"let (?:it|that) go", r"all (?:is|'s) well", r"sort itself out",
            r"cup of tea", r"made peace", r"can breathe",
        ),
    },
    "sv": {
        "sadness": (
            r"gick bort", r"gått bort", r"gjorde? slut", r"fick tas bort", r"orkar inte", r"ont i hjärtat", r"gör ont",
            r"in(?:get|genting)\b.{0,20}(?:roligt|glad|spelar)", r"mår (?:skit|dåligt|piss|kasst)", r"ska skiljas",
        ),
        "joy": (
            r"så (?:kul|glad|roligt|skoj|gott|goda)", r"kom in på", r"(?:gick|funkade) (?:jätte|kanon|super|skit)?bra", r"vilken \w+ dag",
            r"kan du fatta", r"kan knappt (?:vänta|bärga)", r"blivit vänner", r"nöjd med",
        ),
        "anxiety": (
            r"tänk om", r"vågar inte", r"törs inte", r"ont i magen", r"hjärtat (?:slår|bultar|rusar)", r"pulsen rusar", r"går? fel",
            r"hinner inte", r"hur ska jag (?:hinna|klara|orka)", r"kan inte (?:sova|somna|andas|tänka|sitta still)", r"om och om igen",
        ),
        "loneliness": (
            r"för mig själv", r"ingen\b.{0,25}(?:ringer|frågar|pratar|ser|bryr|förstår|hör av|att)", r"inga (?:vänner|kompisar)",
            r"utan mig", r"alla utom jag", r"någon att", r"inte en (?:människa|själ|käft)", r"passar inte in", r"hittar man vänner",
        ),
        "calm": (
            r"tar det (?:lugnt|piano|som det)", r"i sin takt", r"ingen (?:stress|brådska|fara)", r"ordnar sig", r"löser sig",
            r"i lugn och ro", r"släppt det", r"slappna av", r"kopp (?:te|kaffe)", r"i min egen takt",
        ),
    },
}  # fmt: skip

#: after these comes what is meant
TURNS = frozenset(("but", "though", "men", "fast"))
NEGATIONS: dict[Language, frozenset[str]] = {
    "en": frozenset(
        [
            "not",
            "no",
            "never",
            "nobody",
            "nothing",
            "neither",
            "without",
            "hardly",
            "isn't",
            "aren't",
            "wasn't",
            "don't",
            "doesn't",
            "didn't",
            "can't",
            "cannot",
            "couldn't",
            "won't",
            "wouldn't",
            "haven't",
            "hasn't",
            "ain't",
        ]
    ),
    "sv": frozenset(
        [
            "inte",
            "ej",
            "aldrig",
            "ingen",
            "inget",
            "inga",
            "ingenting",
            "utan",
            "knappt",
            "varken",
            "icke",
            "inte",
        ]
    ),
}
STRENGTHENING: dict[Language, frozenset[str]] = {
    "en": frozenset(
        [
            "so",
            "very",
            "really",
            "extremely",
            "totally",
            "completely",
            "absolutely",
            "terribly",
            "awfully",
            "incredibly",
            "deeply",
            "super",
            "way",
            "much",
            "most",
            "ever",
            "everything",
            "always",
            "never",
        ]
    ),
    "sv": frozenset(
        [
            "så",
            "väldigt",
            "jätte",
            "jättemycket",
            "verkligen",
            "extremt",
            "helt",
            "totalt",
            "fruktansvärt",
            "otroligt",
            "oerhört",
            "super",
            "mycket",
            "sjukt",
            "hur",
            "allt",
            "alltid",
            "aldrig",
            "himla",
        ]
    ),
}
WEAKENING: dict[Language, frozenset[str]] = {
    "en": frozenset(
        ["bit", "little", "slightly", "somewhat", "rather", "quite", "pretty", "kind", "sort", "fairly"]
    ),
    "sv": frozenset(["lite", "litet", "något", "ganska", "rätt", "tämligen", "smått", "aningen", "liten"]),
}
#: who says this is in despair, whatever else they say
DESPAIR: dict[Language, str] = {
    "en": r"(?<!n't )(?<!not )(?<!never )(?:want|wanna|wish i could) (?:to )?die|kill myself|end (?:it all|my life)"
    r"|(?:don't|do not) want to (?:live|be here|wake up|exist)|no reason to live|better off dead",
    "sv": r"(?<!inte )vill (?:bara |helst )?(?:dö|försvinna)|ta(?:r|git)? (?:livet av mig|mitt (?:eget )?liv)"
    r"|(?:vill|orkar) inte (?:leva|finnas|vakna)|ingen mening med att leva|bättre om jag var död",
}
#: told of a book, a film or a lesson: the feeling is not the person's own
OF_OTHERS: dict[Language, str] = {
    "en": r"(?:is|was|are|were|essay|read|learned|learnt|studied|writing|wrote) about|(?:book|film|movie|novel|poem|play|chapter) (?:on|about|called)",
    "sv": r"handla(?:r|de) om|(?:läst|läste|läser|skriver|skrev|pluggar|pluggade) om|(?:bok|film|roman|dikt|pjäs|kapitel|föreläsning)\w* om",
}
#: words by which a text has little energy, and much
TIRED: dict[Language, frozenset[str]] = {
    "en": frozenset(
        [
            "tired",
            "exhausted",
            "sleepy",
            "worn",
            "drained",
            "weary",
            "yawning",
            "fatigued",
            "slept",
            "sleep",
            "asleep",
        ]
    ),
    "sv": frozenset(
        [
            "trött",
            "trötta",
            "utmattad",
            "slut",
            "sömnig",
            "slutkörd",
            "orkar",
            "orkeslös",
            "somnade",
            "somna",
            "sovit",
            "gäspar",
            "seg",
        ]
    ),
}
LIVELY: dict[Language, frozenset[str]] = {
    "en": frozenset(
        [
            "excited",
            "panic",
            "panicking",
            "running",
            "jumping",
            "dancing",
            "danced",
            "woohoo",
            "hooray",
            "yay",
            "furious",
            "racing",
            "shaking",
            "thrilled",
        ]
    ),
    "sv": frozenset(
        [
            "taggad",
            "panik",
            "hoppar",
            "springer",
            "dansade",
            "hurra",
            "rasande",
            "rusar",
            "skakar",
            "jublar",
            "hurra",
        ]
    ),
}
