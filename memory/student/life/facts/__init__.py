"""What memories tell of a person's life: facts with their kinds and times, open loops and a portrait."""
