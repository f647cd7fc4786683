"""Who may read which pack, and what a space reads."""

from datetime import timedelta

import pytest

from companion_site.accounts.models import Person, School
from companion_site.audit.models import AuditEvent
from companion_site.errors import NotFound
from companion_site.vault.boxes import OpenSpaceKey
from companion_site.vault.models import Space
from memory.packs import mounts, removal
from memory.packs.errors import TooManyMounts
from memory.packs.importer import Audience, make_ready, make_space
from memory.packs.mounts import list_packs, mount, mounted, unmount
from memory.packs.removal import remove_pack
from tests.factories import NOW, make_business_user, make_student, open_space
from tests.memory.packs.making import manifest, take_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K6")]


@pytest.fixture
def ada() -> Person:
    return make_student("ada", school=School.objects.create(name="North")).person


def test_a_space_reads_what_it_mounted(ada, monkeypatch):
    """Mounted, a pack is among those that the space reads, of which there are only so many; unmounted it is not; both are on record."""
    monkeypatch.setattr(mounts, "MOST_MOUNTED", 1)
    pack, key = take_in(name="everybody"), open_space(ada)
    before = Space.objects.get(pk=key.space).version
    mount(key, pack.space_id, person=ada, now=NOW)
    mount(key, pack.space_id, person=ada, now=NOW)
    assert Space.objects.get(pk=key.space).version == before + 1
    with pytest.raises(TooManyMounts):
        mount(key, take_in(name="b").space_id, person=ada, now=NOW)
    assert [found.key for found in mounted(key.space)] == ["everybody"]
    unmount(key, pack.space_id, person=ada, now=NOW)
    assert mounted(key.space) == []
    events = AuditEvent.objects.filter(chain=key.space, action__startswith="memory.pack").order_by("position")
    assert [event.action for event in events] == ["memory.pack_mounted", "memory.pack_unmounted"]


def test_a_school_s_and_a_company_s_people_read_its_packs(ada):
    """A pack of a company is there for its people and for the company's own space. What a space reads is asked each time, not when it was
    mounted: who leaves a school loses its packs."""
    bo = make_business_user("bo")
    firm = take_in(name="firm", company_id=bo.company_id)
    for key in (open_space(bo), OpenSpaceKey(bo.company.space_id)):
        mount(key, firm.space_id, person=bo, now=NOW)
        assert [found.key for found in mounted(key.space)] == ["firm"]
    pack, key = take_in(name="school", school_id=ada.school_id), open_space(ada)
    mount(key, pack.space_id, person=ada, now=NOW)
    assert [found.key for found in mounted(key.space)] == ["school"]
    Person.objects.filter(pk=ada.pk).update(school=None)
    assert mounted(key.space) == []


def test_a_pack_whose_removal_was_cut_short_is_read_by_nobody(ada, monkeypatch):
    """From the first step of its removal on, also in a process that knew it."""
    pack, key = take_in(name="everybody"), open_space(ada)
    mount(key, pack.space_id, person=ada, now=NOW)
    assert len(mounted(key.space)) == len(list_packs(ada)) == 1

    def die(table, space):
        raise SystemExit

    monkeypatch.setattr(removal, "_delete_some", die)
    with pytest.raises(SystemExit):
        remove_pack(pack.space_id, actor=None, now=NOW)
    assert mounted(key.space) == list_packs(ada) == []
    with pytest.raises(NotFound):
        mount(open_space(make_student("eve").person), pack.space_id, person=ada, now=NOW)


def test_a_pack_that_came_again_under_its_id_is_read_anew(ada):
    """As one that ships with the site does, whose id is made of its content."""
    pack, later = take_in(name="everybody"), NOW + timedelta(days=1)
    assert [found.imported_at for found in list_packs(ada)] == [NOW]
    remove_pack(pack.space_id, actor=None, now=NOW)
    make_space(manifest(), "", audience=Audience(), now=later, actor=None, pk=pack.space_id)
    assert list_packs(ada) == []
    make_ready(pack.space_id, actor=None, now=later)
    assert [found.imported_at for found in list_packs(ada)] == [later]
