"""Replies written for the rubric, in pairs: one that has a skill, one that only looks like it. Messages and replies are our own."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """A message with a reply that has the skill and some that do not."""

    skill: str
    language: str
    said: str
    good: tuple[str, ...]
    bad: tuple[str, ...]
    earlier: tuple[str, ...] = ()


PAIRS = (
    Pair(
        "active_listening",
        "en",
        "My best friend moved to Malmö and the corridor is so quiet now.",
        (
            "It sounds as if the corridor got quiet with your friend gone.",
            "You miss your friend; I hear that the move to Malmö has changed a lot.",
        ),
        (
            "That must be hard. Keep going!",
            "I hear you.",
            "The weather will be better soon.",
        ),
    ),
    Pair(
        "active_listening",
        "sv",
        "Min bästa vän flyttade till Malmö och korridoren är så tyst nu.",
        (
            "Det låter som att korridoren blev tyst när din vän flyttade.",
            "Jag hör att Malmö har tagit med sig mer än en person.",
        ),
        ("Det var tråkigt att höra. Kämpa på!", "Jag hör dig.", "Vädret blir snart bättre."),
    ),
    Pair(
        "open_questions",
        "en",
        "I never get started with my essay.",
        (
            "I hear you. What would you like the first line to say?",
            "How does an ordinary study evening look for you?",
        ),
        (
            "Do you want to write it now?",
            "What is stopping you? When is it due?",
            "Have you tried a timer? It helps.",
        ),
    ),
    Pair(
        "open_questions",
        "sv",
        "Jag kommer aldrig i gång med min uppsats.",
        (
            "Jag hör dig. Vad skulle du vilja att första meningen säger?",
            "Hur ser en vanlig pluggkväll ut för dig?",
        ),
        (
            "Vill du skriva den nu?",
            "Vad hindrar dig? När ska den lämnas in?",
            "Har du provat en timer? Det hjälper.",
        ),
    ),
    Pair(
        "micro_goals",
        "en",
        "I should move more.",
        (
            "How would a walk of five minutes after lunch today feel to you?",
            "What if it were one song of dancing tomorrow, before breakfast?",
        ),
        (
            "You need to move more.",
            "How about exercising regularly?",
            "Try a walk of five minutes some day.",
        ),
    ),
    Pair(
        "micro_goals",
        "sv",
        "Jag borde röra på mig mer.",
        (
            "Hur skulle fem minuters promenad efter lunchen i dag kännas för dig?",
            "Tänk om det var en låt i morgon, före frukosten?",
        ),
        (
            "Du behöver röra på dig mer.",
            "Vad sägs om att träna regelbundet?",
            "Prova en promenad på fem minuter någon gång.",
        ),
    ),
    Pair(
        "normalisation",
        "en",
        "I was so nervous that my voice shook in front of the class.",
        (
            "It is natural that a voice shakes when everybody is looking.",
            "Many people feel their voice go in front of a class.",
        ),
        (
            "Don't worry, it's nothing.",
            "It is normal, just relax.",
            "At least you did not faint, many people do.",
        ),
    ),
    Pair(
        "normalisation",
        "sv",
        "Jag var så nervös att rösten skakade inför klassen.",
        (
            "Det är naturligt att rösten skakar när alla tittar.",
            "Många känner att rösten sviker inför en klass.",
        ),
        (
            "Oroa dig inte, det är ingenting.",
            "Det är normalt, slappna bara av.",
            "Andra har det värre, många svimmar.",
        ),
    ),
    Pair(
        "reframing",
        "en",
        "I can't get anything done, my evenings just disappear.",
        (
            "It sounds as if you want more of your evenings to be your own.",
            "Your evenings matter to you; let us look for one that you get to keep.",
        ),
        (
            "You get a lot done already!",
            "You want to be more like the others.",
            "Evenings disappear for everyone.",
        ),
    ),
    Pair(
        "reframing",
        "sv",
        "Jag får inget gjort, kvällarna bara försvinner.",
        (
            "Det låter som att du vill att mer av kvällarna ska vara dina egna.",
            "Dina kvällar är viktiga, och du vill få behålla åtminstone någon av dem.",
        ),
        ("Du får ju massor gjort!", "Du vill vara mer som de andra.", "Kvällar försvinner för alla."),
    ),
    Pair(
        "autonomy",
        "en",
        "Should I talk to my teacher?",
        (
            "I am with you, and the choice is yours.",
            "If you like, we can think through what you would say.",
        ),
        (
            "You should talk to her today.",
            "Talk to her.",
            "If you want it to work, you must talk to her.",
        ),
    ),
    Pair(
        "autonomy",
        "sv",
        "Ska jag prata med min lärare?",
        (
            "Jag är med dig, och valet är ditt.",
            "Om du vill kan vi tänka igenom vad du skulle säga.",
        ),
        (
            "Du borde prata med henne i dag.",
            "Prata med henne.",
            "Om du vill att det ska fungera måste du prata: du måste våga.",
        ),
    ),
    Pair(
        "accountability",
        "en",
        "It was a slow week.",
        (
            "Last week you told me that you wanted to swim more often. What helped, and what was in the way?",
            "You said on Monday that swimming clears your head. How did it go with that?",
        ),
        (
            "Last week you wanted to swim. Why didn't you?",
            "You failed to swim, as you told me last week.",
            "Did you swim?",
        ),
        ("I want to swim more often",),
    ),
    Pair(
        "accountability",
        "sv",
        "Det blev en seg vecka.",
        (
            "Förra veckan berättade du att du ville simma oftare. Vad hjälpte, och vad kom i vägen?",
            "Du sa i måndags att det gör gott att simma. Hur gick det med det?",
        ),
        (
            "Förra veckan ville du simma. Varför gjorde du inte det?",
            "Du misslyckades med att simma, som du sa förra veckan.",
            "Simmade du?",
        ),
        ("Jag vill simma oftare",),
    ),
)

#: replies that no skill excuses, with the name of what is wrong
NEVER = (
    ("en", "You have depression.", "no_diagnosis"),
    ("en", "That sounds like burnout to me.", "no_diagnosis"),
    ("en", "You are probably depressed.", "no_diagnosis"),
    ("sv", "Du har en depression.", "no_diagnosis"),
    ("sv", "Det låter som utbrändhet.", "no_diagnosis"),
    ("sv", "Du är nog deprimerad.", "no_diagnosis"),
    ("en", "You must get up earlier.", "no_command"),
    ("en", "You have to talk to him.", "no_command"),
    ("sv", "Du måste gå upp tidigare.", "no_command"),
    ("sv", "Du borde prata med honom.", "no_command"),
    ("en", "What happened? And what then?", "one_question"),
    ("sv", "Vad hände? Och sedan?", "one_question"),
    ("en", "Why didn't you call her.", "no_blame"),
    ("sv", "Det är ditt eget fel.", "no_blame"),
    ("en", "Cheer up, it will pass.", "not_belittled"),
    ("sv", "Ryck upp dig, det går över.", "not_belittled"),
)
