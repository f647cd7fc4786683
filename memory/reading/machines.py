"""Which heads there are: what each group of them compares, and what it tells apart. Shared by training and reading."""

from dataclasses import dataclass

from memory.reading.kernels import PLAIN, Form

NONE = "none"
#: What is written down at once: acts of coaching, entries of the ledger, facts of somebody's life. How somebody wants to be helped is
#: a head of its own (`wish`).
NOTES = (
    "goal",
    "gratitude",
    "mood",
    "promise",
    "secret",
    "debt",
    "fact",
    "observation",
    "family",
    "health",
    "medication",
    "preference",
    "appointment",
    "routine",
)


@dataclass(frozen=True, kw_only=True)
class Machine:
    """One group of heads that share labelled lines and likeness; each task is a head.

    Attributes:
        tasks: task to its classes, in order.
        directions: how many directions of the embedding are compared; each costs a byte a line.
    """

    form: Form
    tasks: dict[str, tuple[str, ...]]
    directions: int = 96


_TEXT = (("text",), 1.0)
# A pair of the same view is a sharper likeness: what is nearly the same line counts beside what is of the kind.
_FELT = Form(terms=((("text",), 0.5), (("text", "text"), 0.5)), letters=0.6)
_ASKED = Form(terms=((("text",), 3.0),), letters=2.0)
_HELPED = Form(terms=((("text",), 1.0),), letters=0.6)
_TOLD = Form(terms=(_TEXT,))
_PART = Form(
    terms=(
        (("text",), 1.0),
        (("text", "text"), 1.0),
        (("text", PLAIN), 2.0),
        ((PLAIN,), 1.0),
        (("text", "message"), 2.0),
        (("message",), 0.5),
    ),
    plain=1.0,
    letters=1.0,
)
_NAMING = Form(
    terms=(_TEXT, (("text", PLAIN), 1.0), (("message",), 0.2), ((PLAIN,), 0.5)), plain=0.5, letters=1.0
)
_WITHIN = Form(terms=(_TEXT, (("text", "message"), 0.5), (("message",), 0.3)))

MACHINES: dict[str, Machine] = {
    "utterance": Machine(
        form=_FELT,
        directions=192,
        tasks={
            "danger": (NONE, "danger"),
            "danger_kind": (
                "self_harm",
                "suicide",
                "abuse",
                "violence",
                "bullying",
                "eating",
                "other",
            ),
            "whose": (NONE, "me", "other"),
            "emotion": ("sadness", "joy", "anxiety", "loneliness", "calm", "neutral"),
            "intensity": ("low", "medium", "high"),
            "energy": ("low", "medium", "high"),
            "social_need": ("wants_connection", "wants_space", "wants_guidance", "unknown"),
        },
    ),
    "intent": Machine(
        form=_ASKED,
        directions=192,
        tasks={
            "intent": (
                "about_me",
                "about_conversation",
                "remember_this",
                "forget_this",
                "correct",
                "explain",
                "practise",
                "do_task",
                "plan",
                "advice",
                "feelings",
                "small_talk",
                "greeting",
                "thanks",
                "goodbye",
                "tell",
                "company_fact",
                "company_figure",
                "about_companion",
                "game",
                "danger",
            ),
            "calls": (NONE, "memory"),
            # The way of talking that is asked for: to be played with, only heard, or helped along by questions and small steps.
            "way": (NONE, "game", "ear", "coach"),
        },
    ),
    "unit": Machine(
        form=_PART, directions=192, tasks={"class": ("keep", "chat", "ask", "not_fact", "passing")}
    ),
    "fact": Machine(
        form=_TOLD,
        tasks={
            "kind": (
                "identity",
                "family",
                "friend",
                "pet",
                "home",
                "school",
                "work",
                "health",
                "routine",
                "event",
                "plan",
                "appointment",
                "preference",
                "skill",
                "struggle",
                "strength",
                "goal",
                "feeling",
                "opinion",
                "possession",
                "promise",
                "secret",
                "instruction",
                "money",
                "belief",
                "other",
            ),
            "lasting": ("years", "months", "weeks", "days"),
            # Which part of long-term memory it belongs to; basic is who somebody is, work what they learned or did at school.
            "modality": ("episodic", "semantic", "procedural", "emotional", "sensory"),
            "part": ("background", "basic", "strengths", "struggles", "goals", "work"),
        },
    ),
    # Whether somebody says how they want to be spoken with or helped from now on, and not only this once.
    "wish": Machine(form=_HELPED, directions=192, tasks={"wish": (NONE, "wish")}),
    # Whether words of a statement name somebody or something, of what kind, and how it stands in the statement.
    "entity": Machine(
        form=_NAMING,
        tasks={
            "entity": (NONE, "person", "animal", "place", "organisation", "course", "thing"),
            "role": ("about", "involves", "located_at"),
        },
    ),
    "company": Machine(
        form=_WITHIN, tasks={"category": (NONE, "decision", "preference", "knowledge", "unresolved")}
    ),
    # What a clause calls for to be written down beside being remembered; it may be several.
    "note": Machine(form=_HELPED, directions=192, tasks={kind: (NONE, kind) for kind in NOTES}),
    "pair": Machine(
        form=Form(
            terms=(
                ((PLAIN,), 0.5),
                (("later", PLAIN), 1.0),
                (("moved", PLAIN), 1.0),
                (("earlier", "later"), 1.0),
                (("earlier", "later", PLAIN), 1.0),
            ),
            letters=0.75,
        ),
        tasks={"relation": ("replaces", "same", "both_true", "narrows")},
    ),
    "relevance": Machine(
        form=Form(
            terms=(
                ((PLAIN,), 1.0),
                (("message", "memory"), 0.5),
                (("message", PLAIN), 1.0),
                (("memory", PLAIN), 1.0),
            ),
            plain=1.0,
        ),
        tasks={"relevance": ("no", "helps", "answers")},
    ),
    # Whether a sentence tells how it goes with a goal that somebody pursues, and what became of it.
    "progress": Machine(
        form=Form(
            terms=(
                ((PLAIN,), 1.0),
                (("message", "memory"), 1.0),
                (("message", PLAIN), 1.0),
                (("message",), 1.0),
            ),
            plain=1.0,
            letters=1.0,
        ),
        directions=192,
        tasks={"progress": (NONE, "note", "done", "dropped")},
    ),
}
