"""A company as it stands now: figures and deadlines from its own books, by API, by hand or from a SIE file."""
