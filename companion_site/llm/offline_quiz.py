"""What the companion without a model says in a quiz: how the answer was, the right one, the score, and the next question."""

from collections.abc import Callable

from companion_site.llm.offline_phrases import QuizPhrases
from companion_site.llm.types import QuizTurn


def compose_quiz(quiz: QuizTurn, says: QuizPhrases, *, turn: int, quote: Callable[[str], str]) -> list[str]:
    """Return the paragraphs; a quiz that is over ends with its score in one line.

    Args:
        turn: how many replies there are before it, by which the words change.
    """
    told = []
    if quiz.verdict is not None:
        ways, (name, description) = says.verdicts[quiz.verdict], quiz.answer
        told.append(ways[turn % len(ways)].format(name=quote(name), quote=quote(description)))
    score = {"right": quiz.right, "count": quiz.count}
    if quiz.asks is not None:
        if quiz.verdict is not None:
            told[0] += f" {says.score.format(**score)}"
        elif quiz.count:
            told.append(says.ended.format(**score))
        ways = {"name": says.name, "description": says.description, "lesson": says.lesson}[quiz.asks]
        asked = quote(quiz.question)
        told.append(ways[turn % len(ways)].format(name=asked, quote=asked))
    elif quiz.count:
        told.append(says.ended.format(**score))
    elif quiz.is_empty:
        told.append(says.nothing)
    elif quiz.offers:
        told.append(says.nothing_on.format(areas=", ".join(map(quote, quiz.offers))))
    else:
        told.append(says.stopped)
    return told
