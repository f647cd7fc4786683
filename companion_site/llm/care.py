"""What is said without a model to whoever is in danger, perhaps is, or spoke of it a moment ago, and whom to call.

A thirteen-year-old reads this. It is short, it blames nobody, it quotes nothing, and it always names people. Which way is taken
depends on the turn alone. `{somebody}` is whom they may turn to, `{lines}` stands for the help lines.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from companion_site.llm.types import Care, HelpLine, Language

#: a reply's paragraphs
Way = tuple[str, ...]


@dataclass(frozen=True)
class CareWords:
    """One language's ways of saying.

    Attributes:
        young, adult: somebody to turn to.
        sure, perhaps: whole replies; after: what stands before the ordinary reply to a message after danger.
        whom_sure, whom_perhaps: what stands before the lines where somebody else's reply has named nobody.
    """

    young: str
    adult: str
    sure: tuple[Way, ...]
    perhaps: tuple[Way, ...]
    after: tuple[str, ...]
    whom_sure: str
    whom_perhaps: str


ENGLISH = CareWords(
    young="a grown-up you trust",
    adult="somebody you trust",
    sure=(
        (
            "Thank you for telling me. I take what you write seriously, and you should not have to carry it alone.",
            "I am a computer program and cannot come to you. But there are people who can help, and this is what they are there for:",
            "{lines}",
            "If it is hard to say out loud, you can show {somebody} what you wrote to me. Are you safe right now?",
        ),
        (
            "It is good that you write this and do not keep it to yourself. It matters, and so do you.",
            "I am not enough here, because I am a program. Please turn to a person now: {somebody}, or one of these:",
            "{lines}",
            "Who could be with you right now?",
        ),
        (
            "I have read what you write, and I believe you. This is too heavy for one person, and you have a right to help.",
            "These people can help you further than I can:",
            "{lines}",
            "You are welcome to come back here and write afterwards, too. Is there somebody near you now?",
        ),
    ),
    perhaps=(
        (
            "It sounds as if something may be hard. I am not sure that I understand, so I ask you straight out: how are you, and "
            "do you feel safe?",
            "If you would like to talk to somebody, {somebody} is a good start. These are there, too:",
            "{lines}",
            "And if I got you wrong, just say so, and we go on with what you wanted.",
        ),
        (
            "I want to be sure that I understand you. How are things really, and are you safe where you are?",
            "You can tell me as much or as little as you like. There is also {somebody}, or one of these:",
            "{lines}",
            "If you meant something else, tell me, and we carry on.",
        ),
    ),
    after=(
        "I have not forgotten what you wrote before. We take it at your pace, and if you want to say more about it, I am here.",
        "It is good that you go on writing. You can come back to what you told me before whenever you want to.",
    ),
    whom_sure="People who can help, right now:",
    whom_perhaps="If you would like to talk to somebody:",
)

SWEDISH = CareWords(
    young="en vuxen som du litar på",
    adult="någon som du litar på",
    sure=(
        (
            "Tack för att du berättar. Jag tar det du skriver på allvar, och du ska inte behöva bära det ensam.",
            "Jag är ett datorprogram och kan inte komma till dig. Men det finns människor som kan hjälpa, och de finns till för just "
            "det här:",
            "{lines}",
            "Om det är svårt att säga högt kan du visa det du skrev till mig för {somebody}. Är du i säkerhet just nu?",
        ),
        (
            "Det är bra att du skriver det här och inte håller det för dig själv. Det betyder något, och det gör du också.",
            "Jag räcker inte till här, för jag är ett program. Vänd dig till en människa nu: {somebody}, eller någon av de här:",
            "{lines}",
            "Vem kan vara hos dig just nu?",
        ),
        (
            "Jag har läst det du skriver, och jag tror dig. Det här är för tungt för en person, och du har rätt att få hjälp.",
            "De här kan hjälpa dig längre än vad jag kan:",
            "{lines}",
            "Du får gärna komma tillbaka hit och skriva efteråt också. Finns det någon nära dig nu?",
        ),
    ),
    perhaps=(
        (
            "Det låter som att något kan vara svårt. Jag är inte säker på att jag förstår, så jag frågar rakt ut: hur mår du, och "
            "känner du dig trygg?",
            "Vill du prata med någon är {somebody} en bra början. De här finns också:",
            "{lines}",
            "Och har jag missförstått dig, säg bara det, så fortsätter vi med det du ville.",
        ),
        (
            "Jag vill vara säker på att jag förstår dig. Hur har du det egentligen, och är du trygg där du är?",
            "Du får berätta så mycket eller lite du vill. Det finns också {somebody}, eller någon av de här:",
            "{lines}",
            "Menade du något annat, så säg till, så går vi vidare.",
        ),
    ),
    after=(
        "Jag har inte glömt det du skrev förut. Vi tar det i din takt, och vill du säga mer om det finns jag här.",
        "Det är bra att du fortsätter att skriva. Du kan komma tillbaka till det du berättade förut när du vill.",
    ),
    whom_sure="Människor som kan hjälpa, just nu:",
    whom_perhaps="Om du vill prata med någon:",
)

WORDS: dict[Language, CareWords] = {"en": ENGLISH, "sv": SWEDISH}
_APART = re.compile(r"[\s\u00a0-]+")


def write_care(care: Care, *, language: Language, turn: int) -> list[str]:
    """Return the paragraphs of a reply to a message about danger; after danger, the one before the ordinary reply.

    Args:
        turn: how many replies there are before it.
    """
    words = WORDS[language]
    if care.danger is None:
        return [words.after[turn % len(words.after)]]
    ways = words.sure if care.danger == "sure" else words.perhaps
    somebody = words.young if care.is_young else words.adult
    lines = write_lines(care.lines, language)
    return [part.replace("{somebody}", somebody).replace("{lines}", lines) for part in ways[turn % len(ways)]]


def write_lines(lines: Sequence[HelpLine], language: Language) -> str:
    """Return whom to call as a list, one a line."""
    return "\n".join(
        f"- **{line.number}**: {line.words[language]}" if line.number else f"- {line.words[language]}"
        for line in lines
    )


def find_unnamed(care: Care | None, text: str, language: Language) -> str:
    """Return whom to call, to stand behind a model's reply to danger that names none of them; "" where it names one.

    Where danger is sure, the first of the lines must be named: a model may forget a number, or know another country's.
    """
    if care is None or care.danger is None or not care.lines or not text.strip():
        return ""
    said = _APART.sub("", text)
    named = [_APART.sub("", line.number or line.words[language]) in said for line in care.lines]
    if named[0] if care.danger == "sure" else any(named):
        return ""
    words = WORDS[language]
    opening = words.whom_sure if care.danger == "sure" else words.whom_perhaps
    return f"\n\n{opening}\n\n{write_lines(care.lines, language)}"
