"""Personal data stays on this machine: placeholders go to the provider, and its answer gets the values back.

docs/scrubbing.md says what is found and what is not.
"""
