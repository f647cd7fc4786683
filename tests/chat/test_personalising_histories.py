"""The same question under different histories: what reaches the model differs, is marked, and shows in the reply's row."""

import re

import pytest

from memory.params import RECALL
from tests.chat.talking import (
    DAY_BEFORE,
    change_memories,
    memory_ids,
    prompt,
    record_lesson,
    remember,
    talk,
)
from tests.factories import NOW, make_access
from tests.llm.wire_server import Act

pytestmark = [pytest.mark.spec("I6"), pytest.mark.usefixtures("listening")]

QUESTION = "Can you help me with fractions?"
BLOCK = re.compile(r"<COMPANION_MEMORY>\n(.*)\n</COMPANION_MEMORY>", re.DOTALL)


def block(server) -> str:
    """Return what the request marked as memory, "" for nothing."""
    found = BLOCK.search(prompt(server))
    return found[1] if found else ""


@pytest.mark.spec("AC-2.2.3", "AC-2.2.4", "AC-2.3.1", "AC-2.3.4")
def test_the_same_question_under_two_histories_makes_two_prompts(model):
    """Each prompt holds its own student's words, marked as memory, and never the other's; a third's holds none."""
    ada, bea, cleo = make_access("ada"), make_access("bea"), make_access("cleo")
    remember(ada, "I find fractions hard, and pictures of pizza slices help me with fractions")
    remember(bea, "I am good at fractions, but I mix up the denominators of fractions when I hurry")
    asked = {}
    replies = {}
    for name, student, answer in [
        ("ada", ada, "You told me that pictures of pizza slices help you. Take three of eight slices."),
        ("bea", bea, "You told me that you mix up the denominators when you hurry. Write them down first."),
        ("cleo", cleo, "A fraction is a part of a whole."),
    ]:
        model.script(Act(text=answer))
        replies[name] = talk(student, QUESTION)
        asked[name] = (block(model), prompt(model))
    assert "pizza slices" in asked["ada"][0] and "denominators" in asked["bea"][0]
    assert "denominators" not in asked["ada"][1] and "pizza" not in asked["bea"][1]
    assert not {"pizza", "denominators"} & set(asked["cleo"][1].split()) and QUESTION in asked["cleo"][1]
    used = {name: {entry["id"] for entry in reply.recalled} for name, reply in replies.items()}
    assert used["ada"] and used["ada"] <= memory_ids(ada)
    assert used["bea"] and used["bea"] <= memory_ids(bea)
    assert used["cleo"] == set() and replies["cleo"].personalisation == "none"
    for name in ("ada", "bea"):
        assert replies[name].personalisation in {"medium", "high"}
        assert "clearly" in {entry["drawn"] for entry in replies[name].recalled}


@pytest.mark.spec("AC-2.3.2", "AC-2.3.3", "AC-2.3.6")
def test_what_was_learned_reaches_the_prompt_and_changes_it(model):
    """The same question reads otherwise before a lesson, after it, and after the same lesson went better."""
    ada = make_access("ada")
    talk(ada, QUESTION)
    before = block(model)
    lesson = "A lesson on adding fractions: {} of 10 exercises right with common denominators"
    record_lesson(ada, lesson.format(3), at=DAY_BEFORE)
    talk(ada, QUESTION)
    after_one = block(model)
    record_lesson(ada, lesson.format(9), at=NOW)
    talk(ada, QUESTION)
    after_two = block(model)
    assert "A lesson recorded:" not in before
    assert "A lesson recorded:" in after_one and "3 of 10" in after_one
    assert "9 of 10" in after_two and after_two != after_one
    assert "what they have learned" in " ".join(model.requests[-1].system_text.split())


@pytest.mark.spec("AC-2.3.3", "AC-2.3.6")
def test_a_reply_that_speaks_of_the_journey_is_very_personal(model):
    """One sure memory of what the student did, shown, is enough; the reply says whose lesson it was."""
    ada = make_access("ada")
    record_lesson(ada, "A lesson on adding fractions: 3 of 10 exercises right, common denominators were hard")
    model.script(
        Act(
            text="In your lesson common denominators were hard, so let us begin with those. What is the smallest one of 4 and 6?"
        )
    )
    reply = talk(ada, QUESTION)
    assert (reply.personalisation, reply.reply_type) == ("high", "socratic")


@pytest.mark.spec("AC-2.3.1")
def test_a_swedish_history_is_met_in_swedish(model):
    """The same holds for somebody who speaks Swedish."""
    elsa = make_access("elsa", language="sv")
    remember(elsa, "Jag tycker bråk är svårt, och bilder av pizzabitar hjälper mig med bråk", language="sv")
    model.script(Act(text="Du har berättat att bilder av pizzabitar hjälper dig. Ta tre av åtta bitar."))
    reply = talk(elsa, "Kan du hjälpa mig med bråk?")
    assert "pizzabitar" in block(model)
    assert reply.personalisation in {"medium", "high"}


@pytest.mark.parametrize(("confidence", "marked"), [(RECALL.sure, False), (RECALL.sure - 0.01, True)])
def test_what_is_not_sure_is_marked_so_in_the_prompt(model, confidence, marked):
    """The line of a memory that is not sure says it, and the instructions say what to make of it."""
    ada = make_access("ada")
    remember(ada, "I have a poster of fractions drawn as a pizza")
    change_memories(ada, confidence=confidence)
    talk(ada, QUESTION)
    (line,) = [line for line in block(model).splitlines() if "pizza" in line]
    assert line.endswith(" [not sure]") == marked
    assert 'marked "not sure" is told with a doubt' in " ".join(model.requests[-1].system_text.split())


@pytest.mark.parametrize(
    ("language", "words"), [("en", "If I remember rightly"), ("sv", "Om jag minns rätt")]
)
def test_the_companion_without_a_model_tells_what_is_not_sure_with_a_doubt(
    settings, committed, language, words
):
    """In the person's language; what is sure it tells plainly."""
    settings.LLM_CHAIN = ["offline"]
    told, asked = {
        "en": ("I find fractions hard, please use pictures", "What do you know about fractions?"),
        "sv": ("Jag tycker bråk är svårt, använd gärna bilder", "Vad vet du om bråk?"),
    }[language]
    ada = make_access("ada", language=language)
    remember(ada, told, language=language)

    def reply_text() -> str:
        reply = talk(ada, asked)
        with ada.open():
            return reply.text

    assert words not in reply_text()
    change_memories(ada, confidence=RECALL.sure - 0.1)
    assert words in reply_text()
