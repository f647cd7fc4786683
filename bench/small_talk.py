"""Messages of small talk as people write them to a companion, made from templates by a seed: nothing in them is worth keeping."""

import random
from collections.abc import Iterator

_PARTS: dict[str, dict[str, tuple[str, ...]]] = {
    "sv": {
        "hej": ("Hej", "Hejsan", "Tjena", "God morgon", "Hallå", "Hej igen", "God kväll", "Morsning", "Hej hej",
            "Tja"),
        "tack": ("Tack", "Tack så mycket", "Tusen tack", "Tackar", "Stort tack", "Tack för hjälpen", "Tack snälla"),
        "ok": ("Okej", "Ok", "Jaha", "Aha", "Mm", "Visst", "Precis", "Just det", "Jo", "Nja", "Toppen", "Perfekt",
            "Härligt", "Finemang"),
        "slut": ("vi hörs", "vi hörs sen", "ha det bra", "ha en fin dag", "trevlig helg", "hej då",
            "vi ses i morgon", "kram", "god natt", "lycka till"),
        "dag": ("idag", "i morse", "igår", "i helgen", "i veckan", "i kväll", "i natt", "nu", "på sistone"),
        "väder": ("regnar", "snöar", "blåser", "är soligt", "är grått", "är halt ute", "är varmt", "är svinkallt",
            "åskar"),
        "sak": ("kaffet", "lunchen", "fikat", "bullen", "glassen", "teet", "mackan", "soppan", "pizzan"),
        "djur": ("katten", "hunden", "kaninen", "undulaten", "marsvinet"),
        "släkt": ("min son", "min dotter", "min man", "min fru", "mamma", "pappa", "min syster", "min bror",
            "grannen", "farmor"),
        "gjort": ("sov dåligt", "var på bio", "lagade lasagne", "sprang en runda", "målade om sovrummet",
            "såg en serie", "spelade padel", "plockade svamp", "var på konsert", "sjöng i kör", "läste ut en bok",
            "åkte skidor"),
        "känsla": ("trött", "glad", "pigg", "seg", "hungrig", "förkyld", "stressad", "lite vilsen", "nöjd", "sömnig"),
        "lag": ("AIK", "Hammarby", "Frölunda", "Malmö FF", "landslaget", "Brynäs", "Elfsborg"),
        "vänta": ("Vänta lite", "Ett ögonblick", "Strax tillbaka", "Jag kommer om en minut", "Ska bara hämta kaffe",
            "Någon ringer på dörren", "Telefonen ringer"),
        "skratt": ("haha", "hihi", "lol", "höhö", "ha ha ha", ":)", "😄", "😂", "👍"),
    },
    "en": {
        "hej": ("Hi", "Hello", "Hey there", "Good morning", "Hi again", "Good evening", "Morning", "Howdy", "Hey",
            "Yo"),
        "tack": ("Thanks", "Thank you so much", "Many thanks", "Cheers", "Thanks a lot", "Thanks for the help",
            "Much appreciated"),
        "ok": ("Okay", "Ok", "I see", "Aha", "Mm", "Sure", "Right", "Got it", "Yep", "Hmm", "Great", "Perfect",
            "Lovely", "Brilliant"),
        "slut": ("talk later", "see you", "have a good one", "have a nice day", "have a great weekend", "bye",
            "see you tomorrow", "take care", "good night", "good luck"),
        "dag": ("today", "this morning", "yesterday", "at the weekend", "this week", "tonight", "last night",
            "right now", "lately"),
        "väder": ("is raining", "is snowing", "is windy", "is sunny", "is grey", "is icy outside", "is boiling hot",
            "is freezing", "is thundering"),
        "sak": ("the coffee", "lunch", "the cake", "the bun", "the ice cream", "the tea", "my sandwich", "the soup",
            "the pizza"),
        "djur": ("the cat", "the dog", "the rabbit", "the parrot", "the guinea pig"),
        "släkt": ("my son", "my daughter", "my husband", "my wife", "my mum", "my dad", "my sister", "my brother",
            "the neighbour", "grandma"),
        "gjort": ("slept badly", "went to the cinema", "made lasagne", "went for a run", "painted the bedroom",
            "watched a series", "played tennis", "picked mushrooms", "went to a concert", "sang in the choir",
            "finished a book", "went skiing"),
        "känsla": ("tired", "happy", "wide awake", "sluggish", "hungry", "ill with a cold", "stressed", "a bit lost",
            "pleased", "sleepy"),
        "lag": ("Arsenal", "Leeds", "the Bruins", "Malmö FF", "the national team", "Everton", "Celtic"),
        "vänta": ("Hang on", "One moment", "Back in a second", "I'll be there in a minute",
            "Just getting some coffee", "Somebody is at the door", "The phone is ringing"),
        "skratt": ("haha", "hehe", "lol", "ha ha", "ha ha ha", ":)", "😄", "😂", "👍"),
    },
}  # fmt: skip
_TEMPLATES: dict[str, tuple[str, ...]] = {
    "sv": (
        "{hej}!", "{hej}, hur är läget?", "{tack}!", "{tack}, {slut}!", "{ok}.", "{ok}, {ok}.", "{ok}, då förstår jag.", "{ok}, {skratt}", "{skratt}", "{vänta}.",
        "{vänta}, {släkt} vill något.", "Det {väder} {dag}.", "{hej}! Det {väder} här {dag}.", "Jag är så {känsla} {dag}.", "Vi {gjort} {dag}.", "Jag {gjort} {dag}, {skratt}.",
        "{släkt} {gjort} {dag}.", "{djur} har ätit upp {sak}.", "{sak} var gott {dag}.", "{sak} är slut igen, typiskt.", "Såg du {lag} {dag}?", "{lag} vann {dag}, {skratt}!",
        "{lag} förlorade, jag är {känsla}.", "{ok}, {slut}!", "Nu blir det {sak}.", "Bra jobbat, {tack}.", "Du är bäst {skratt}", "Skönt att det är fredag.", "Äntligen helg, {slut}.",
        "Är du kvar?", "{hej}, är du där?", "{släkt} fyller år {dag}.", "Vi ska ha fest {dag}, {släkt} kommer.", "Det låter bra, {tack}.", "{ok}, det var allt för idag.", "Hoppas du mår bra.",
        "Jag sitter på tåget och det {väder}.", "{tack}, precis vad jag behövde. {slut}!", "{hej}! Jag {gjort} {dag} och är {känsla}.", "{djur} sover på tangentbordet {skratt}",
    ),
    "en": (
        "{hej}!", "{hej}, how are you?", "{tack}!", "{tack}, {slut}!", "{ok}.", "{ok}, {ok}.", "{ok}, I understand.", "{ok}, {skratt}", "{skratt}", "{vänta}.",
        "{vänta}, {släkt} wants something.", "It {väder} {dag}.", "{hej}! It {väder} here {dag}.", "I'm so {känsla} {dag}.", "We {gjort} {dag}.", "I {gjort} {dag}, {skratt}.",
        "{släkt} {gjort} {dag}.", "{djur} ate {sak}.", "{sak} was good {dag}.", "{sak} is finished again, typical.", "Did you see {lag} {dag}?", "{lag} won {dag}, {skratt}!",
        "{lag} lost, I'm {känsla}.", "{ok}, {slut}!", "Time for {sak} now.", "Well done, {tack}.", "You're the best {skratt}", "Nice that it's Friday.", "Weekend at last, {slut}.",
        "Are you still there?", "{hej}, are you there?", "{släkt} has a birthday {dag}.", "We're having a party {dag}, {släkt} is coming.", "Sounds good, {tack}.", "{ok}, that's all for today.", "Hope you are well.",
        "I'm on the train and it {väder}.", "{tack}, just what I needed. {slut}!", "{hej}! I {gjort} {dag} and I'm {känsla}.", "{djur} sleeps on the keyboard {skratt}",
    ),
}  # fmt: skip


def make_small_talk(count: int, *, seed: int) -> Iterator[tuple[str, str]]:
    """Yield so many messages with their language, half of them Swedish; some have small letters, some no full stop."""
    rng = random.Random(seed)
    for number in range(count):
        language = ("sv", "en")[number % 2]
        parts = {name: rng.choice(words) for name, words in _PARTS[language].items()}
        text = rng.choice(_TEMPLATES[language]).format(**parts)
        text = text[0].upper() + text[1:]
        yield rng.choice((text, text, text.lower(), text.rstrip("."))), language
