"""Events in the record, and what verifying finds."""

from uuid import UUID

from django.db import transaction

from companion_site.audit.chain import Finding
from companion_site.audit.checkpoint_services import verify_record
from companion_site.audit.services import record_event
from tests.factories import NOW


def write(chain: UUID, count: int = 1) -> None:
    """Write so many events, each in a transaction of its own."""
    for number in range(count):
        with transaction.atomic():
            record_event("memory.formed", chain=chain, data={"count": number}, now=NOW)


def find() -> list[Finding]:
    """Return everything that is wrong, with the checkpoints and with the events."""
    said, findings = verify_record()
    return [*said.findings, *findings]
