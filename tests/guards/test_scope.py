"""Content is reached through one scope per app, and jobs carry ids only."""

import ast
import re
from inspect import signature

import pytest
from django.apps import apps
from django.utils.module_loading import import_string

from companion_site.ids import new_id
from companion_site.jobs import declared_schedules, enqueue
from tests.cases import cases
from tests.guards.source import calls, modules, nodes

#: Where a space may be opened, app by app: use cases and the edge of a request, never models, admin or algorithms.
OPENS = {
    "chat/turn/company.py",
    "chat/attachments/store.py",
    "chat/attachments/views.py",
    "chat/views.py",
    "chat/company/dialogue.py",
    "chat/demo/people.py",
    "chat/company/suggestions.py",
    "chat/conversations/deletion.py",
    "chat/conversations/properties.py",
    "chat/memories/exchange.py",
    "chat/conversations/export.py",
    "chat/memories/formation.py",
    "chat/imports/views.py",
    "chat/imports/uploads.py",
    "chat/imports/work.py",
    "chat/management/commands/import_history.py",
    "chat/initiative.py",
    "chat/memories/copy.py",
    "chat/replies/presentation.py",
    "chat/demo/replay.py",
    "chat/replies/store.py",
    "chat/conversations/search.py",
    "chat/conversations/views.py",
    "chat/services.py",
    "chat/summaries/service.py",
    "chat/turn/student.py",
    "chat/turn/earlier.py",
    "chat/turn/forget.py",
    "chat/turn/life.py",
    "chat/welcome.py",
    "chat/turn/message.py",
    "chat/turn/recall.py",
    "chat/turn/inputs.py",
    "chat/turn/quiz.py",
    "chat/conversations/versions.py",
    "chat/voice/selection.py",
    "companion_site/accounts/access.py",
    "companion_site/api/operations.py",
    "companion_site/api/idempotency.py",
    "companion_site/vault/inbox_keys.py",
    "memory/agents/agents.py",
    "memory/api/agents.py",
    "memory/student/compression/run.py",
    "memory/student/copies/exporter.py",
    "memory/student/ingest/pipeline.py",
    "memory/inbound/inbox.py",
    "memory/reembedding/space.py",
    "memory/student/sleep/run.py",
}
#: Models whose rows belong to spaces; their queries start at `for_space`.
ROWS = {model.__name__ for model in apps.get_models() if getattr(model, "belongs_to_space", False)}
#: What may follow `.objects` on them: a scope, or a row that names its space.
STARTS = {"for_space", "create", "bulk_create"}

#: Reads across spaces, by the role that sees no content.
ACROSS = [
    "chat/attachments/store.py: Attachment.objects.using",
    "chat/conversations/deletion.py: Conversation.objects.using",
    "chat/conversations/deletion.py: Message.objects.using",
    "chat/figures.py: Message.objects.using",
    "chat/imports/work.py: Import.objects.using",
    "chat/memories/due.py: Conversation.objects.using",
    "companion_site/accounts/sessions.py: ApiToken.objects.using",
    "companion_site/accounts/sessions.py: KeySlot.objects.using",
    "companion_site/accounts/tokens.py: ApiToken.objects.using",
    "companion_site/api/idempotency.py: KeptAnswer.objects.using",
    "companion_site/vault/leases.py: KeySlot.objects.using",
    "ledger/services.py: ThreatAlert.objects.using",
    "memory/agents/figures.py: AgentContext.objects.using",
    "memory/company/summaries/service.py: CompanyCompression.objects.using",
    "memory/company/summaries/service.py: CompanyFact.objects.using",
    "memory/figures.py: CompanyCompression.objects.using",
    "memory/figures.py: CompressionRun.objects.using",
    "memory/figures.py: Extraction.objects.using",
    "memory/figures.py: SleepRun.objects.using",
    "memory/figures.py: SleepRun.objects.using",
    "memory/inbound/xapi.py: SealedBox.objects.using",
    "memory/packs/removal.py: Pack.objects.using",
    "memory/packs/shipped.py: Pack.objects.using",
    "memory/packs/shipped.py: PackMount.objects.using",
    "memory/reembedding/tables.py: AgentVector.objects.using",
    "memory/reembedding/tables.py: CompanyFactVector.objects.using",
    "memory/reembedding/tables.py: MemoryVector.objects.using",
    "memory/reembedding/tables.py: PackVector.objects.using",
    "memory/student/sleep/history.py: SleepRun.objects.using",
    "memory/student/sleep/history.py: SleepRun.objects.using",
    "memory/student/sleep/history.py: SleepRun.objects.using",
    "memory/student/sleep/store.py: MemoryNode.objects.using",
    "memory/student/snapshots.py: SealedBox.objects.using",
    "memory/student/store.py: MemoryNode.objects.using",
    "memory/student/wellbeing.py: MemoryNode.objects.using",
    "memory/student/wellbeing.py: MemorySource.objects.using",
    "memory/teaching/services.py: SealedBox.objects.using",
]

#: SQL of our own, each with what for.
CURSORS = {
    "companion_site/accounts/limits.py": "limits counted in one statement; no rows of a space",
    "companion_site/audit/checkpoint_services.py": "when the oldest transaction under way began",
    "companion_site/audit/services.py": "the locks of a chain and of the keys, and where a chain ends",
    "companion_site/vault/checks.py": "what a role may do",
    "companion_site/vault/columns.py": "one column of many rows, in their own space",
    "companion_site/vault/protection.py": "the rules themselves",
    "companion_site/vault/scope.py": "the scope itself",
    "companion_site/vault/services.py": "a space's version, counted and told at once",
    "memory/company/suggestions/services.py": "the rows in which an item stood before, in its own space",
    "memory/agents/context_store.py": "a tick counted and told at once, and numbers of many nodes, in their own space",
    "memory/packs/vectors.py": "an index for another embedding model, as the owner",
    "memory/packs/nearest.py": "the nearest vectors, by the index, in the pack's own space",
    "memory/packs/removal.py": "many rows of a pack deleted some at a time, in its own space, and then the space",
    "memory/packs/contents.py": "links of a pack node by node, in its own space",
    "memory/packs/store.py": "new plans after many new rows",
    "memory/reembedding/space.py": "a claim on a space that goes with its worker",
    "memory/student/selectors.py": "a space's version, which is no row of a space",
    "overlay/importer.py": "new plans after many new rows",
}

#: The queue's own ways in.
QUEUES = ("async_task", "async_iter", "schedule", "AsyncTask", "Chain", "Iter")
ENDS_IN_ID = re.compile(r"(^|\.)(pk|id|space|key\.space|\w+_id)$")


def test_spaces_are_opened_in_few_places():
    """`unlocked` is called, or an access opened, in the places on the list alone, so that content has one door per app.

    What works for an agent opens the access that it is given.
    """
    found = {name for name, tree in modules() if any(calls(tree, "unlocked")) or opens_access(name, tree)}
    assert found == OPENS


def opens_access(name, tree):
    """Tell whether a module opens an access, other than in an agent's memory."""
    called = (ast.unparse(call.func) for call in calls(tree, "open"))
    return not name.startswith("memory/agents/") and "access.open" in called


def managers():
    """Yield every use of `.objects`: the module, the use, and what it is asked for there, if anything."""
    for name, tree in modules():
        uses = [node for node in nodes(tree) if isinstance(node, ast.Attribute)]
        asked = {node.value: node for node in uses}
        yield from ((name, node, asked.get(node)) for node in uses if node.attr == "objects")


def test_rows_of_spaces_are_read_by_their_space():
    """Every use of `.objects` of such a model begins with `for_space`, or makes a row of a named space."""
    strays = [
        f"{name}: {ast.unparse(asked)}"
        for name, node, asked in managers()
        if getattr(node.value, "id", "") in ROWS and asked.attr not in STARTS
    ]
    assert sorted(strays) == ACROSS


def test_rows_are_made_in_a_named_space():
    """A row of a space is made with its space, never left to a default."""
    strays = []
    for name, tree in modules():
        for call in calls(tree, "create"):
            model = getattr(getattr(getattr(call.func, "value", None), "value", None), "id", "")
            if model in ROWS and "space_id" not in {word.arg for word in call.keywords}:
                strays.append(f"{name}:{call.lineno}")
    assert strays == []


def test_a_manager_is_asked_for_by_its_model():
    """`.objects` stands between a model's own name and what it is asked, so that the rules above see it."""
    strays = []
    for name, node, asked in managers():
        of_a_model = isinstance(node.value, ast.Name) and node.value.id[0].isupper()
        if not of_a_model or asked is None:
            strays.append(f"{name}:{node.lineno}")
    assert strays == []


def test_what_these_rules_look_for_keeps_its_name():
    """No module imports a model of rows, or a function that the rules name, under another name."""
    watched = {*QUEUES, "unlocked", "enqueue"}
    strays = [
        f"{name}: {alias.name} as {alias.asname}"
        for name, tree in modules()
        for node in nodes(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
        and (alias.name in watched or (alias.name in ROWS and str(node.module).endswith("models")))
    ]
    assert strays == []


def test_nobody_goes_round_the_scope():
    """Managers that know no scope, and SQL of one's own in a query, are not used; a cursor is, where the list says."""
    strays, cursors = [], set()
    for name, tree in modules():
        strays += [f"{name}: {word}" for word in ("raw", "extra", "RawSQL") for _ in calls(tree, word)]
        strays += [
            f"{name}:{node.lineno}"
            for node in nodes(tree)
            if isinstance(node, ast.Attribute) and node.attr in {"_base_manager", "_default_manager"}
        ]
        if any(calls(tree, "cursor")):
            cursors.add(name)
    assert strays == [] and cursors == set(CURSORS)


def test_only_the_door_queues_work():
    """`async_task` and its like are called by `jobs.enqueue` alone."""
    found = {name for name, tree in modules() for word in QUEUES for _ in calls(tree, word)}
    assert found == {"companion_site/jobs.py"}


def test_jobs_are_given_ids_only():
    """Each call of `enqueue` names its job in full and passes expressions that end in an id."""
    found = 0
    for name, tree in modules():
        for call in calls(tree, "enqueue"):
            where = f"{name}:{call.lineno}"
            assert not call.keywords, where
            path, *ids = call.args
            assert isinstance(path, ast.Name) or re.fullmatch(r"\w+(\.\w+)*\.tasks\.\w+", path.value), where
            assert [ast.unparse(value) for value in ids if not ENDS_IN_ID.search(ast.unparse(value))] == [], (
                where
            )
            found += 1
    assert found


@pytest.mark.django_db
@cases("secret", ["My cat is called Moses", b"\x00" * 32, {"text": "Moses"}, 5])
def test_the_door_refuses_what_is_no_id(secret):
    """Words, keys and structures cannot be queued, whatever the caller meant."""
    with pytest.raises(TypeError):
        enqueue("chat.tasks.form_memory", new_id(), secret)


def test_scheduled_work_exists():
    """The schedules that the apps declare name functions that can be imported."""
    assert all(callable(import_string(schedule.task)) for schedule in declared_schedules())


def test_work_that_the_settings_name_exists(settings):
    """Jobs queued at log-in and between sessions are jobs of one id; questions take a space; what is loaded takes nothing."""
    jobs = {*settings.TASKS_AFTER_UNLOCK, *settings.BETWEEN_SESSIONS.values()}
    assert all(import_string(path).is_job for path in jobs)
    for path in {*jobs, *settings.WORK_LEFT, *settings.BETWEEN_SESSIONS}:
        given = signature(import_string(path)).parameters.values()
        assert len([one for one in given if one.kind is not one.KEYWORD_ONLY]) == 1, path
    assert not signature(import_string(settings.LOADED_AT_START)).bind().arguments
