"""How a company's fact stands: open, planned, called off, denied, a wish, a correction; by its turns of phrase."""

import re


def _any(*turns: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(turns)})\b")


#: Not settled yet: a thing to decide, to do or to learn.
OPEN = _any(
    r"(?:has|have|is|are|'s|'ve)?\s?(?:not|n't|nothing|yet to|never)\s(?:yet\s|been\s|really\s)*(?:decided?|settled|made up)(?:\s(?:on|whether|yet|if))*",
    r"undecided(?:\son)?", r"unsure(?:\s(?:whether|about|if|of))?", r"not sure(?:\s(?:whether|about|if))?",
    r"uncertain", r"up in the air", r"still open", r"open question", r"pending", r"outstanding",
    r"consider(?:s|ing|ed)?", r"thinking (?:about|of)", r"thinks about", r"weigh(?:s|ing)?(?: up)?",
    r"wonder(?:s|ing)?(?: whether| if)?", r"discuss(?:ed|ing|es)?", r"came up", r"toying with", r"looking into",
    r"might", r"maybe", r"perhaps", r"needs? to", r"ought to", r"remains? to", r"still has to", r"yet to", r"has to decide",
    r"postponed", r"put off(?: until later)?", r"pushed back", r"on hold", r"to be (?:decided|done)", r"nothing settled",
    r"(?:have|has|'s|'ve) not [a-z]+ed yet", r"wants to understand", r"would like to understand",
    r"(?:inte|ej)\s(?:än\s|ännu\s|riktigt\s)*(?:avgjort|bestämt|bestämd|beslutat|beslutad|avgjord|klart med)(?:\ssig)?(?:\s(?:för|om|än|ännu))*",
    r"obestämt", r"oklart(?: om)?", r"osäker(?:t|a)?(?:\s(?:på|om))*", r"vet (?:inte|ej)(?: om)?", r"ska bestämma(?: sig)?(?: för| om)?",
    r"funderar(?: på| över| om)?", r"överväger", r"tvekar(?: om| inför)?", r"diskuter(?:ar|at|ade|ats)", r"kanske",
    r"behöver", r"måste(?! alltid)", r"borde", r"återstår", r"kvar att", r"får vänta", r"vilande fråga",
    r"uppskjut(?:en|et|na)", r"sköts upp", r"skjut(?:it|s|a|er) (?:på|upp)", r"sköt upp", r"skjuten på framtiden",
    r"inte tagit ställning", r"inte kommit fram till", r"väntar på", r"på is", r"ännu öppen", r"öppen fråga",
    r"(?:not|n't) (?:yet |been )*(?:chosen|selected|picked)", r"(?:inte|ej) (?:än |ännu )?(?:vald|valt|utsedd)", r"choosing between", r"deciding (?:whether|on|between|if)?",
    r"väljer mellan", r"waiting (?:for|to hear)(?: from)?", r"(?:still )?missing", r"vill förstå", r"vill lära sig", r"ska ta ställning",
)  # fmt: skip
#: So open as to be a thing to learn; no decision about the matter settles it.
LEARNING = _any(
    r"(?:wants?|would like|like|needs?|trying|mentioned wanting) to (?:understand|learn|know)",
    r"(?:vill|behöver|försöker) (?:förstå|lära|veta|få .{0,40}förklara)\w*", r"förklarad", r"explained",
)  # fmt: skip
PLANNED = _any(
    r"will", r"going to", r"plans? to", r"planning to", r"planned", r"intends? to", r"aims? to", r"next year", r"ska",
    r"kommer att", r"planerar(?: att)?", r"tänker", r"avser(?: att)?", r"nästa år", r"på gång",
)  # fmt: skip
CANCELLED = _any(
    r"call(?:ed|ing) off", r"cancel(?:l?ed|s)?", r"dropp(?:ed|ing) (?:the |that |our )?(?:idea|plans?)(?: of| to| for)?",
    r"gave up(?: on)?", r"abandoned", r"scrapped", r"shelved", r"decided against", r"decided not to", r"backed out(?: of)?",
    r"changed (?:our|my|his|her|their) minds?", r"turned (?:it|us|the offer)? ?down", r"declined", r"fell through",
    r"(?:is|are|'s) not (?:happening|going ahead|coming|going to happen)", r"not happening", r"no longer (?:planned|planning|going to)",
    r"will not be (?:any|a|an)", r"(?:there is|there will be|it will be) no", r"came to nothing",
    r"ställ(?:des|ts|d|t|er|de) in", r"inställ(?:d|t|da)", r"avblås(?:t|tes|ta)", r"skrinla(?:gd|gt|des|gts)", r"lade(?:s)? på is",
    r"bl(?:ir|ev) (?:det )?(?:inte|inget|ingen|inga) (?:av|nå\w+)?", r"det bl(?:ir|ev) (?:inte|inget|ingen|inga)",
    r"tackade nej", r"avbokad", r"avbr[öu]t\w*", r"drog(?:s)? tillbaka", r"dra(?:git)? oss ur", r"hoppat av",
    r"ångra(?:de|t)(?: sig| oss| mig)?", r"(?:beslutade|beslutat|bestämde|bestämt)(?: oss| sig| mig)?(?: för)? att inte",
    r"släppt(?:e)? (?:idén|tanken|planen|planerna)(?: på| om)?", r"lagt ner (?:planen|planerna|idén)", r"slopa(?:s|t|de|des)",
    r"gick om intet", r"gick i stöpet", r"strök(?:s)?", r"struken", r"avstår(?: från)?", r"avstå(?:r|tt|dd)?",
)  # fmt: skip
DENIED = _any(
    r"not", r"no", r"never", r"nobody", r"none", r"nothing", r"without", r"cannot", r"[a-z]+n't", r"no longer", r"lacks?",
    r"inte", r"ej", r"aldrig", r"ingen", r"inget", r"inga", r"ingenting", r"utan", r"sakna(?:r|s|de|des)?", r"icke", r"slipp(?:er|a)",
    r"stop(?:s|ped)?", r"skip(?:s|ped)?", r"avoids?", r"hoppa(?:r)? (?:gärna )?över", r"sluta(?: med| skicka)?", r"undvik(?:er|a)?",
    r"dislikes?", r"ogillar", r"avsky(?:r)?", r"drop the", r"turn(?:ed)? off", r"stäng(?:a|t|de)? av", r"leave out", r"utelämna",
)  # fmt: skip
CHANGED = _any(
    r"now", r"nowadays", r"no longer", r"any ?more", r"any longer", r"from now on", r"going forward", r"from here(?: on)?", r"since",
    r"switch(?:ed|ing|es)?", r"chang(?:ed|ing|es)", r"moved(?: over)? to", r"gone over to", r"went over to", r"new", r"instead",
    r"replac(?:ed|es|ing)", r"took over", r"taken over", r"these days", r"as of", r"actually", r"after all", r"also", r"too",
    r"nu", r"numera", r"inte längre", r"framöver", r"hädanefter", r"i fortsättningen", r"sedan", r"byt(?:er|te|t)", r"bytte(?:s)?",
    r"gått över", r"gick över", r"går över", r"övergått", r"övergick", r"ändra(?:t|de|des|r)", r"ny", r"nytt", r"nya", r"nye",
    r"i stället", r"istället", r"ersatt(?:e|es)?", r"ersätter", r"ersattes", r"tagit över", r"tog över", r"tar över", r"efterträd\w+",
    r"faktiskt", r"egentligen", r"även", r"också", r"från och med", r"fr\.o\.m", r"hellre", r"vill nu", r"sagt upp", r"lämnat", r"slutat",
)  # fmt: skip
CORRECTED = _any(
    r"correction", r"corrected", r"should (?:have )?be(?:en)?", r"turned out to be", r"in fact", r"i själva verket", r"korriger\w+", r"actually", r"wrong",
    r"rättelse", r"rätta(?:t|de|s)", r"skulle (?:vara|ha varit)", r"blev i stället", r"egentligen", r"faktiskt", r"fel",
)  # fmt: skip
ONLY = _any(r"only", r"solely", r"exclusively", r"nothing but", r"enbart", r"endast", r"bara", r"uteslutande")
ALSO = _any(
    r"also",
    r"too",
    r"as well",
    r"även",
    r"också",
    r"dessutom",
    r"another",
    r"additional",
    r"ytterligare",
    r"ännu en",
    r"en till",
)
WISHED = _any(
    r"wants?", r"prefers?", r"likes?", r"would like", r"i'd like", r"please", r"asked (?:to|for|not|us|that)", r"appreciates?", r"wishes",
    r"loves?", r"does(?: not|n't) want", r"dislikes?",
    r"vill(?: gärna| helst| inte)?(?: att| ha| bli| få| slippa| se)", r"föredrar", r"gillar", r"önskar", r"uppskattar", r"gärna", r"helst", r"hellre",
    r"tycker (?:bäst )?om", r"bad om", r"ber om", r"ogillar",
)  # fmt: skip
DECIDED = _any(
    r"decided?", r"settled", r"chose", r"picked", r"approved", r"resolved(?: to)?", r"agreed", r"signed off", r"done", r"went ahead", r"went with", r"ended up with", r"the choice fell on", r"det blev", r"valet föll på",
    r"bestäm(?:de|t)(?: sig| oss| mig)?(?: för)?", r"besluta(?:de|t|des|ts)", r"valde(?:s)?", r"godkän(?:d|t|de|des)", r"avgjort", r"enades", r"beslut",
)  # fmt: skip
#: "B instead of A", "B, not A": what follows is what no longer holds.
REJECTED = re.compile(
    r"\b(?:instead of|rather than|and not|i stället för|istället för|snarare än|och inte|framför)\s(?:the\s|just\s|only\s|bara\s)*(?P<what>[^,.;]+)"
    r"|,\s(?:and\s|och\s)?(?:not|inte|ej)\s(?:the\s)?(?P<other>[^,.;]+)"
)
