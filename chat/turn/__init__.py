"""One turn of the companion, step by step; each step is a small module, timed, and none knows of a socket."""
