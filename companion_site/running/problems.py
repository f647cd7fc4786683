"""What keeps the site from starting, said in one line."""


class CannotStart(Exception):
    """The site, or its database, cannot be started; the message is one line for the terminal."""
