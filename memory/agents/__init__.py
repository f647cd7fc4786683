"""What programs remember: each agent has a sealed space of its own, lit up by what it is asked."""
