"""Ways of speaking in company facts that say another thing than their words do, brought into one form."""

import re

#: Ways of speaking that say another thing than their words.
_TURNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (r"\bhalf of\b|\bhälften av\b|\b(?:a|en) half\b", " 50 % "),
        (r"\b(?:all|samtliga|alla|hela) (?:the |of the )?(?:shares|aktier(?:na)?|stock)\b|\bhela (?:bolaget|företaget|firman)\b|\b(?:the )?(?:whole|entire) company\b|\bhelägt?\b|\bwholly owns?\b|\b(?:sole|ensam) (?:owner|ägare|shareholder|delägare)\b|\bensamägare\b", " 100 % =share "),
        (r"\b(?:har |has |have )?(?:inga|no)(?: other| andra| minority| external| externa)? (?:delägare|minoritetsägare|minoritetsaktieägare|co-owners?|shareholders|part-owners?)(?: alls| at all)?\b", " 100 % =share "),
        (r"\bwithout (?:having|needing|being|us having) (?:to ask|asked|to)\b|\butan att (?:vi |jag )?(?:behöva |behöver )?(?:fråga|be|frågar|ber)(?: om det)?\b|\bunprompted\b|\bunasked\b", " "),
        (
            r"(\d+(?:[.,]\d+)?\s?(?:%|percent|procent)) (?:of|i|av) (?:the |our )?(?:company|business|firm|bolaget|företaget|firman)\b",
            r" \1 =share ",
        ),
        (r"\b(?:owns?|äger|ägs|owned)\b", " =share "),
        (r"\bown(?=\s\d)", " =share "),
        (r"\bcalendar year\b|\bkalenderår(?:et)?\b", " =fiscalyear january - december "),
        (r"\b(?:customers?|kunder(?:na)?|they) (?:get|have|has|får|har) (\w+) (days|dagar) (?:to pay|på sig)(?: att betala)?", r" =terms \1 \2 "),
        (r"\binvoices? (?:fall|are|is|falls) due (?:after|in|within)\b|\bfaktur\w+ (?:förfaller|ska betalas) (?:efter|inom|på)\b", " =terms "),
        (r"\bhave to pay (?:in|within)\b|\b(?:ska|måste) betala inom\b", " =terms "),
        (r"\b(\w+) (days|dagar)(?:'|s)? (?:credit|kredit|net|netto)\b", r" =terms \1 \2 "),
        (r"\blängre\b(?! (?:svar|förkl|text|genomg|besk))", " "),
        (r"\b(?:per|an|every) hour\b|\bi timmen\b|\bper timme\b|/h\b|/tim\b", " =hourlyrate "),
        (r"\blöneförhöjning\w*\b|\blöneökning\w*\b|\b(?:pay|salary) (?:raise|rise|increase)s?\b|\bgot a raise\b|\ba raise\b", " =raise =salary "),
        (r"\b(?:accounts|books) (?:are|is) kept\b|\bkeeps the (?:accounts|books)\b", " =bookkeeper "),
        (r"\b(\w+) (?:people|persons) work\b|\bsysselsätter (\w+)\b", r" \1\2 =employee "),
        (r"\bto rent\b|\bhyra in\b", " =rentin "),
        (r"\b(?:har |has |have )?(?:inga|no)(?: other| andra| external| externa) (?:ägare|owners)\b", " 100 % =share "),
        (r"\b(\d+) semesterdagar\b", r" \1 dagar semester "),
        (r"\b(två|tre|fyra|fem|sex|tio)årig\w*\b", r" \1 år "),
        (r"\b(?:slutade?|slutat) (?=\w+[^aeiou\W]a\b)", " not "),
        (r"\bper (?:10 |ten )?(?:km|kilomet\w+|mil)\b", " "),
        (r"\bmånadsmoms\b", " =vat =monthly "), (r"\bkvartalsmoms\b", " =vat =quarterly "), (r"\bårsmoms\b|\bhelårsmoms\b", " =vat =yearly "),
        (r"\b(?:reverse[- ]charge|omvänd (?:betalningsskyldighet|skattskyldighet|moms))\b", " =reversecharge "),
        (r"\b(?:wrote|write|written|writing) (?:the |a |an |our |its )?(\w+) (down|off)\b", r" \1 wrote-\2 "),
        (r"\bskrev (\w+) (av|ned|ner)\b", r" \1 skrev-\2 "),
        (r"\bbought (?:the |our |its )?(\w+) out\b|\bbought out (?:the |our )?(\w+)\b", r" =buyout \1\2 "),
        (r"\bi god tid\b|\bin good time\b|\bwell (?:before|ahead)\b", " "),
        (r"\b(?:runs?|går|löper|sträcker sig) (?:from|från)\b", " "),
        (r"\bmain(?:ly)? (?:revenue|income)\b|\bmost of the (?:money|revenue|income)\b|\bhuvudintäkt(?:en|er|erna)?\b|\bhuvudsaklig\w* (?:intäkt|inkomst)\w*\b|\bstörsta (?:inkomstkälla|intäkt|delen av intäkterna)\w*\b", " =revenue "),
        (r"\bvi är (\w+) anställda\b|\bwe are (\w+) employees\b", r" \1\2 anställda "),
        (r"\b(\w+) (?:personer|people) (?:är|are|on|på) (?:anställda|employed|the payroll|staff|lönelistan)\b", r" \1 employees anställda "),
        (r"\b(?:an?|en) (third|fourth|fifth|sixth|tredje|fjärde|femte|sjätte) (?:person|employee|anställd)\b", r" \1 anställd employee "),
        (r"\b(?:du|ni)-form\b", " =casual "),
    )
)  # fmt: skip


_PREFERRED = re.compile(
    r"\b(?P<verb>picked|chose|chosen|prefers?|preferred|selected|hellre|snarare|föredrar|bättre)\b(?P<what>[^,.;]*?)\s(?:over|än)\s"
)


def turn_preference(text: str) -> str:
    """Return a casefolded text with "A over B" as "A instead of B"."""
    return _PREFERRED.sub(r"\g<verb>\g<what> instead of ", text)


def turn(text: str) -> str:
    """Return a casefolded text with its turns of speech as `=idea` and figures."""
    for pattern, meaning in _TURNS:
        text = pattern.sub(meaning, text)
    return text
