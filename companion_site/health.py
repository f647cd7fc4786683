"""Whether the site lives, whether it can work, and where its front door leads."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import Error, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.module_loading import import_string

from companion_site.accounts.requests import PersonRequest
from companion_site.jobs import oldest_age_s, waiting_jobs
from companion_site.vault.checks import site_role_is_bound, what_is_missing


def home(request: PersonRequest) -> HttpResponse:
    """Send each person to where their work is; whoever is new here and talks with the companion is welcomed first."""
    if request.user.can_chat:
        return redirect("chat:conversations" if request.user.welcomed_at else "chat:welcome")
    if request.user.is_staff:
        return redirect("admin:index")
    if request.user.teaches:
        return redirect("teaching:classes")
    if request.user.audits:
        return redirect("wellbeing:students")
    if request.user.audits_company:
        return redirect("company:overview")
    return redirect("accounts:account")


@login_not_required
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that the process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@login_not_required
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether the database, its schema and the queue let the site do its work; 503 where not.

    What else is told (`TOLD_BY_READYZ`) is for who looks after the site, and never makes it unready.
    """
    checks: dict[str, object] = {"database": False, "migrations": False, "roles": False, "keys": False}
    checks |= {"oldest_job_s": None, "waiting_jobs": None}
    try:
        connections["default"].ensure_connection()
        checks["database"] = True
        checks["migrations"] = _schema_is_current()
        checks["roles"] = not site_role_is_bound(databases=["default", "metadata"])
        checks["keys"] = not what_is_missing()
        waiting = waiting_jobs(timezone.now())
        age_s = oldest_age_s(waiting)
        checks["oldest_job_s"] = round(age_s, 1)
        checks["waiting_jobs"] = {
            one.kind: {"count": one.count, "oldest_s": round(one.oldest.total_seconds(), 1)}
            for one in waiting
        }
        ready = checks["migrations"] and checks["roles"] and checks["keys"] and age_s < settings.JOB_STUCK_S
    except Error:
        ready = False
    told: dict[str, int | None] = dict.fromkeys(settings.TOLD_BY_READYZ)
    if checks["database"]:
        told = {name: _counted(path) for name, path in settings.TOLD_BY_READYZ.items()}
    return JsonResponse({"ready": bool(ready), **checks, **told}, status=200 if ready else 503)


def _counted(path: str) -> int | None:
    """Return a number that is told beside the checks; None for one that cannot be counted now."""
    try:
        return import_string(path)(timezone.now())
    except Error:
        return None


def _schema_is_current() -> bool:
    executor = MigrationExecutor(connections["default"])
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())
