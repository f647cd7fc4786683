"""A student's whole memory (graph, ledger, overlay) and the key: what it survives, and what it does not."""

import pytest

from chat.memories.formation import form_from_message
from chat.turn.recall import meet_step
from companion_site.accounts import services as accounts
from companion_site.accounts.models import Person
from companion_site.errors import SpaceLocked, WrongKey
from companion_site.vault import inbox, unlocked
from companion_site.vault.models import KeySlot, SealedBox
from companion_site.vault.scope import space_scope
from companion_site.vault.services import unlock
from ledger.matching import entry_indexes, find_triggered
from ledger.models import LedgerEntry
from memory.models import MemoryNode
from overlay.models import KnownConcept
from overlay.selectors import load_known
from tests.chat.talking import begin, rows, tell
from tests.factories import NOW, make_access, open_space, reset_password
from tests.overlay.building import make_school, named

pytestmark = pytest.mark.spec("G11", "G2", "G10")

TEXT = (
    "I am dyslexic, so never give me the answer, guide me with short steps. "
    "Photosynthesis in the greenhouse of my uncle Karl was the topic of our exam on 3 June."
)


@pytest.fixture
def ada(committed):
    """A student whose memory holds something of every kind."""
    access = make_access("ada", school=make_school(concepts=named("Photosynthesis"), edges=[]))
    row = begin(access)
    message = tell(access, row, TEXT).message
    form_from_message(access.space, message.pk, key=access.key, now=NOW)
    meet_step(access, TEXT, learns=True, now=NOW)
    return access


def everything(space, key) -> tuple[list[str], list[str], list[str]]:
    """Return the words of the graph and the ledger, and the concepts of the overlay."""
    with space_scope(space), unlocked(space, key):
        nodes = [node.content for node in MemoryNode.objects.for_space(space).order_by("id")]
        entries = [entry.content for entry in LedgerEntry.objects.for_space(space).order_by("id")]
        return nodes, entries, sorted(map(str, load_known(space)))


def columns(space) -> dict[str, list[bytes]]:
    """Return the sealed columns as they lie in the database."""
    sealed = {
        MemoryNode: ["content"],
        LedgerEntry: ["content", "summary", "triggers", "trigger_entities"],
        KnownConcept: ["concept_id"],
    }
    with space_scope(space):
        return {
            model.__name__: [
                bytes(row.__dict__[name])
                for row in model.objects.for_space(space).order_by("id")
                for name in names
            ]
            for model, names in sealed.items()
        }


def test_all_of_it_survives_a_password_change(ada):
    """Not one box is written anew, and the new password opens them all."""
    before, sealed = everything(ada.space, ada.key), columns(ada.space)
    assert all(before) and all(sealed.values())
    accounts.change_password(ada.person, key=ada.key, password="a new long password", now=NOW)
    key = open_space(ada.person, "a new long password")
    assert everything(ada.space, key) == before and columns(ada.space) == sealed
    with pytest.raises(WrongKey):
        open_space(ada.person)


def test_all_of_it_survives_a_recovery(ada):
    """The recovery code opens graph, ledger and overlay alike, and what others seal in still arrives."""
    before = everything(ada.space, ada.key)
    code = accounts.vault.renew_recovery_code(ada.key, now=NOW, actor=ada.person)
    reset_password(ada.person, "set by the staff")
    with pytest.raises(SpaceLocked):
        open_space(ada.person, "set by the staff")
    key, _ = accounts.recover(ada.person, code=code, password="a new long password", now=NOW)
    assert everything(ada.space, key) == before
    box = inbox.seal_to(ada.space, kind=SealedBox.Kind.OBSERVATION, text=b"{}", sender=None, now=NOW)
    (kept,) = rows(ada, SealedBox, pk=box.pk)
    assert inbox.open_box(kept, key) == b"{}"


def test_after_a_lost_key_nothing_of_it_can_be_read(ada):
    """Begun anew, the old boxes are bytes: no slot, no key of the new space and no index in memory opens them."""
    sealed = columns(ada.space)
    new_key, _ = accounts.start_anew(ada.person, password="a new long password", now=NOW)
    person = Person.objects.get(pk=ada.person.pk)
    assert person.space_id != ada.space
    assert columns(ada.space) == sealed
    for word in ("dyslexic", "Photosynthesis", "greenhouse"):
        assert not any(word.encode() in box for boxes in sealed.values() for box in boxes)
    entry_indexes.forget(ada.space)
    with pytest.raises(SpaceLocked), unlocked(ada.space, new_key):
        pass
    with pytest.raises(SpaceLocked):
        find_triggered(ada.space, "Photosynthesis", now=NOW)
    for kind in (KeySlot.Kind.PASSWORD, KeySlot.Kind.RECOVERY):
        with pytest.raises(SpaceLocked):
            unlock(
                accounts.Space.objects.get(pk=ada.space), kind=kind, secret="correct horse battery", now=NOW
            )
    assert everything(person.space_id, new_key) == ([], [], [])
