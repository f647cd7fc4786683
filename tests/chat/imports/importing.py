"""Bringing an export in as its person does, without a page."""

import io
import json

from django.utils import timezone

from chat.access import ChatAccess
from chat.imports import uploads, work
from chat.models import Conversation, Import, Message
from companion_site.vault.scope import space_scope
from tests.live import run_jobs


def run_all() -> None:
    """Work until nothing is queued."""
    while run_jobs():
        pass


def upload(access: ChatAccess, *files: bytes) -> Import:
    """Upload files and have them read; return the import as it stands then."""
    announced = [("conversations.json", len(file)) for file in files]
    row = uploads.begin(access, announced, now=timezone.now())
    for number, file in enumerate(files):
        uploads.take_file(access, row, number, io.BytesIO(file))
    work.finish_upload(access, row.pk, now=timezone.now())
    run_all()
    return uploads.own_import(access, row.pk)


def bring(access: ChatAccess, *files: bytes) -> Import:
    """Upload files, say yes, and have memories formed of them."""
    row = upload(access, *files)
    work.keep(access, row.pk, now=timezone.now())
    run_all()
    return uploads.own_import(access, row.pk)


def as_file(*entries: object) -> bytes:
    return json.dumps(entries).encode()


def preview(access: ChatAccess, row: Import) -> dict:
    with space_scope(access.space), access.open():
        return row.preview


def talks(access: ChatAccess) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each conversation that stands, the oldest first: its title, and who said what."""
    found = []
    with space_scope(access.space), access.open():
        rows = Conversation.objects.for_space(access.space).of_author(access.person)
        for row in rows.order_by("created_at", "id"):
            messages = Message.objects.for_space(access.space).filter(conversation=row).order_by("position")
            found.append((row.title, [(one.role, one.text) for one in messages]))
    return found
