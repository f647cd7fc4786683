"""What an auditor of a company sees of its memory: every fact, what replaced it, and what was believed on any day."""
