"""Every address of the site."""

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.i18n import set_language

from companion_site import health
from companion_site.metrics.views import metrics

urlpatterns = [
    path("", health.home, name="home"),
    path("", include("companion_site.accounts.urls")),
    path("chat/", include("chat.urls")),
    path("memory/", include("memory.student.pages.urls")),
    path("agents/", include("memory.agents.pages.urls")),
    path("map/", include("overlay.urls")),
    path("teaching/", include("memory.teaching.urls")),
    path("teaching/concepts/", include("overlay.teacher_urls")),
    path("company/", include("memory.company.audit.urls")),
    path("wellbeing/", include("memory.teaching.wellbeing_urls")),
    path("api/", include("memory.inbound.urls")),
    path("api/company/", include("memory.company.live.urls")),
    path("api/v1/", include("companion_site.api.urls")),
    path("admin/", admin.site.urls),
    path("i18n/setlang/", login_not_required(set_language), name="set_language"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]

handler400 = "companion_site.error_pages.bad_request"
handler404 = "companion_site.error_pages.not_found"
