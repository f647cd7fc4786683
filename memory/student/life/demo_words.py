"""What the demo students have written down, in both languages."""

from dataclasses import dataclass

from memory.student.life.feelings import Level, PrimaryEmotion

Words = dict[str, str]


@dataclass(frozen=True, kw_only=True)
class DemoGoal:
    """A goal with what was noted of it, each so many days ago."""

    days_ago: int
    words: Words
    notes: tuple[tuple[int, Words], ...] = ()
    reached_days_ago: int | None = None


NOTES: dict[str, Words] = {
    "test": {"en": "Maths test tomorrow.", "sv": "Matteprov i morgon."},
    "over": {"en": "The test went better than I thought.", "sv": "Provet gick bättre än jag trodde."},
    "alone": {"en": "Ate lunch alone.", "sv": "Åt lunch ensam."},
    "band": {
        "en": "We played the whole song without stopping!",
        "sv": "Vi spelade hela låten utan att stanna!",
    },
    "sofa": {"en": "Read on the sofa all afternoon.", "sv": "Läste i soffan hela eftermiddagen."},
}

#: (days ago, feeling, how much, energy, note)
MOODS: tuple[tuple[int, PrimaryEmotion, Level, Level, str], ...] = (
    (38, "neutral", "low", "medium", ""),
    (36, "anxiety", "medium", "medium", ""),
    (34, "anxiety", "high", "low", "test"),
    (33, "joy", "medium", "high", "over"),
    (31, "calm", "medium", "medium", ""),
    (28, "calm", "low", "medium", ""),
    (26, "loneliness", "medium", "low", "alone"),
    (25, "sadness", "low", "low", ""),
    (23, "neutral", "low", "medium", ""),
    (21, "calm", "medium", "medium", "sofa"),
    (18, "joy", "low", "medium", ""),
    (16, "joy", "high", "high", "band"),
    (14, "calm", "medium", "medium", ""),
    (11, "neutral", "low", "low", ""),
    (9, "anxiety", "low", "medium", ""),
    (7, "calm", "low", "medium", ""),
    (5, "joy", "low", "high", ""),
    (3, "calm", "medium", "medium", ""),
    (1, "joy", "medium", "medium", ""),
)

GOALS: tuple[DemoGoal, ...] = (
    DemoGoal(
        days_ago=30,
        words={
            "en": "Practise fractions for ten minutes after dinner",
            "sv": "Öva bråk i tio minuter efter middagen",
        },
        notes=(
            (24, {"en": "Four evenings this week.", "sv": "Fyra kvällar den här veckan."}),
            (10, {"en": "Easier with pictures.", "sv": "Lättare med bilder."}),
        ),
    ),
    DemoGoal(
        days_ago=20,
        words={"en": "Ask someone new to eat lunch with me", "sv": "Fråga någon ny om vi ska äta lunch ihop"},
        notes=(
            (
                13,
                {
                    "en": "Asked Mira. We talked about her dog.",
                    "sv": "Frågade Mira. Vi pratade om hennes hund.",
                },
            ),
        ),
    ),
    DemoGoal(
        days_ago=35,
        words={"en": "Learn the song for the concert", "sv": "Lära mig låten till konserten"},
        notes=((22, {"en": "I know the refrain by heart now.", "sv": "Refrängen sitter nu."}),),
        reached_days_ago=16,
    ),
)

GRATITUDE: tuple[tuple[int, Words], ...] = (
    (33, {"en": "Karin's patience with my questions", "sv": "Karins tålamod med mina frågor"}),
    (27, {"en": "The sun on the way home", "sv": "Solen på vägen hem"}),
    (21, {"en": "A whole afternoon with a good book", "sv": "En hel eftermiddag med en bra bok"}),
    (16, {"en": "Everyone clapping after the song", "sv": "Att alla klappade efter låten"}),
    (13, {"en": "That Mira said yes", "sv": "Att Mira sa ja"}),
    (8, {"en": "Pancakes on a Thursday", "sv": "Pannkakor på en torsdag"}),
    (4, {"en": "My brother let me choose the film", "sv": "Att min bror lät mig välja film"}),
    (1, {"en": "Hot chocolate after training", "sv": "Varm choklad efter träningen"}),
)
