"""The pages of one's memory, in the order in which they are offered."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

#: a page's name to what it is called
PAGES: dict[str, str | Promise] = {
    "graph": _("Graph"),
    "timeline": _("Timeline"),
    "held": _("What I hold on to"),
    "review": _("Review"),
    "ledger": _("Ledger"),
    "packs": _("Packs"),
    "life": _("Mood and goals"),
    "progress": _("Progress"),
    "sleep": _("Sleep"),
    "clean_up": _("Clean-up"),
}
#: pages that lie behind one of these
BEHIND = {"pack": "packs", "pack_node": "packs"}
