"""What docs/api.md shows can be sent as it stands."""

import re
import shlex
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from companion_site.accounts.tokens import Scope
from memory.agents.workingset import agent_working_sets
from memory.packs.uploads import import_waiting
from tests.api.conftest import make_program
from tests.factories import make_access
from tests.memory.agents.conftest import make_agent
from tests.memory.packs.making import NumbersEmbedder, pack_file

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

DOCUMENT = (Path(settings.BASE_DIR) / "docs/api.md").read_text(encoding="utf-8")
HEADER = re.compile(r"([^:]+): (.*)")


def commands() -> list[str]:
    """Return every command of the document, in its order."""
    blocks = re.findall(r"^```\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
    return [
        command
        for block in blocks
        for command in re.findall(r"^curl .*?(?=^curl |\Z)", block, re.DOTALL | re.MULTILINE)
    ]


def send(command: str, known: dict[str, str]) -> Any:
    """Send what a command sends; return the answer."""
    for name, value in known.items():
        command = command.replace(f"${name}", value)
    words = iter(shlex.split(command)[1:])
    method, given, form, url = "GET", {}, {}, ""
    for word in words:
        if word == "-H":
            name, value = HEADER.fullmatch(next(words)).groups()
            given[f"HTTP_{name.upper().replace('-', '_')}"] = value
        elif word == "--json":
            method = "POST"
            given |= {"data": next(words), "content_type": "application/json"}
        elif word == "-F":
            name, _, value = next(words).partition("=")
            form[name] = SimpleUploadedFile(value[1:], pack_file().getvalue()) if value[0] == "@" else value
        elif word == "-X":
            method = next(words)
        elif word == "-o":
            next(words)
        else:
            url = word
    path = "/" + url.split("/", 3)[3]
    client = Client()
    return client.post(path, form, **given) if form else client.generic(method, path, **given)


def test_what_is_shown_can_be_sent():
    """Every command, one after another, by a person and by an agent of theirs."""
    access = make_access("ada")
    opened = make_agent(access.key)
    known = {
        "SITE": "https://companion.example",
        "TOKEN": make_program(access).text,
        "AGENT": make_program(access, Scope.AGENT, Scope.PACKS, key=opened.key).text,
    }
    sent = commands()
    for command in sent:
        answer = send(command, known)
        assert answer.status_code < 300, (command, answer.content)
        if "uploads -F" in command:
            known["PACK"] = answer.json()["id"]
            import_waiting(UUID(known["PACK"]), embedder=NumbersEmbedder())
    assert len(sent) > 10 and "PACK" in known
    agent_working_sets.forget(opened.space)


def test_every_address_is_in_the_table():
    """Whole, or by its end where it stands behind the one that it begins with."""
    table = DOCUMENT.split("## Addresses")[1].split("\n## ")[0]
    for path in Client().get("/api/v1/openapi.json").json()["paths"]:
        parts = re.sub(r"\{\w+\}", "<id>", path.removeprefix("/api/v1/")).split("/")
        ends = [f"…/{'/'.join(parts[start:])}" for start in range(1, len(parts))]
        assert any(f"{said}`" in table for said in (f"/{'/'.join(parts)}", *ends)), path
