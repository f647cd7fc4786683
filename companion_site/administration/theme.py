"""How the admin looks and what its sidebar shows."""

from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

UNFOLD = {
    "SITE_TITLE": _("Companion"),
    "SITE_HEADER": _("Companion"),
    "SITE_SUBHEADER": _("Administration"),
    "SITE_ICON": lambda request: static("icons/mark.svg"),
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("icons/mark.svg")}
    ],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "STYLES": [lambda request: static("css/admin.css")],
    "SIDEBAR": {"show_search": False, "navigation": "companion_site.administration.navigation.sidebar"},
}
