"""A database for `manage.py` commands that are typed while the site does not run."""

import sys

from companion_site.running.embedded import cluster_in, hold
from companion_site.running.environment import read_environment
from companion_site.running.given_database import connection_parameters
from companion_site.running.locks import FileLock
from companion_site.running.problems import CannotStart

#: Commands of Django that touch no database; every other one gets it.
WITHOUT_DATABASE = {
    "",
    "-h",
    "--help",
    "--version",
    "check",
    "collectstatic",
    "compilemessages",
    "diffsettings",
    "findstatic",
    "help",
    "makemessages",
    "startapp",
    "version",
}


def ensure_for_command(arguments: list[str]) -> FileLock | None:
    """Hold the embedded database for the length of a command; it stops afterwards unless somebody else uses it.

    Args:
        arguments: the command line, the program's name first.

    Returns:
        The hold, dropped by the end of the process, or None when no embedded database is wanted.
    """
    try:
        environment = read_environment()
        command = arguments[1] if len(arguments) > 1 else ""
        for variable, url in environment.database_urls.items():
            connection_parameters(variable, url)
        if (
            environment.database_urls
            or command in WITHOUT_DATABASE
            or {"--help", "--offline"} & set(arguments)
        ):
            return None
        return hold(cluster_in(environment.var_dir))
    except CannotStart as problem:
        sys.exit(str(problem))
