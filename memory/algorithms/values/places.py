"""Which places lie within which: "I live in Scotland" stays true beside "I live in Inverness".

Regions and countries hold towns; two towns exclude each other, a region and a town do not. The lists are the larger
places that students name; of a place on neither list it is unknown whether it is a town or a part of one.
"""

_REGIONS = (
    "sweden norway denmark finland england scotland wales ireland britain uk germany france spain italy greece poland turkey usa "
    "america canada australia iceland netherlands belgium iran iraq syria somalia sverige norge danmark island tyskland "
    "skåne småland blekinge halland öland gotland västergötland östergötland bohuslän dalsland värmland närke västmanland "
    "södermanland sörmland uppland dalarna gästrikland hälsingland medelpad ångermanland jämtland härjedalen lappland norrland "
    "västerbotten norrbotten svealand götaland "
    "yorkshire kent essex sussex surrey devon cornwall dorset somerset hampshire norfolk suffolk lancashire cumbria cheshire "
    "derbyshire lincolnshire northumberland shropshire oxfordshire wiltshire gloucestershire highlands midlands"
)
_TOWNS = (
    "stockholm göteborg gothenburg malmö uppsala västerås örebro linköping helsingborg jönköping norrköping lund umeå gävle borås "
    "eskilstuna södertälje karlstad täby växjö halmstad sundsvall luleå trollhättan östersund borlänge falun kalmar skövde "
    "kristianstad karlskrona skellefteå uddevalla varberg örnsköldsvik nyköping visby landskrona lidköping motala trelleborg ystad "
    "kiruna sandviken hudiksvall ludvika mora arvika partille mölndal kungsbacka ängelholm oskarshamn västervik piteå katrineholm "
    "oslo bergen trondheim stavanger tromsø copenhagen köpenhamn aarhus odense helsinki helsingfors turku åbo tampere "
    "london birmingham manchester leeds liverpool sheffield bristol glasgow edinburgh cardiff leicester coventry bradford belfast "
    "nottingham newcastle sunderland brighton hull plymouth wolverhampton stoke derby swansea southampton salford aberdeen "
    "portsmouth york peterborough dundee lancaster oxford newport preston norwich chester cambridge salisbury exeter gloucester "
    "lincoln winchester worcester durham bath inverness carlisle wakefield perth truro dublin cork galway berlin hamburg munich "
    "paris lyon madrid barcelona rome milan warsaw krakow amsterdam brussels vienna prague athens istanbul york boston chicago"
)
_REGION_NAMES = frozenset(_REGIONS.split())
_TOWN_NAMES = frozenset(_TOWNS.split())


def _unfolded(name: str, known: frozenset[str]) -> bool:
    """Tell whether a name is known; a gloss may have taken its last letters for an ending."""
    return name in known or (
        len(name) > 3 and any(listed.startswith(name) and len(listed) - len(name) <= 2 for listed in known)
    )


def reads_as_region(name: str) -> bool:
    """Tell whether a place holds towns."""
    return _unfolded(name, _REGION_NAMES)


def reads_as_town(name: str) -> bool:
    """Tell whether a place is a town."""
    return not reads_as_region(name) and _unfolded(name, _TOWN_NAMES)


def may_contain(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether one of two places may lie within the other, so that somebody lives in both."""
    regions = [any(map(reads_as_region, place)) for place in (one, other)]
    towns = [any(map(reads_as_town, place)) for place in (one, other)]
    if all(regions) or all(towns):
        return bool(one & other)
    return any(regions) or any(towns) or bool(one & other)
