"""Sleep: what a session left in short-term memory is taken into long-term memory (docs/algorithms/sleep.md)."""
