"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from companion_site import health

urlpatterns = [
    path("", health.home, name="home"),
    path("", include("companion_site.accounts.urls")),
    path("chat/", include("chat.urls")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]

handler404 = "companion_site.error_pages.not_found"
