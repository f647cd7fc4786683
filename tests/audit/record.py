"""Events in the record, and what verifying finds."""

from uuid import UUID

from django.db import transaction

from companion_site.audit.chain import Finding
from companion_site.audit.checkpoint_services import verify_record
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from tests.factories import NOW


def write(chain: UUID, count: int = 1) -> None:
    """Write so many events, each in a transaction of its own."""
    for number in range(count):
        with transaction.atomic():
            record_event("memory.formed", chain=chain, data={"count": number}, now=NOW)


def events(chain: UUID, action: str = "") -> list[AuditEvent]:
    """Return the events of a chain whose action begins so, the earliest first."""
    return list(AuditEvent.objects.filter(chain=chain, action__startswith=action).order_by("position"))


def actions(chain: UUID, action: str = "") -> list[str]:
    """Return what was done, in order."""
    return [event.action for event in events(chain, action)]


def find() -> list[Finding]:
    """Return everything that is wrong, with the checkpoints and with the events."""
    said, findings = verify_record()
    return [*said.findings, *findings]
