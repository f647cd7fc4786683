"""What a company's people share: facts with their whole history, the live state, and what to take up next."""
