"""What a reply stood on, measured from its words: which memories it shows, how personal that makes it, and of what type it is."""
