"""What the companion works out by itself, without a language model: sums, days, units."""
