"""Everything between `make run` and a site that answers: the embedded database and the processes around it.

Nothing here imports Django, so that a problem at the start is told in one line before anything heavy is loaded.
"""
