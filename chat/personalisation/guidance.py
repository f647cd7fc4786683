"""Whether a reply guides by a question rather than answers. Pure functions of text, English and Swedish.

A guiding reply ends in a question about the matter, or sets the person to work by one, and tells little before it: what
it tells is at most `TELLS_AT_MOST` words in sentences that neither ask, nor hand over a task, nor speak to the person.
A courtesy ("Is there anything else?", "How are you?", "Shall I go on?") guides nobody.
"""

import re

#: Words of plain telling before the question, from which a reply is an answer with a question behind it.
TELLS_AT_MOST = 12

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_OPEN = re.compile(
    r"\b(?:what|which|why|how|where|when|who|can you|could you|do you (?:think|see|notice|remember|know)|what if"
    r"|vad|vilken|vilket|vilka|varför|hur|var|när|vem|kan du|skulle du kunna|tror du|ser du|märker du|minns du|vet du)\b",
    re.IGNORECASE,
)
#: Questions about how somebody is, or what they would like of the companion.
_COURTESY = re.compile(
    r"\b(?:anything else|how are you|how was your|how has your day|on your mind|would you like|do you want|shall i|should i|may i|can i"
    r"|does that help|does that make sense|want me to|like to do next|what now|who can you"
    r"|något (?:mer|annat)|hur mår du|hur är det|hur var din|hur har din dag|vad tänker du på|vill du|ska jag|får jag|kan jag"
    r"|hjälper det|blev det klarare|göra härnäst|vem kan du)\b",
    re.IGNORECASE,
)
#: A task, or a word to the person about their own work.
_TO_THE_PERSON = re.compile(
    r"\b(?:you|your|yours|let us|let's|try|think|look|draw|imagine|write|read|mark|begin|start|find|pick"
    r"|du|dig|din|ditt|dina|vi|oss|prova|pröva|tänk|titta|rita|skriv|läs|märk|börja|hitta|välj)\b",
    re.IGNORECASE,
)


def guides(reply: str) -> bool:
    """Tell whether a reply guides by a question rather than answers."""
    sentences = [match.group().strip() for match in _SENTENCE.finditer(reply) if match.group().strip()]
    if not sentences or not _is_guiding_question(sentences[-1]):
        return False
    told = [
        sentence
        for sentence in sentences
        if not sentence.endswith("?") and not _TO_THE_PERSON.search(sentence)
    ]
    return sum(len(sentence.split()) for sentence in told) <= TELLS_AT_MOST


def _is_guiding_question(sentence: str) -> bool:
    return sentence.endswith("?") and not _COURTESY.search(sentence) and _OPEN.search(sentence) is not None
