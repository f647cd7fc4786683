"""The pages and the command of imports: whole in a form, in pieces, refused with a reason, and nobody else's."""

import io
import json
import sys

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from bench.exports import chatgpt
from tests.chat.imports.importing import as_file, run_all, talks, upload
from tests.factories import PASSWORD, make_access, make_business_user
from tests.live import logged_in

pytestmark = pytest.mark.spec("C2")

TOLD = ("I live in Lund with my aunt Karin.", "My exam in organic chemistry is on 3 June.")
EXPORT = as_file(chatgpt(1, TOLD))
PAGE = "/chat/imports/"


def send(browser, *files: bytes):
    named = [SimpleUploadedFile("conversations.json", file) for file in files]
    return browser.post(PAGE, {"files": named})


def test_by_a_form_without_scripts(ada, browser):
    """Chosen, looked at, kept, remembered, removed and had back, each by a plain form."""
    assert PAGE in browser.get("/chat/").text
    page = send(browser, EXPORT)["Location"]
    assert "Your file is being read" in browser.get(page).text
    assert browser.get(f"{page}state/").json()["open"] is True
    run_all()
    shown = browser.get(page).text
    assert "4, of which 2 are yours" in shown and "9 January 2024" in shown and "Lund" in shown
    assert talks(ada) == []
    browser.post(page, {"do": "keep"})
    assert "being kept" in browser.get(page).text
    run_all()
    assert len(talks(ada)) == 1 and browser.get(f"{page}state/").json()["open"] is False
    browser.post(page, {"do": "remove"})
    run_all()
    assert talks(ada) == [] and "Have it back" in browser.get(page).text
    browser.post(page, {"do": "restore"})
    run_all()
    assert len(talks(ada)) == 1
    assert browser.post(page, {"do": "discard"}).status_code == 404
    assert browser.post(page, {"do": "dance"}).status_code == 400


def test_in_pieces(ada, browser):
    """As the page's script sends them; what does not fit is refused with a reason, and a damaged file told by its page."""
    given = {"name": ["a.json"], "size": [str(len(EXPORT))]}
    begun = browser.post(f"{PAGE}begin/", given).json()

    def piece(number: int, body: bytes, file: int = 0):
        address = f"{begun['pieces']}{file}/{number}/"
        return browser.post(address, body, content_type="application/octet-stream")

    refused = browser.post(f"{begun['page']}finish/", headers={"Accept": "application/json"})
    assert refused.json()["message"].startswith("The upload was cut off")
    for number, body, file in ((0, EXPORT[:-1], 0), (10**30, b"", 0), (0, b"x", 1)):
        assert piece(number, body, file).status_code == 400
    assert piece(0, EXPORT).status_code == piece(0, EXPORT).status_code == 204
    assert browser.post(f"{begun['page']}finish/").status_code == 204
    run_all()
    assert "Keep it" in browser.get(begun["page"]).text
    assert browser.post(begun["page"], {"do": "discard"})["Location"] == PAGE
    for size in ("", "-1", "x", "9" * 5000, "0"):
        assert browser.post(f"{PAGE}begin/", {"name": ["a"], "size": [size]}).status_code == 400
    page = send(browser, EXPORT[:-9])["Location"]
    run_all()
    assert "The file ends in the middle" in browser.get(page).text
    for files in ((), (b"",)):
        assert "Choose one file" in browser.get(send(browser, *files)["Location"]).text
    assert talks(ada) == []


def test_a_stranger_finds_nothing(ada, browser):
    """A student's import is theirs; a company has none."""
    row = upload(ada, EXPORT)
    make_access("eve")
    make_business_user("bo")
    eve, page = logged_in("eve"), reverse("chat:import", args=[row.pk])
    answers = [
        eve.get(page),
        eve.get(f"{page}state/"),
        eve.post(f"{page}finish/"),
        eve.post(f"{page}pieces/0/0/", b"x", content_type="application/octet-stream"),
        *(eve.post(page, {"do": do}) for do in ("keep", "discard", "remove", "restore")),
        logged_in("bo").get(PAGE),
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert PAGE not in logged_in("bo").get("/chat/").text


def run(monkeypatch, *args: object, password: str = PASSWORD) -> str:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{password}\n"))
    call_command("import_history", *map(str, args), stdout=out)
    return out.getvalue()


def test_by_the_command(ada, monkeypatch, tmp_path):
    """It tells what is in it, keeps it only where that is asked for, and twice adds nothing."""
    file = tmp_path / "conversations.json"
    file.write_bytes(EXPORT)
    assert "1 conversations (0 here already), 4 messages" in run(monkeypatch, "ada", file)
    assert talks(ada) == []
    assert "2 messages read for memories" in run(monkeypatch, "ada", file, "--keep")
    assert "(1 here already)" in run(monkeypatch, "ada", file, "--keep") and len(talks(ada)) == 1
    file.write_text(json.dumps([1]))
    for args in (("ada", file), ("nobody", file), ("ada", tmp_path / "missing")):
        with pytest.raises(CommandError):
            run(monkeypatch, *args)
    with pytest.raises(CommandError):
        run(monkeypatch, "ada", file, password="wrong")
