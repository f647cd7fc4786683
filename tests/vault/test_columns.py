"""Single sealed columns open and close as their rows do."""

from contextvars import Context

import pytest

from companion_site.errors import BoxBroken, SpaceLocked
from companion_site.vault import unlocked
from companion_site.vault.columns import opener, seal_column
from companion_site.vault.scope import space_scope
from memory.models import Gratitude
from tests.factories import NOW, make_access

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def ada():
    return make_access("ada")


@pytest.fixture
def row(ada) -> Gratitude:
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        return Gratitude.objects.create(space_id=ada.space, text="A walk", at=NOW)


@pytest.mark.spec("G11")
def test_a_column_is_read_as_its_row_is(ada, row):
    """The words are the same, and a box does not open at another row's place."""
    other = make_access("bea")
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        open_text = opener(ada.space, Gratitude, "text")
        ((pk, box),) = Gratitude.objects.for_space(ada.space).values_list("pk", "text")
        assert open_text(pk, box) == row.text == "A walk"
        with pytest.raises(BoxBroken):
            open_text(other.space, box)


@pytest.mark.spec("G11")
def test_a_column_that_is_sealed_alone_is_read_through_its_row(ada, row):
    """An update of one row takes the box, and the row opens it."""
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        rows = Gratitude.objects.for_space(ada.space).filter(pk=row.pk)
        rows.update(text=seal_column(ada.space, Gratitude, "text", row.pk, "A swim"))
        assert rows.get().text == "A swim"


@pytest.mark.spec("G11")
def test_a_locked_space_opens_and_seals_nothing(ada, row):
    """Without the key there is neither."""
    with pytest.raises(SpaceLocked):
        Context().run(opener, ada.space, Gratitude, "text")
    with pytest.raises(SpaceLocked):
        Context().run(seal_column, ada.space, Gratitude, "text", row.pk, "A swim")
