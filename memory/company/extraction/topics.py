"""Words by which a clause is known to be about a company and its books, or about somebody's private life."""

import re

BUSINESS = re.compile(
    r"(?<!\w)(?:"
    # English
    r"compan(?:y|ies)|business|firm|board|sharehold\w+|shares?|dividends?|salar(?:y|ies)|wages?|payroll|payslips?|vat|tax(?:es|able)?|audit\w*|account(?:s|ing|ants?)?|bookkeep\w+|books?keeper|invoic\w+|receipts?"
    r"|customers?|clients?|suppliers?|employ\w+|staff|hir(?:e|es|ed|ing)|contracts?|agreements?|leas(?:e|es|ed|ing)|rent(?:s|ed|ing)?|premises|office|warehouse|workshop|factory|shop|stores?|revenue|turnover|profits?|budget\w*|costs?|cash|loans?|bank(?:s|rupt\w*)?"
    r"|fiscal|financial year|annual report|annual accounts|k[23]|k10|3:12|bolagsverket|skatteverket|capital|reserve|bonus\w*|pensions?|insurance|subsidiar\w+|holding|managing director|ceo|cfo|chair\w*|director|own(?:s|ed)?|owners?|partners?|export\w*|import\w*"
    r"|brands?|sales?|sell(?:s|ing)?|pric(?:e|es|ing)|quotes?|offers?|suppl\w+|deliver\w+|produc\w+|inventor\w+|stock|vans?|trucks?|lorr(?:y|ies)|forklifts?|machines?|equipment|transactions?|bookings?|posting|deadlines?|declarations?|mileage|expenses?|deduct\w*|assets?|write[- ]?offs?|credit\w*|debts?|collective agreement|trade fair|brewery|bakery|restaurant|consult\w+|managers?|notice|parental leave|full[- ]time|part[- ]time"
    # Swedish
    r"|(?:\w*)(?:bolag|företag|firma|firman|styrels|aktie|aktier|utdelning|delägar|ägar|lön|löner|moms|skatt|revis|redovis|bokför|bokslut|faktur|kvitto|kvitt|kund|kunder|leverantör|anställ|personal|avtal|kontrakt|leasing|hyr|lokal|kontor|lager|verkstad|butik|omsättning|vinst|budget|kostnad|kassa|lån|bank|räkenskapsår|årsredovisning|kapital|fond|bonus|pension|försäkring|holding|driftbolag|verkställande|ordförande|vd|export|import|försälj|pris|offert|leverans|inventer|fordon|maskin|transaktion|deklaration|avdrag|tillgång|avskriv|kredit|skuld|kollektivavtal|mäss|bryggeri|bageri|restaurang|konsult|byrå|åkeri|uppsäg|föräldraledig|heltid|deltid|kontering|verifikation|periodisering|betalningstid|kommun|ekonomi|lastbil|truck|skåpbil)\w*"
    r"|k2|k3|k10|vd|ab|äger|sälj(?:er|a|s)|sålde|dela(?:r)? ut|sköter|driver|kör K[23]|konto \d{4}|\d{4} kontot"
    r")(?!\w)",
    re.IGNORECASE,
)
PRIVATE = re.compile(
    r"(?<!\w)(?:"
    r"my (?:son|daughter|kids?|children|neighbou?r|dog|cat|knees?|back|head|mum|mom|grandm\w+|grandf\w+|cousin|boyfriend|girlfriend|birthday)|(?:the |our )(?:kids?|dog|cat|neighbou?rs?|match|game|film|movie|series|weather)|football|soccer|hockey|kilomet\w+|marathon|gym|tooth|teeth|holiday(?:s)? in|vacation|birthday|weather|rain\w*|snow\w*|dinner|recipes?|concert|goal in|netflix|songs?"
    r"|min (?:son|dotter|granne|hund|katt|rygg|mamma|mormor|farmor|morfar|farfar|kusin|pojkvän|flickvän)|mina (?:barn|ungar|knän)|(?:barnen|ungarna|hunden|katten|grannen|grannarna|matchen|filmen|serien|vädret)|fotboll\w*|hockey\w*|kilomet\w+|maraton\w*|gymmet|tand(?:en)?|semestern i|födelsedag\w*|regn\w*|snö\w*|middag\w*|recept\w*|konsert\w*|melodifestivalen|häst|låt(?:en)?|fyller (?:\w+) på"
    r")(?!\w)",
    re.IGNORECASE,
)


def is_business(clause: str) -> bool:
    return BUSINESS.search(clause) is not None


def is_private(clause: str) -> bool:
    return PRIVATE.search(clause) is not None
