"""A message that is stored while a worker gives the lease back keeps a lease to be remembered by."""

import threading
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connections
from django.utils import timezone

from chat import services
from companion_site.vault.leases import leased
from companion_site.vault.scope import space_scope
from companion_site.vault.services import grant_lease
from tests.factories import make_access
from tests.live import leases
from tests.racing import wait_until_blocked

pytestmark = [pytest.mark.spec("G4"), pytest.mark.spec("G11")]


def test_a_lease_is_not_given_back_over_a_message_on_its_way(committed):
    """The message's moment lies before the work that ends, and its row is committed after it."""
    ada, now = make_access("ada"), timezone.now()
    grant_lease(ada.key, now=now - timedelta(minutes=1))
    conversation = services.begin_conversation(ada, now=now)

    def do_other_work():
        try:
            with leased(ada.space, purpose="memory.inbox", now=now + timedelta(seconds=1)) as key:
                assert key is not None
        finally:
            connections["default"].close()

    worker = threading.Thread(target=do_other_work)
    with space_scope(ada.space):
        services.say(ada, conversation.pk, text="I find recursion hard", client_id=uuid4(), now=now)
        worker.start()
        wait_until_blocked()
    worker.join(10)
    assert leases(ada) == 1
