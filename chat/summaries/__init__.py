"""What was said earlier in a long conversation, in short: folded in batch by batch behind the conversation (C3)."""
