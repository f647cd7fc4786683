"""What the companion without a model says by plan: skill by skill, in both languages.

`{said}` stands for a quotation of the person's last words, `{told}` for one of what they told before, `{opening}` for the
beginning of one. Nothing else here states anything about anybody.
"""

from dataclasses import dataclass

from companion_site.llm.types import Language

Ways = tuple[str, ...]


@dataclass(frozen=True)
class GuidedPhrases:
    """One language's ways of saying.

    Attributes:
        statements: by skill, what is told; questions: by what they are for, the one question at the end.
        grow: questions by the four phases, in their order.
        game: by whether there is a memory to play with.
    """

    statements: dict[str, Ways]
    questions: dict[str, Ways]
    grow: dict[str, Ways]
    micro: Ways
    told_before: Ways
    looks_back: Ways
    glad: Ways
    celebrates: Ways
    reminds: Ways
    game: Ways
    game_without: Ways


ENGLISH = GuidedPhrases(
    statements={
        "active_listening": (
            "You say: {said} I hear that this is on your mind.",
            "What I hear is {said}",
            "You write: {said} It sounds as if there is more behind it.",
        ),
        "normalisation": (
            "It is understandable to feel what you feel in the middle of this.",
            "Many people feel like that when much comes at once, and it is natural.",
            "Feelings like these make sense; they need not be explained away.",
        ),
        "reframing": (
            "Behind your words I hear that you want some of this to go the way you mean it to.",
            "It sounds to me as if there is something here that you care about and want more say over.",
        ),
        "autonomy": (
            "What happens next is your choice.",
            "I am with you, and you decide how far we go.",
            "Only if you feel like it; it is fine to leave it.",
        ),
    },
    questions={
        "support": (
            "What would you like me to hear first?",
            "What do you need most right now?",
            "What would make the rest of today a little kinder?",
        ),
        "celebrate": (
            "What did you do that made it work?",
            "What do you want to keep from this?",
            "Who would you like to tell about it?",
        ),
        "gratitude": (
            "What was one small good thing in your day?",
            "Who has done something for you lately that you are glad of?",
            "What is there around you that you would miss if it were gone?",
        ),
        "small_talk": (
            "What is on your mind today?",
            "What has your day been like?",
            "What would you like to talk about?",
        ),
        "reminder": (
            "How does it look with that?",
            "What would help you to have it done in good time?",
            "What is left to do about it?",
        ),
    },
    grow={
        "goal": (
            "What would you like to have more of in your week?",
            "What would be different a month from now, if this went well?",
        ),
        "reality": ("How does it look right now?", "What have you tried so far, and what came of it?"),
        "options": (
            "Which two or three ways could you try?",
            "What else could work, if nothing stood in the way?",
        ),
        "will": ("Where would you like to begin tomorrow?", "What is the first thing you will do, and when?"),
    },
    micro=(
        "A very small step could be five minutes with it today, after dinner, and then you stop. How would that feel to you?",
        "What if it were only ten minutes tomorrow, before lunch: how realistic is that for you?",
        "It could be as small as one thing tonight, before bed. What would make that easy to begin?",
    ),
    told_before=("You told me earlier: {told}", "This is something you told me before: {told}"),
    looks_back=(
        "What has helped with it since then, and what has been in the way?",
        "How have you fared with it since?",
    ),
    glad=(
        "It makes me think of something good that you told me: {told}",
        "You told me of something good: {told}",
    ),
    celebrates=("That is worth stopping at for a moment.", "Well done; something in that is your own doing."),
    reminds=(
        "There is one thing that you told me and may want to keep in mind: {told}",
        "Before we go on, you told me of this: {told}",
    ),
    game=(
        "Let us play a little, if you like: I begin something that you told me, and you tell me the rest. {opening} How does it go on?",
        "A small memory game, if you feel like it: these are the first words of a memory of yours. {opening} What do you see before you?",
        "If you like, a game: I give you a beginning from your own life. {opening} What was the best part of it?",
    ),
    game_without=(
        "A small memory game, if you like: think of a good day, and give it a title of three words. What is the title?",
        "If you feel like a game: go back to a place where you were happy. What is the first thing that you see there?",
    ),
)

SWEDISH = GuidedPhrases(
    statements={
        "active_listening": (
            "Du säger: {said} Jag hör att det är något du tänker på.",
            "Det jag hör är {said}",
            "Du skriver: {said} Det låter som att det finns mer bakom.",
        ),
        "normalisation": (
            "Det är begripligt att känna det du känner mitt i det här.",
            "Många känner så när mycket kommer på en gång, och det är naturligt.",
            "Det är inte konstigt att det känns; känslor behöver inte förklaras bort.",
        ),
        "reframing": (
            "Bakom dina ord hör jag att du vill att något av det här ska bli som du menar.",
            "Det låter för mig som att det finns något här som du vill få mer inflytande över.",
        ),
        "autonomy": (
            "Vad som händer härnäst är ditt val.",
            "Jag är med dig, och du bestämmer hur långt vi går.",
            "Bara om du har lust; det går bra att låta det vara.",
        ),
    },
    questions={
        "support": (
            "Vad vill du att jag hör först?",
            "Vad behöver du mest just nu?",
            "Vad skulle göra resten av dagen lite snällare?",
        ),
        "celebrate": (
            "Vad gjorde du som fick det att fungera?",
            "Vad vill du ta med dig av det här?",
            "Vem skulle du vilja berätta det för?",
        ),
        "gratitude": (
            "Vad var en liten bra sak i din dag?",
            "Vem har gjort något för dig på sistone som du är glad över?",
            "Vad finns omkring dig som du skulle sakna om det var borta?",
        ),
        "small_talk": ("Vad tänker du på i dag?", "Hur har din dag varit?", "Vad vill du prata om?"),
        "reminder": (
            "Hur ser det ut med det?",
            "Vad skulle hjälpa dig att få det gjort i god tid?",
            "Vad är det kvar att göra åt det?",
        ),
    },
    grow={
        "goal": (
            "Vad skulle du vilja ha mer av i din vecka?",
            "Vad skulle vara annorlunda om en månad, om det här gick bra?",
        ),
        "reality": ("Hur ser det ut just nu?", "Vad har du prövat hittills, och vad blev det av det?"),
        "options": (
            "Vilka två eller tre sätt skulle du kunna pröva?",
            "Vad mer skulle kunna fungera, om inget stod i vägen?",
        ),
        "will": ("Var vill du börja i morgon?", "Vad är det första du gör, och när?"),
    },
    micro=(
        "Ett mycket litet steg skulle kunna vara fem minuter med det i dag, efter middagen, och sedan slutar du. Hur skulle det kännas?",
        "Tänk om det bara var tio minuter i morgon, före lunchen: hur rimligt är det för dig?",
        "Det kan vara så litet som en sak i kväll, före läggdags. Vad skulle göra det lätt att börja?",
    ),
    told_before=(
        "Du berättade tidigare för mig: {told}",
        "Det här är något du har berättat tidigare: {told}",
    ),
    looks_back=(
        "Vad har hjälpt till med det sedan dess, och vad har kommit i vägen?",
        "Hur har det gått för dig med det sedan dess?",
    ),
    glad=(
        "Det får mig att tänka på något bra som du har berättat: {told}",
        "Du har berättat om något bra: {told}",
    ),
    celebrates=("Det är värt att stanna upp vid en stund.", "Bra gjort; något i det är din egen förtjänst."),
    reminds=(
        "Det finns en sak som du har berättat och kanske vill hålla i minnet: {told}",
        "Innan vi går vidare, du har berättat det här för mig: {told}",
    ),
    game=(
        "Vi kan leka lite, om du vill: jag börjar på något du har berättat, och du berättar resten. {opening} Hur går det vidare?",
        "En liten minneslek, om du har lust: det här är de första orden i ett minne som är ditt. {opening} Vad ser du framför dig?",
        "Om du vill, en lek: jag ger dig en början ur ditt eget liv. {opening} Vad var det bästa med det?",
    ),
    game_without=(
        "En liten minneslek, om du vill: tänk på en bra dag och ge den en titel på tre ord. Vad heter den?",
        "Om du har lust med en lek: gå tillbaka till en plats där du var glad. Vad är det första du ser där?",
    ),
)

GUIDED: dict[Language, GuidedPhrases] = {"en": ENGLISH, "sv": SWEDISH}
