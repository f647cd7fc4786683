"""What a message asks for that can be worked out exactly, days, sums and measures, is answered by one line; anything else is left alone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from chat.notebook.calculator import calculate
from companion_site.llm.offline import compose_reply
from companion_site.llm.offline_phrases import WORDS
from companion_site.llm.types import Care, Utterance
from tests.cases import cases
from tests.chat.talking import reply
from tests.llm.builders import make_request

#: a Tuesday
TODAY = datetime(2026, 11, 24, 14, 5, tzinfo=ZoneInfo("Europe/Stockholm"))
ANSWERED = [
    ("en", "What weekday is 6 June 2027?", "That is Sunday 6 June 2027."),
    ("sv", "Vilken veckodag är den 6 juni 2027?", "Det är söndag 6 juni 2027."),
    ("en", "What day is it today?", "Today is Tuesday 24 November."),
    ("sv", "Vad är det för dag idag?", "I dag är det tisdag 24 november."),
    ("sv", "vilket datum är det om tre veckor", "Det är tisdag 15 december."),
    ("en", "What's the date in 45 days?", "That is Friday 8 January 2027."),
    (
        "en",
        "how many days until 24 December?",
        "It is 30 days (4 weeks and 2 days) until Thursday 24 December.",
    ),
    ("sv", "Hur många dagar är det kvar till den 1 december?", "Det är 7 dagar till tisdag 1 december."),
    (
        "en",
        "How many days are there between 1 March 2027 and 8 March 2027?",
        "From Monday 1 March 2027 to Monday 8 March 2027 it is 7 days.",
    ),
    (
        "en",
        "how many days between 1 November and 1 December?",
        "From Sunday 1 November to Tuesday 1 December it is 30 days (4 weeks and 2 days).",
    ),
    (
        "sv",
        "hur många dagar är det mellan 20 december och 5 januari",
        "Från söndag 20 december till tisdag 5 januari 2027 är det 16 dagar (2 veckor och 2 dagar).",
    ),
    ("sv", "vilken vecka är det den 6 juni 2027", "Söndag 6 juni 2027 är i vecka 22."),
    ("sv", "Vad är klockan?", "Klockan är 14:05."),
    ("en", "what time is it", "It is 14:05."),
    ("sv", "Vilken vecka är det?", "Tisdag 24 november är i vecka 48."),
    ("sv", "Hur länge är det till 2026-11-20?", "Fredag 20 november var för 4 dagar sedan."),
    ("en", "What is 17 times 6?", "17 * 6 = 102"),
    ("en", "what is 9/6?", "9 / 6 = 1.5"),
    ("en", "17*6", "17 * 6 = 102"),
    ("sv", "Vad är 17 gånger 6?", "17 * 6 = 102"),
    ("en", "12 + 30 / 5 - 2", "12 + 30 / 5 - 2 = 16"),
    ("en", "what's (12 + 30) / 6?", "(12 + 30) / 6 = 7"),
    ("sv", "vad blir 2,5 gånger 4", "2,5 * 4 = 10"),
    ("en", "2.5 \u00d7 4", "2.5 * 4 = 10"),
    ("en", "What is 1,250 plus 50?", "1,250 + 50 = 1,300"),
    ("sv", "1 250 + 50,5", "1 250 + 50,5 = 1 300,5"),
    ("sv", "1.250 minus 50", "1 250 - 50 = 1 200"),
    ("en", "15% of 240", "240 * 0.15 = 36"),
    ("sv", "vad är 15 procent av 240 kr?", "240 * 0,15 = 36"),
    ("en", "what percent is 36 of 240", "36 / 240 = 15%"),
    ("sv", "hur många procent är 36 av 240", "36 / 240 = 15 %"),
    ("en", "240 minus 15%", "240 * 0.85 = 204"),
    ("en", "How much is 1200 plus VAT?", "1,200 * 1.25 = 1,500"),
    ("sv", "Vad blir momsen på 1200 kr?", "1 200 * 0,25 = 300"),
    ("sv", "Hur mycket moms är det i 1 500?", "1 500 - 1 500 / 1,25 = 300"),
    ("en", "What is 500 with 12% VAT?", "500 * 1.12 = 560"),
    ("sv", "hur stor är momsen i 1500 kr", "1 500 - 1 500 / 1,25 = 300"),
    ("sv", "1500 exklusive moms", "1 500 / 1,25 = 1 200"),
    ("en", "1120 without VAT at 12%", "1,120 / 1.12 = 1,000"),
    ("en", "2^10", "2^10 = 1,024"),
    ("sv", "roten ur 144", "√144 = 12"),
    ("en", "9 squared minus 1", "9^2 - 1 = 80"),
    ("en", "10 / 3", "10 / 3 = 3.333333"),
    ("en", "-5 + 3", "- 5 + 3 = -2"),
    ("en", "How do I solve 3/4 + 1/8?", "3 / 4 + 1 / 8 = 7/8 = 0.875"),
    ("sv", "vad är 1/2 + 2/3?", "1 / 2 + 2 / 3 = 7/6 = 1,166667"),
    ("en", "1/2 + 1/2", "1 / 2 + 1 / 2 = 1"),
    ("en", "12.345 / 6.789 + 8 / 9", "12.345 / 6.789 + 8 / 9 = 2.707272"),
    ("en", "What is 3 miles in km?", "3 miles ≈ 4.828 km"),
    ("sv", "hur många meter är 2,5 km", "2,5 km = 2 500 meter"),
    ("sv", "Hur många km är 3 mil?", "3 mil = 30 km"),
    ("en", "convert 20 celsius to fahrenheit", "20 celsius = 68 fahrenheit"),
    ("sv", "vad är 100 fahrenheit i celsius", "100 fahrenheit ≈ 37,8 celsius"),
    ("en", "how many minutes are there in 2.5 hours", "2.5 hours = 150 minutes"),
    ("sv", "hur många sekunder går det på en timme?", "1 timme = 3 600 sekunder"),
    ("en", "90 km/h in m/s", "90 km/h = 25 m/s"),
    ("sv", "vad är 3 dl i ml", "3 dl = 300 ml"),
    ("en", "-40 fahrenheit to celsius", "-40 fahrenheit = -40 celsius"),
    ("en", "how many mins is 2 and a half hours", "2.5 hours = 150 mins"),
    ("en", "how many minutes are in half an hour?", "0.5 hour = 30 minutes"),
    ("en", "What is three times twelve?", "3 * 12 = 36"),
    ("sv", "hur många minuter e 1,5 timme", "1,5 timme = 90 minuter"),
    ("sv", "Hur många minuter är en och en halv timme?", "1,5 timme = 90 minuter"),
    ("sv", "Ungefär hur många kilometer är 10 engelska mil?", "10 engelska mil ≈ 16,1 kilometer"),
    ("sv", "Hur många kilo är 200 pund (lb)?", "200 pund ≈ 90,7 kilo"),
    ("sv", "va e 19 juni 2027 för veckodag", "Det är lördag 19 juni 2027."),
    ("sv", "va e 12 gånger 17", "12 * 17 = 204"),
    ("en", "7 hours at £8.35 an hour comes to what?", "7 * 8.35 = 58.45"),
    ("sv", "Vad blir 4 biljetter för 120 kr styck?", "4 * 120 = 480"),
    ("en", "how many litres is 12 kegs of 30 litres?", "12 * 30 = 360"),
    ("en", "if a win is 3 points n a draw is 1 how many points is 5 wins n 2 draws", "5 * 3 + 2 * 1 = 17"),
    ("sv", "Om en bulle kostar 25 kr, vad kostar 4 bullar?", "4 * 25 = 100"),
    ("en", "How much are 4 coffees if a coffee costs £3?", "4 * 3 = 12"),
    ("en", "If something costs £349 and I have £280, how much am I short?", "349 - 280 = 69"),
    ("sv", "Om jag har 500 kr och handlar för 120, hur mycket har jag kvar?", "500 - 120 = 380"),
]
#: by language: what hangs on something remembered, dates, addresses, telephones, ages, junk, and what has no value
LEFT_ALONE = {
    "sv": [
        "What day is my maths exam?",
        "How long have you known me?",
        "hur många dagar har jag tränat",
        "My exam is on 9 June.",
        "What is the time of my exam?",
        "what time is it at your place on Mars",
        "Which week is my exam?",
        "Vilken vecka har jag prov?",
        "Hur många av 12 elever på 30 platser kommer?",
        "Jag har 2 katter och kaninen kostar 300",
        "Vilken dag är det gympa?",
        "En bulle kostar 25 kr på mitt kafé, och vi är 4 vänner",
        "How many days have I been ill since 20 November?",
        "How many days until my exam?",
        "What day did I say we would meet?",
        "30 February, what a day",
        "",
    ],
    "en": [
        "I am 15 and my brother is 12.",
        "My exam is on 9/6 in hall 3",
        "Jag bor på Storgatan 12-14",
        "call 070-123 45 67",
        "1 / 0",
        "2 ^ 2 ^ 2 ^ 2 ^ 99",
        "99999999999999999999 * 9",
        "(((((((((1",
        "version 1.2.3 + 4",
        "3",
        "7 + __import__('os')",
        "²³ + 5",
        "vat",
        "When is VAT for Q3 due?",
        "Betalade vi moms för kvartal 2?",
        "What did we pay in VAT in 2025?",
        "Hur mycket moms betalade vi i 2025?",
        "Is our VAT return due on 12 May?",
        "Is 2026-11-24 a Tuesday?",
        "070-1234567",
        "Did we win 3-2?",
        "((9^60)^60)^60",
        "10^15",
        "9" * 300 + "*9",
        "I ran 5 km in 30 minutes.",
        "how many kg are in 3 metres",
        "How many of 12 apples of 30 are left?",
        "I have 2 cats and a rabbit costs 300, is that much?",
        "What did the 3 of us pay at 7 Oak Street?",
        "two of my friends are twelve",
        "we drive 3 miles to school",
        "I have been here 2 hours in a day",
        "9" * 400 + " km in m",
        "We trained 20 + 30 minutes and then my brother Noah and I ate.",
        "I paid 50 - 10 kronor for the ticket to the game yesterday.",
        "x" * 400 + " 2 + 2?",
    ],
}


@cases(("language", "text", "told"), ANSWERED)
def test_it_is_answered_in_the_language_s_own_writing(language, text, told):
    """A day in full, with the year where it is another; a sum with how it was come by; a measure in both units."""
    assert calculate(text, language=language, now=TODAY) == told


def test_what_is_none_of_these_is_left_alone():
    """What somebody tells is not answered by a sum, however many signs stand in it."""
    for language, texts in LEFT_ALONE.items():
        assert [text for text in texts if calculate(text, language=language, now=TODAY)] == []


def test_without_a_model_the_reply_is_the_sum(committed, access):
    """Through the whole turn; nothing else is said but, once, that there is no model."""
    assert reply(access, "What is 15% of 240?").split("\n\n")[-1] == "240 * 0.15 = 36"


def test_danger_comes_before_a_sum():
    """Whoever is in danger is answered by words of their own, whatever else could be worked out."""
    turns = [Utterance("user", "1 + 1, I want to die")]
    told = compose_reply(make_request(turns=turns, work_out=lambda: "1 + 1 = 2", care=Care(danger="sure")))
    assert "1 + 1" not in told and told.startswith(WORDS["en"].care.sure[0][0])
