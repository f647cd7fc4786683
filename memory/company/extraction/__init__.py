"""Taking facts about a company from what its people said: read, check, believe."""
