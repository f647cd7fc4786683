"""Writing down what an extraction did not take, with the reason, for the company's auditors."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from memory.company.extraction.schema import Refused
from memory.models import CompanyRefusal, Extraction

#: rows of one extraction for each reason: a model gone astray does not fill the auditors' page
MOST_EACH = 10


def record_refusals(extraction: Extraction, refused: Sequence[Refused], *, now: datetime) -> dict[str, int]:
    """Write what was refused, inside the space's scope; return how many of each reason there were.

    All are counted; of very many with one reason the first ones are written.
    """
    written: Counter[str] = Counter()
    rows = []
    for one in refused:
        written[one.reason] += 1
        if written[one.reason] <= MOST_EACH:
            rows.append(
                CompanyRefusal(
                    space_id=extraction.space_id,
                    extraction=extraction,
                    reason=one.reason,
                    content=one.content,
                    source_message_id=one.message,
                    at=now,
                )
            )
    CompanyRefusal.objects.bulk_create(rows)
    return {str(reason): count for reason, count in written.items()}
