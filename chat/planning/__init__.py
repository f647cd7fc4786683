"""What to take up in a reply, what it is for, and in which tone: rules over plain data, without rows, clock or network."""
