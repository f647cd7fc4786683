"""What the companion offers a company's people to take up: open items, follow-ups to decisions, deadlines."""
