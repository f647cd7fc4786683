"""The first look is made whole or not at all."""

import pytest
from django.db import connection

from chat.demo import MET, ensure_demo
from companion_site.accounts.models import Person, School
from overlay.worlds import world_of
from tests.factories import NOW


def die_at_openings(execute, sql, params, many, context):
    if "overlay_opening" in sql and sql.startswith("INSERT"):
        raise SystemExit
    return execute(sql, params, many, context)


@pytest.mark.spec("G10")
def test_a_first_run_that_was_cut_short_is_made_up_for(committed):
    """Killed while the world is being opened it leaves nobody behind, so that the next start makes all of it."""
    with pytest.raises(SystemExit), connection.execute_wrapper(die_at_openings):
        ensure_demo(now=NOW)
    assert not Person.objects.exists() and not School.objects.exists()
    ensure_demo(now=NOW)
    names = {concept.key for concept in world_of(Person.objects.get(username="ada")).concepts}
    assert names.issuperset(MET)
    count = Person.objects.count()
    ensure_demo(now=NOW)
    assert Person.objects.count() == count
