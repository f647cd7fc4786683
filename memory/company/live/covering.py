"""Which key figures a sentence states as they are now: what the books say better than a memory of what somebody said.

"We have 2 employees" states a figure; a plan, a limit, last year's number, a part of the whole and the number of an
account state none. In doubt a sentence states nothing: a fact that is remembered beside the books does less harm than
one that is not remembered at all.
"""

import re
from functools import lru_cache

WORDS = (
    r"no|zero|noll|inga|ingen|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|två|tre|fyra|fem|sex|sju|åtta|nio|tio|elva|tolv|"
    r"tretton|fjorton|femton|sexton|sjutton|arton|nitton|tjugo|tjugofem|trettio|fyrtio|femtio"
)
#: a number of things; "one" and "en" are more often an article, and count only after a verb of having
COUNT = rf"(?:(?<!\d)\d{{1,3}}(?:[ .,\u00a0]?\d{{3}}){{0,2}}|{WORDS}|(?<=have )one|(?<=has )one|(?<=har )en|(?<=har )ett|(?<=is )one)"
#: a sum of money: with its unit, or with thousands, so that neither an account nor a per cent is one
SCALE = (
    r"(?:kr|kronor|sek|k|tkr|mkr|msek|ksek|m|million|millions|miljoner|miljon|mille|billion|miljarder|thousand|tusen|"
    r"spänn|:-)"
)
#: bounded, so that a long row of numbers costs no more than its length
DIGITS = r"(?<![\d.,])\d{1,13}(?:[ .,\u00a0\u202f]\d{3}){0,4}(?:[.,]\d{1,4})?(?!\d)"
SUM = (
    rf"(?:sek ?)?(?:(?:minus|-|\u2212|\u2013) ?)?(?:{DIGITS} ?{SCALE}(?: ?(?:kr|kronor|sek))?\b|{DIGITS}(?: ?:-)|"
    rf"(?<!\d)\d{{1,3}}(?:[ .,\u00a0\u202f]\d{{3}}){{1,4}}\b|(?<!\d)\d{{5,13}}\b|(?:{WORDS}) (?:miljoner|millions?|tusen|thousand|hundra tusen|"
    rf"hundred thousand)\b|(?:zero|noll)\b)(?! ?(?:%|percent|procent))"
)
ABOUT = (
    r"(?:about|around|roughly|just|some|now|currently|at|exactly|only|over|nearly|almost|still|up to|to|"
    r"ca|cirka|ungefär|runt|omkring|drygt|knappt|nu|just nu|i dag|idag|för närvarande|på|uppe i|nere på|bara|exakt|"
    r"till|strax|över|under|plus|minus|fortfarande|totalt|sammanlagt|i år)"
)
IS = (
    r"(?:is|are|stands?|shows?|totals?|amounts?|comes?|equals?|sits?|reads?|reached|has reached|"
    r"är|ligger|visar|uppgår|blir|står|landar|utgör|summerar)"
)
#: what stands between a figure's name and its number: some words on which one, then a verb, a colon or an equals sign
GAP = rf"(?:[^.;:!?\d]{{0,60}}?\b{IS}|[^.;:!?\d]{{0,25}}[:=])(?: {ABOUT})*[ :=]+"


def _amount_of(names: str) -> str:
    return rf"\b(?:{names})\b{GAP}{SUM}"


def _count_of(names: str, *, kinds: str = "", at_least_one: bool = False) -> str:
    """Return the pattern of "we have 2 employees" and of "2 employees, consulting firm"; parts of a whole are none.

    Args:
        at_least_one: of `kinds` must be said: "2 unpaid invoices", not "2 invoices".
    """
    having = (
        r"(?:have|has|having|had|there are|there is|with|employ|employs|got|of|are|is|har|finns|är|med|ligger|på|har nu|"
        r"sysselsätter|ser|see|fått)"
    )
    whole = rf"{COUNT}(?: (?:{kinds})){'+' if at_least_one else '*'}? (?:{names})\b"
    ends = r"(?=\s*(?:$|[,;:)(]|and\b|och\b|varav\b|of whom\b|in\b|i\b|at\b|right\b|today\b|now\b|just\b|nu\b|idag\b|worth\b|för\b|på\b|totalling\b|totally\b|totalt\b|but\b|men\b|så\b|so\b|currently\b|including\b|inklusive\b|at the moment\b))"
    return (
        rf"\b{having}(?: (?:{ABOUT}|a total of|i dag|idag|totalt))* {whole}{ends}|^\W*{whole}{ends}|"
        rf"\b(?:number of|antal(?:et)?) (?:{kinds})?\s?(?:{names})\b{GAP}{COUNT}\b"
    )


PEOPLE = r"employees|employee|anställd|employed|staff|people employed|people on the payroll|anställda|medarbetare|personer anställda|heltidsanställda"
CUSTOMER = r"customer |client |kund"

PATTERNS: dict[str, tuple[str, ...]] = {
    "employees": (
        _count_of(PEOPLE, kinds=r"full[- ]time|permanent|people|fasta|personer"),
        rf"\b(?:headcount|staff count|personalstyrkan?)\b{GAP}{COUNT}\b",
        rf"\b(?:we are|we're|there are|vi är) {COUNT} (?:(?:people )?employed|of us(?: employed| on the payroll)|anställda)\b",
        rf"\b(?:the company|we|bolaget|företaget|firman|vi) (?:employs?|sysselsätter) {COUNT} (?:people|persons|personer|pers)\b",
    ),
    "cash": (
        _amount_of(
            r"bank balance|cash(?: balance| position| in hand)?|account balance|balance (?:in|of|on) the (?:bank|company|business)(?: account)?|"
            r"banksaldot?|kassan?|likvida medel|bankkontot?|företagskontot?|saldot på (?:banken|kontot|bankkontot|företagskontot)|"
            r"saldot(?= (?:på|är|ligger))|likviditeten"
        ),
        rf"\b{SUM} (?:in (?:the|our) (?:bank|bank account|account|business account)|in cash|på (?:kontot|banken|bankkontot|företagskontot)|i (?:kassan|banken))(?! *(?:till|to)\b)",
    ),
    "unpaid_invoices": (
        _count_of(
            rf"(?:{CUSTOMER})?invoices|(?:{CUSTOMER})?fakturor",
            kinds=r"unpaid|outstanding|open|obetalda|öppna|utestående",
            at_least_one=True,
        ),
        rf"\b{COUNT} (?:of our |of the )?(?:{CUSTOMER})?(?:invoices|fakturor) (?:are|is|remain|är) (?:still |fortfarande )?(?:unpaid|outstanding|open|obetalda|öppna)\b",
    ),
    "unpaid_invoices_amount": (
        _amount_of(
            r"(?:unpaid|outstanding|open) (?:customer |client )?invoices|(?:obetalda|öppna|utestående) (?:kund)?fakturor"
        ),
        rf"\b(?:unpaid|outstanding) (?:customer |client )?invoices (?:worth|for|of|totalling)(?: {ABOUT})* {SUM}",
        rf"\b(?:obetalda|utestående) (?:kund)?fakturor (?:för|på|om)(?: {ABOUT}| totalt)* {SUM}",
    ),
    "overdue_invoices": (
        _count_of(
            rf"(?:{CUSTOMER})?invoices|(?:{CUSTOMER})?fakturor",
            kinds=r"overdue|late|past[- ]due|förfallna|försenade",
            at_least_one=True,
        ),
        rf"\b{COUNT} (?:of our |of the )?(?:{CUSTOMER})?(?:invoices|fakturor) (?:are|is|är|har) (?:now |nu )?(?:overdue|late|past due|förfallna|försenade|förfallit)\b",
    ),
    "overdue_invoices_amount": (
        _amount_of(
            r"(?:overdue|late) (?:customer |client )?invoices|(?:förfallna|försenade) (?:kund)?fakturor"
        ),
        rf"\b(?:overdue|late) (?:customer |client )?invoices (?:worth|for|of|totalling)(?: {ABOUT})* {SUM}",
        rf"\b(?:förfallna|försenade) (?:kund)?fakturor (?:för|på|om)(?: {ABOUT}| totalt)* {SUM}",
    ),
    "receivables": (
        _amount_of(r"(?:accounts )?receivables?|trade receivables|kundfordringar(?:na)?"),
        rf"\b(?:customers|clients) owe us(?: {ABOUT})* {SUM}|\bkunderna är skyldiga oss(?: {ABOUT})* {SUM}",
        rf"\b{SUM} i kundfordringar\b|\b{SUM} in (?:accounts )?receivables?\b",
    ),
    "payables": (
        _amount_of(r"(?:accounts |trade )?payables?|leverantörsskuld(?:er|erna|en)?"),
        rf"\bwe owe (?:our |the )?suppliers(?: {ABOUT})* {SUM}|\bvi är skyldiga leverantörerna(?: {ABOUT})* {SUM}",
        rf"\b{SUM} i leverantörsskulder\b|\b{SUM} in (?:accounts |trade )?payables?\b",
    ),
    "vat_due": (
        _amount_of(
            r"vat (?:owed|due|to pay|payable|liability|debt|balance|bill)|momsskuld(?:en)?|moms att betala|momsen(?= att betala| ligger| uppgår| blir)|"
            r"momsfordran|vat receivable"
        ),
        rf"\b(?:we owe|vi är skyldiga|vi ska betala)(?: {ABOUT})* {SUM} (?:in|i) (?:vat|moms)\b",
    ),
    "tax_account": (
        _amount_of(r"tax account|skattekontot?|saldot på skattekontot"),
        rf"\b{SUM} (?:in|on) (?:the|our) tax account\b|\b{SUM} på skattekontot?\b",
    ),
    "revenue_year": (
        _amount_of(
            r"revenues?|turnover|sales|net sales|omsättning(?:en)?|nettoomsättning(?:en)?|intäkter(?:na)?|försäljning(?:en)?"
        ),
        rf"\b(?:vi|bolaget|företaget|firman) (?:omsätter|har omsatt|har fakturerat)(?: {ABOUT}| hittills| i år)* {SUM}",
        rf"\bturn(?:s|ing)? over(?: {ABOUT})* {SUM}|\b{SUM} in (?:revenue|sales|turnover)\b|\b{SUM} i (?:omsättning|intäkter)\b",
    ),
    "result_year": (
        _amount_of(
            r"(?:net |operating )?(?:profit|loss|result|earnings)(?! (?:and loss )?statement)|(?:rörelse|års|netto)?resultat(?:et)?|vinst(?:en)?|förlust(?:en)?"
        ),
        rf"\b{SUM} i (?:vinst|förlust)\b(?! *utdel)|\b(?:a )?(?:profit|loss) of(?: {ABOUT})* {SUM}|\b(?:vinst|förlust) på(?: {ABOUT})* {SUM}",
    ),
    "unread_inbox": (
        _count_of(
            r"messages|emails|e-mails|mails|documents|items|receipts|in the inbox|meddelanden|mejl|mail|dokument|underlag|kvitton|i inkorgen",
            kinds=r"unread|olästa|nya olästa",
            at_least_one=True,
        ),
        rf"\b{COUNT} (?:unread|olästa)(?= in\b| i\b|\W*$)",
    ),
    "unbooked_transactions": (
        _count_of(
            r"transactions|transaktioner|händelser|affärshändelser",
            kinds=r"unbooked|unrecorded|uncategori[sz]ed|bank|obokförda|okonterade|ej bokförda",
            at_least_one=True,
        ),
    ),
}

#: A clause about what was, may be, should be, or is somebody else's states nothing of how the company stands.
ELSEWHEN = re.compile(
    r"\b(?:if|unless|would|could|should|might|may|want|wants|aim|aims|aiming|goal|target|budget|budgeted|forecast|expect|expects|"
    r"expected|plan|plans|planning|hope|hopes|consider|considering|thinking|discuss|discussed|when|until|unless|below|above|"
    r"at least|at most|(?:more|less) than(?! \d+ days)|under|per (?:month|hour|customer|invoice)|"
    r"last (?:year|month|quarter|week|autumn|spring|summer|winter)|the year before|back then|used to|was|were|had|"
    r"ago|in summer|in winter|by the end|next (?:year|month|quarter)|another|additional|new employees|more employees|"
    r"om(?! (?:året|dagen|månaden))|ifall|skulle|borde|kunde|vill|ville|mål|målet|målsättning|budgeterar?|budgeterad|budgeten|prognos|prognosen|räknar med|förväntar|"
    r"planerar|hoppas|funderar|överväger|diskuterar|när|tills|innan|minst|högst|(?:mer|mindre) än(?! \d+ dagar)|understiger|överstiger|per (?:månad|timme|kund|faktura)|"
    r"förra|i fjol|fjolårets|föregående|tidigare|då|var|hade|låg|blev|på sommaren|på vintern|nästa|ytterligare|till anställda|"
    r"dotterbolag\w*|moderbolag\w*|holdingbolag\w*|systerbolag\w*|subsidiary|parent company|holding company|sister company|"
    r"kunden|leverantören|konkurrent\w*|customer's|supplier's|competitor\w*|(?:19|20)\d\d (?:var|was|hade|had))\b"
    r"|\b(?:in|during|for|under|från|since|i|för|år) (?:19|20)\d\d\b(?! ?(?:kr|sek|:-))",
    re.IGNORECASE,
)
#: "under" and "om" are also words of how much and for how much, where a number follows a figure
CLAUSES = re.compile(r"(?<=[.!?;])\s+|\n+|,\s+|\s+(?=(?:but|men)\s)", re.IGNORECASE)
COMPILED = {
    key: re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
    for key, patterns in PATTERNS.items()
}


@lru_cache(maxsize=1024)
def covers(content: str) -> frozenset[str]:
    """Return the keys of the figures that a sentence states, English or Swedish; see `catalogue.FIGURES`."""
    plain = " ".join(content.replace("\u2212", "-").split(" "))
    return frozenset(key for clause in CLAUSES.split(plain) for key in _stated(clause.strip()))


def _stated(clause: str) -> set[str]:
    if ELSEWHEN.search(clause):
        return set()
    return {key for key, pattern in COMPILED.items() if pattern.search(clause)}
