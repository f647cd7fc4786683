"""The heads' thresholds, in one place: costs, chosen once on left-out authors. The evidence stands beside each number.

Shares are of `bench/data/labelled/`, each author judged by heads that never saw them; how to count them again:
`python -m bench.reading --bars`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

NOTE_BARS: Mapping[str, float] = MappingProxyType(
    {
        "goal": 0.4,
        "gratitude": 0.5,
        "mood": 0.6,
        "promise": 0.4,
        "secret": 0.5,
        "debt": 0.4,
        "fact": 0.4,
        "observation": 0.4,
        "family": 0.4,
        "health": 0.4,
        "medication": 0.75,
        "preference": 0.4,
        "appointment": 0.4,
        "routine": 0.4,
    }
)


@dataclass(frozen=True, kw_only=True)
class ReadingParams:
    """Probabilities from which a head is believed."""

    #: Recall first: with the clauses .79 of dangers, and .83 where they are asked about or remembered; .18 of look-alikes and of feelings
    #: without danger, .14 of what people tell on any day, .05 of ordinary requests (`python -m bench.danger`). Before what is told on
    #: any day was among the lines, as many dangers and a quarter of it.
    danger_perhaps: float = 0.16
    #: The same of who asks for what they told, surely: of 1,128 such questions in persons' lives 12 are taken for danger, and no labelled
    #: danger is lost.
    danger_in_question: float = 0.4
    #: What a message surely wants, whatever else is read into it. By authors left out, of what is said of the companion 113 of 184 lie above and 3
    #: other messages, of small talk 66 of 193 and 10 (from .9 108 and 2, 56 and 8).
    surely_wants: float = 0.85
    #: From here on what a question asks about is read by itself.
    asked_about: float = 0.1
    #: With the clauses .48 of dangers, .05 of look-alikes, .03 of what is told on any day, .01 of ordinary requests.
    danger_sure: float = 0.5
    #: A clause by itself, which has lost what stood around it; four dangers in a hundred are met by these alone, for two false.
    clause_perhaps: float = 0.4
    clause_sure: float = 0.6
    #: A feeling that a reply is tuned by and that is noted: .40 of those told, rightly; .15 of messages without any; .69 of
    #: what is named is right (the lists before: .37, .32 and .47).
    feeling: float = 0.5
    #: A feeling that is said to come from the statement beside it, and what happened before or after it: of a long talk's 33 and 11 such
    #: edges by the modality alone, read through once, some 10 and 1 were right; by these bars 4 of 8 and none of none.
    surely_felt: float = 0.8
    event: float = 0.4
    #: A statement that is anything but plain: .63 of those are named rightly, and .61 of what is named; from .2 .68 and .56, from .4 .51 and .68
    #: (`python -m bench.reading --bars --heads modality`).
    of_its_kind: float = 0.25
    #: Of the mean of a sentence's chance and its best clause's: .97 of what is asked for later in scenarios that nothing was trained
    #: on, and .11 of their junk; from .3 .97 and .14, from .4 .96 and .10, from .5 .94 and .06 (`python -m bench.gates`).
    keep: float = 0.36
    #: Of a message that puts something right: "no, I meant Malmö" is .11, and "No, that's wrong" .01.
    keep_of_correction: float = 0.1
    #: A short sentence from here to `keep` is read with its neighbour: so .03 more of what is asked for later is kept, and .01 of junk.
    leans: float = 0.12
    #: What says how somebody wants to be spoken with or helped from now on, by a sentence or its best clause: kept, and in every request.
    #: Of seven authors' wishes .58 lie above, left out, and of other parts .022; from .2 .64 and .030, from .5 .44 and .012.
    #: Of 4,417 questions that ask memories three do.
    standing_wish: float = 0.3
    #: What a reply without a model confirms as such a wish: a request for help is read as one with .5 at times, a plain wish with .9, and of
    #: those questions none with more than .7.
    confirms_wish: float = 0.8
    #: A sentence of a company's people, by the geometric mean of the heads of companies' facts and of keeping: .81 of facts are found,
    #: .72 of what is taken is one, and of 2,000 lines of small talk 408 are taken (`python -m bench.extraction --small-talk 2000`).
    company_fact: float = 0.12
    #: Calibrated similarity from which two statements may speak of the same thing, and from which a later one acts on an earlier one by
    #: itself. "They moved the classes to Mondays" is .38 from what told of lectures on Tuesdays: between the two there is only a doubt.
    compared: float = 0.3
    acts: float = 0.5
    #: And from which somebody is asked which of the two holds, unless the head is as sure as this: of nearest statements in eight authors'
    #: lives .60 of the changes lie as near, and .185 of what holds on. The head alone asks about "My name is Zoë" and "Short answers, please".
    asks: float = 0.75
    surely_replaces: float = 0.85
    #: Pairs that are judged at a time, the nearest first: a message of three statements has as many, one of forty hundreds.
    most_compared: int = 32
    #: What a later statement ends by itself, undone in one click. Of the changes in nineteen authors' lives, left out, .14 lie above, and
    #: .0013 of the nearest statements that hold on; of picked pairs, plain, hard and typed, .33, .36 and .19, and .0017, .034 and .012.
    replaces: float = 0.93
    #: What puts a doubt beside a fact, never more: of the changes in nineteen authors' lives .71 lie above, and .066 of the nearest
    #: statements that hold on.
    probably_replaces: float = 0.25
    #: What marks a fact in a request as perhaps out of date, which asks nobody anything, where both are asked for.
    possibly_replaces: float = 0.08
    #: What goes along with a message: all that match within so much of the best, and so many at the least. A question with one answer needs
    #: few lines, one with many more: at as many words .92 of what questions to persons' lives need stands there and .94 of companies', where
    #: the first twelve hold .91 and .92.
    match_margin: float = 3.5
    least_matching: int = 3
    #: They are where their places among what matches the question, counted from one, make so much at most when multiplied, or as much as
    #: there are called to mind.
    most_places: int = 12
    #: And so much where little speaks for the change, and what was said earlier matches better: a right answer with a doubt behind it is
    #: hardly told. What it costs and gains: docs/benchmarks.md.
    most_places_of_hint: int = 8
    #: What says the same, where no value differs: .25 of it is found, and .0008 of everything else.
    same: float = 0.85
    #: Below, a message brings nothing. A line too many costs little, a line too few everything. The odds that the message calls for memory
    #: by itself are weighed by how near the nearest memory is, beside what is usual of bland messages, and by how likely the best few have
    #: to do with it. Chosen on the scenarios' lives of even number (docs/algorithms/reading.md); lived through, .054 of persons' bland
    #: messages bring a memory and .038 of companies'.
    calls_for_memory: float = 0.067
    nearness: float = 4.0
    usually_near: float = 0.24
    bearing: float = 1.0
    most_bearing: int = 5
    #: What is read as a question about oneself, with this much chance at least, and calls for memory with that much by itself, needs no memory
    #: near it: 221 of the scenarios' 432 questions, and 2 of their 144 bland messages ("vilket år dog Kleopatra" is read so, and calls for none).
    about_oneself: float = 0.4
    calls_by_itself: float = 0.1
    #: Words that name somebody or something: of what five authors name, left out, .74 to .83 is found by it, and .91 to .95 of
    #: what is found is named (`python -m bench.entities`).
    names_something: float = 0.5
    #: And of which kind: what may be anything ("Scout" is a troop, a dog, a child) is left out; so .67 to .76 is found, .94 to .99 of
    #: that is named, and its kind right in .84 to .96 (without: .76 to .89).
    names_kind: float = 0.3
    #: And a name that the space knows already.
    names_known: float = 0.15
    #: Two words of which the second is a name, as a greeting, thanks or goodbye: "Hi Mia" is read so with .84, "Bye Tom" with .65; a name of two
    #: words, or "Rang Anna", with .26 at most.
    calls_somebody: float = 0.6
    #: What is surely a strength, a struggle or a goal, and stands in an assessment: of 31 named so 15 are
    #: (the labelled sentences before: of 123 named at all 23), and few of the 99 are found.
    part: float = 0.5
    #: What of a company's facts a reply without a model quotes.
    relevant_in_reply: float = 0.5
    #: And of a person's memories, where nobody asked for one: "We have moved" has .6 to .7 to do with where they lived.
    quoted_unasked: float = 0.7
    #: What answers a question, for a reply without a model that quotes it: a wrong quotation costs more there than an answer that is not
    #: given. Of 947 questions in lives that the weights have not seen .026 are answered wrongly from here, and .325 of what was told
    #: rightly; from .77 .019 and .307, from .7 .030 and .354, but .040 wrongly of those in Swedish (`python -m bench.replies`).
    answers: float = 0.74
    #: And where more speaks for it than its chance: all telling words of the question stand there, it is asked how something was, or
    #: another statement says of the same with another value. From .55 two more of those are answered wrongly, and none rightly; from .66
    #: two fewer rightly and one wrongly.
    answers_backed: float = 0.56
    #: And where the conversation leads to it: it was just answered with, or was so once, and how it was is asked.
    answers_expected: float = 0.44
    #: What a message wants, for a reply without a model: thanks .93 right of those named and .90 found, greetings .85 and .76, work
    #: ahead .83 and .72 (lists of words: .63 and .67, .60 and .41, .55 and .13).
    intent: float = 0.5
    #: A way of talking that is asked for: of four authors, left out, .67 to .74 of those there are, and .93 to .97 of what is named (turns of
    #: phrase before: .00 to .04); of 3,195 other messages 16 (`python -m bench.reading --heads way`).
    way: float = 0.65
    #: What acts on memory at once, by authors left out: of messages named so 129 of 141 ask to be remembered (of 220 there are); 200 of
    #: 213 to forget (of 268), which one click takes back; 110 of 124 put something right (of 186).
    asks_to_remember: float = 0.6
    asks_to_forget: float = 0.6
    asks_to_correct: float = 0.6
    #: And from which what gives the same kind of value as was given just before puts that right: "no wait, her name is Pepper" is .54.
    corrects_what_was_just_said: float = 0.4
    #: What says no more than another value has so few words; all of it is kept where it puts something right.
    words_of_a_value: int = 8
    #: What is read as a question tells something all the same from here: "min lillebror fyller 8 på lördag" has .29, "hur gammal blir min
    #: bror" .00.
    tells_beside: float = 0.2
    #: By so much a memory is nearer than any other to a message that asks to forget it: of 34 such messages by other hands and 42
    #: memories by ours 16 put the right one away and none a wrong one; where the one they mean is not there, 1 of 34 does.
    meant_alone: float = 0.1
    #: What is written down at once. By four authors, left out, .47 to .69 of each kind is found and .70 to .97 of it rightly (turns of
    #: phrase before: 0 to .53); of goals .66 and .79, of gratitude .49 and .87, and of 5,662 sentences of LoCoMo's 41, 44 and 26 28 and 75.
    notes: Mapping[str, float] = field(default_factory=lambda: NOTE_BARS)
    #: What tells how it goes with a goal that is pursued: by eleven authors, left out, .71 of what there is, and .81 of what is named is of the right
    #: goal (turns of phrase before, on four of them: .31 and .50). What closes one, which a click takes back: .46, and .92 rightly.
    progress: float = 0.6
    closes_goal: float = 0.6
    #: What is kept back comes by its own topic: beside a shared word this much, since "Where do I live?" gives "I don't want to
    #: live anymore" .57.
    surely_relevant: float = 0.8


READING = ReadingParams()
#: At work danger is rarer, and a false alarm hides what a colleague needs: of 378 messages to companies, by an author left out, it is
#: said of 3 instead of 16, and of dangers there .60 instead of .79.
#: A fact in doubt stands behind the others there and may find no room, so what is less likely is not marked at all.
READING_AT_WORK = replace(
    READING, danger_perhaps=0.4, asked_about=0.4, possibly_replaces=READING.probably_replaces, asks=0.5
)
