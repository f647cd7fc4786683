"""What the live state refuses. Messages name the field and what would be right, and repeat nothing of what was sent."""

from django.utils.translation import gettext_lazy as _

from companion_site.accounts.system_requests import RequestRefused


class StateRefused(RequestRefused):
    code = "state.refused"
    message = _("This is no state of a company that can be taken in.")


class StateTooLarge(StateRefused):
    code = "state.too-large"
    message = _("Send less at a time: at most 200 key figures, 200 deadlines and 200 kB a request.")
    status = 413


class StateChanged(StateRefused):
    code = "state.changed"
    message = _("The figures have changed since this page was opened. This is what the file changes now.")
    status = 409
