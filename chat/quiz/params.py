"""Bounds of a quiz, and from where an answer counts."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class QuizParams:
    """Similarities are cosines of what is left of vectors without what all have in common (`Heads.projection.centre`).

    Attributes:
        right, right_apart: an explanation is right that is so similar to the description, and no other description is more similar to it
            by as much as `right_apart`. Chosen on 40 answers, of which 40 are judged
            rightly by it and 29 by shared words; of 20 kept back 17 and 13 (tests/chat/test_quiz_answers.py).
        nearly, nearly_apart: the same for nearly right.
        far: standard deviations above everyday sentences from which something bears on a topic. Of 20 requests without a topic and 11 with one
            that no map of biology and mechanics has, none reaches it; of ten with one that such a map has, seven do.
        bare: similarity to our own requests for a quiz from which one names no topic: 16 of those 20, none of those 11. Both were chosen
            on these requests, and nothing was kept back.
        most_asked: questions of one quiz, without what comes again.
        again_after: what was missed comes again after so many others.
        most_items: of each pack, and of all lessons, so much can be asked; and with so many descriptions an answer is compared.
        most_words: a name among more words names nothing.
        told: a sentence that so surely tells of their life is no answer; bye: or says goodbye.
    """

    right: float = 0.3
    right_apart: float = 0.1
    nearly: float = 0.2
    nearly_apart: float = 0.15
    far: float = 3.0
    bare: float = 0.6
    most_asked: int = 10
    again_after: int = 2
    most_items: int = 200
    most_words: int = 60
    told: float = 0.85
    bye: float = 0.7


QUIZ = QuizParams()
