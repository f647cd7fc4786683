"""What is wrong with a SIE file, with its line and what to do about it."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from companion_site.errors import InvalidInput


class SieRefused(InvalidInput):
    """Carries the line, counted from 1; None where it is about the whole file."""

    code = "sie.refused"
    message = _("This is no SIE file that can be read.")

    def __init__(self, problem: str | None = None, *, line: int | None = None) -> None:
        self.line = line
        if problem and line:
            problem = gettext("Line %(line)d: %(problem)s") % {"line": line, "problem": problem}
        super().__init__(problem)
