"""Every page of the admin opens for staff, shows no content, and asks no more the more rows there are."""

import re
from base64 import b64encode

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connections
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from companion_site.accounts.models import ClassMembership, Person
from companion_site.administration.navigation import GROUPS
from companion_site.vault.models import KeySlot
from companion_site.vault.scope import space_scope
from tests.admin.rows import SECRET, make_more, make_one_of_each
from tests.live import logged_in

#: Models without a page, each with the reason.
NOT_SHOWN = {
    "accounts.ClassMembership": "edited with its class",
    "auth.Group": "roles are the only groups",
    "auth.Permission": "staff have every permission or none",
    "channels_postgres.GroupChannel": "transport, gone within a minute",
    "channels_postgres.Message": "transport, gone within a minute",
    "contenttypes.ContentType": "Django's own list of models",
    "django_q.Task": "shown as done and failed",
    "sessions.Session": "Django's own table, in which nothing is kept",
}
#: What staff may change and nobody may delete.
KEPT = (
    "accounts.BusinessSystem",
    "accounts.Company",
    "accounts.LearningSystem",
    "accounts.Person",
    "accounts.School",
    "accounts.SchoolClass",
)


def address(model, page, *args):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def test_every_model_has_a_page():
    """A model is in the admin, or on the list above with its reason."""
    shown = {model._meta.label for model in admin.site._registry}
    every = {model._meta.label for model in apps.get_models()}
    assert every - shown == set(NOT_SHOWN)


def test_the_start_page_lists_what_the_sidebar_lists(committed):
    """Every page is reached from the start page, by the sidebar's groups and words, once."""
    make_one_of_each()
    listed = logged_in("root").get("/admin/").context["app_list"]
    names = [(str(group["name"]), [str(model["name"]) for model in group["models"]]) for group in listed]
    assert names == [(str(title), [str(label) for _, label, _ in pages]) for title, pages in GROUPS]
    addresses = [model["admin_url"] for group in listed for model in group["models"]]
    assert sorted(addresses) == sorted(address(model, "changelist") for model in admin.site._registry)


@pytest.mark.slow
def test_every_page_opens_and_shows_no_content(committed):
    """List, detail and search of every model answer staff, without a sealed word, a key or a password's hash.

    Rows of spaces are never read by the site's own role.
    """
    rows = make_one_of_each()
    assert set(rows) - {ClassMembership} == set(admin.site._registry)
    words = forbidden_words(rows)
    client = logged_in("root")
    for model, key in rows.items():
        if model is ClassMembership:
            continue
        pages = [
            address(model, "changelist"),
            address(model, "change", key),
            address(model, "changelist") + f"?q={key}",
        ]
        for page in pages:
            with (
                CaptureQueriesContext(connections["default"]) as site,
                CaptureQueriesContext(connections["metadata"]) as metadata,
            ):
                answer = client.get(page)
            assert answer.status_code == 200, page
            assert [word for word in words if word in answer.text] == [], page
            if getattr(model, "belongs_to_space", False):
                table = f'FROM "{model._meta.db_table}"'
                assert any(table in query["sql"] for query in metadata), page
                assert not any(table in query["sql"] for query in site), page
        assert str(key) in answer.text, page


def forbidden_words(rows):
    person = Person.objects.get(pk=rows[Person])
    with space_scope(person.space_id):
        slot = KeySlot.objects.for_space(person.space_id).get(pk=rows[KeySlot])
    wrapped = bytes(slot.wrapped_key)
    return [SECRET, person.password, wrapped.hex(), b64encode(wrapped).decode()]


@pytest.mark.slow
def test_history_cannot_be_changed(committed):
    """What is history has no adding, changing or deleting, whatever is sent; nor is anybody deleted, which would orphan a space."""
    rows = make_one_of_each()
    client = logged_in("root")
    editable = {*KEPT, "overlay.Concept", "overlay.ConceptEdge", "overlay.Opening"}
    for model, key in rows.items():
        if model._meta.label in KEPT:
            assert client.post(address(model, "delete", key), {"post": "yes"}).status_code == 403, model
        if model is ClassMembership or model._meta.label in editable:
            continue
        assert client.get(address(model, "add")).status_code == 403, model
        assert client.post(address(model, "change", key), {"_save": "1"}).status_code == 403, model
        if model._meta.label != "accounts.Session":
            assert client.post(address(model, "delete", key), {"post": "yes"}).status_code == 403, model


@pytest.mark.slow
def test_a_list_asks_no_more_the_longer_it_is(committed):
    """The number of queries of a list does not grow with its rows."""
    rows = make_one_of_each()
    client = logged_in("root")
    short = {model: queries_of(client, model) for model in rows if model is not ClassMembership}
    for number in (1, 2, 3):
        make_more(number)
    assert {model: queries_of(client, model) for model in short} == short


def queries_of(client, model):
    with (
        CaptureQueriesContext(connections["default"]) as site,
        CaptureQueriesContext(connections["metadata"]) as metadata,
    ):
        client.get(address(model, "changelist"))
    return len(site), len(metadata)


def test_a_space_filter_keeps_one_space(committed):
    """A list narrowed to one space shows its rows only; a word that is no id finds none."""
    rows = make_one_of_each()
    client, slots = logged_in("root"), address(KeySlot, "changelist")
    space = Person.objects.get(username="ada0").space_id
    shown = set(
        re.findall(r"/admin/vault/space/([0-9a-f-]{36})/change/", client.get(f"{slots}?space={space}").text)
    )
    assert shown == {str(space)}
    assert str(rows[KeySlot]) not in client.get(f"{slots}?space=nobody").text
    assert str(rows[KeySlot]) not in client.get(f"{slots}?q=nobody").text
