"""`python -m tests.running.drill VERB`: what the restore drill does on the site that VAR_DIR names."""

import json
import sys

import django


def fill() -> None:
    """Make a row of every model, with content, and a student whose memory will be erased."""
    from tests.admin.rows import make_one_of_each
    from tests.factories import make_student

    make_one_of_each()
    make_student("erin")


def erase() -> None:
    """Give up erin's memory, as beginning anew does."""
    from django.utils import timezone

    from companion_site.accounts.models import Person
    from companion_site.accounts.services import personal_space
    from companion_site.vault.services import close_space

    erin = Person.objects.get(username="erin")
    close_space(personal_space(erin), now=timezone.now(), actor=erin)


def look() -> None:
    """Write down what each person's password and recovery of the company's memory open."""
    from chat.models import Message
    from companion_site.accounts.models import Person, Session
    from companion_site.accounts.services import personal_space
    from companion_site.audit.models import AuditEvent
    from companion_site.errors import SpaceLocked
    from companion_site.vault import unlocked
    from companion_site.vault.models import Space
    from companion_site.vault.scope import space_scope
    from memory.models import CompanyFact, MemoryNode
    from tests.factories import open_space

    counted = {"events": AuditEvent, "people": Person, "sessions": Session}
    found: dict = {"locked": [], **{name: model.objects.count() for name, model in counted.items()}}
    for name in ("ada0", "erin"):
        person = Person.objects.get(username=name)
        if personal_space(person).closed_at is not None:
            found["locked"].append(name)
            continue
        try:
            key = open_space(person)
        except SpaceLocked:
            found["locked"].append(name)
            continue
        with space_scope(key.space), unlocked(key.space, key):
            found[name] = [str(node.content) for node in MemoryNode.objects.for_space(key.space)]
            found[name] += [str(message.text) for message in Message.objects.for_space(key.space)]
    found["company"] = []
    for space in Space.objects.filter(kind=Space.Kind.COMPANY):
        with space_scope(space.pk):
            found["company"] += [fact.content for fact in CompanyFact.objects.for_space(space)]
    sys.stdout.write(json.dumps(found))


def ready() -> None:
    """Write down what /readyz says."""
    from django.test import Client

    sys.stdout.write(Client().get("/readyz", headers={"host": "localhost"}).text)


if __name__ == "__main__":
    django.setup()
    {"fill": fill, "erase": erase, "look": look, "ready": ready}[sys.argv[1]]()
