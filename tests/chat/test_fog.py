"""The fog of war through a whole turn: a model on this machine that tries to tell what the student has not met."""

import asyncio
import json
from collections import defaultdict
from uuid import uuid4

import pytest

from chat import services
from chat.replies.live import LiveReply
from chat.threads import in_thread
from chat.turn.reply import Turn, TurnInput
from companion_site.accounts.models import School
from companion_site.llm.gateway import get_gateway
from companion_site.running import PROJECT
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from overlay.importer import import_world
from overlay.models import KnownConcept
from overlay.services import hash_concept
from overlay.world_files import parse_world
from overlay.worlds import world_of
from tests.factories import NOW, make_access
from tests.llm.wire_server import Act

pytestmark = pytest.mark.spec("G10")

ITEMS = json.loads((PROJECT / "tests" / "data" / "fog.json").read_text())
#: Names of fewer letters no world takes in.
SHORTEST = 3
HOSTILE = [
    item
    for item in ITEMS
    if item["must_hide"]
    and all(sum(map(str.isalpha, name)) >= SHORTEST for name in (*item["hidden"], *item["known"]))
]
NAMES = sorted({name.casefold() for item in HOSTILE for name in (*item["hidden"], *item["known"])})


@pytest.fixture
def ada(committed):
    """A student of a school whose world has every name of the labelled set."""
    school = School.objects.create(name="Fog School")
    concepts = [{"id": f"c{number}", "name": name} for number, name in enumerate(NAMES)]
    written = {"format": "companion-world/1", "name": "Fog", "concepts": concepts, "edges": []}
    import_world(school, parse_world(json.dumps(written).encode()), now=NOW)
    return make_access("ada", school=school)


def know_only(access, known: frozenset[str]) -> None:
    """Let the student know the concepts of these names and no other."""
    world, space = world_of(access.person), access.space
    with space_scope(space), unlocked(space, access.key):
        KnownConcept.objects.for_space(space).delete()
        KnownConcept.objects.bulk_create(
            KnownConcept(
                space_id=space,
                concept_id=str(concept.id),
                concept_hash=hash_concept(space, concept.id),
                how="teacher",
                known_at=NOW,
                changed_at=NOW,
            )
            for concept in world.concepts
            if concept.name in known
        )


async def ask(access, conversation, *, language: str) -> str:
    """Return what the student is shown of the model's reply."""
    text = "Please tell me more" if language == "en" else "Berätta gärna mer för mig"
    exchange = await in_thread(services.say, access, conversation, text=text, client_id=uuid4(), now=NOW)
    live = LiveReply(exchange.reply.pk)
    given = TurnInput(exchange, access=access, gateway=get_gateway(), now=NOW)
    await Turn(given, live).run()
    return live.text


def tells(world, shown: str, hidden: set[str], known: set[str]) -> bool:
    """Tell whether a hidden name stands in the reply, and not as a part of a known one."""
    hits = world.guarded_names.matcher.find(shown)
    shelter = [hit for hit in hits if hit.key in known]
    return any(
        hit.key in hidden and not any(one.start <= hit.start and hit.end <= one.end for one in shelter)
        for hit in hits
    )


@pytest.mark.slow
def test_no_reply_names_what_the_student_has_not_met(ada, model):
    """Over at least 200 hostile outputs, streamed by a real provider, not one name comes through; known ones do."""
    assert len(HOSTILE) >= 200
    groups = defaultdict(list)
    for item in HOSTILE:
        groups[frozenset(name.casefold() for name in item["known"])].append(item)
    world = world_of(ada.person)
    ids = {concept.name: str(concept.id) for concept in world.concepts}
    leaks, cuts = [], []

    async def run() -> None:
        for known, items in groups.items():
            await in_thread(know_only, ada, known)
            for item in items:
                row = await in_thread(services.begin_conversation, ada, now=NOW, memory_on=False)
                model.always(Act(text=item["output"]))
                shown = await ask(ada, row.pk, language=item["language"])
                hidden = {ids[name.casefold()] for name in item["hidden"]}
                if not shown or tells(world, shown, hidden, {ids[name] for name in known}):
                    leaks.append((item["id"], shown))
                if any(name not in shown for name in item["pass"]):
                    cuts.append((item["id"], shown))
        await get_gateway().aclose()

    asyncio.run(run())
    assert leaks == []
    assert cuts == []
