"""Figures about the platform: counted from rows, told to a scraper and drawn for staff."""
