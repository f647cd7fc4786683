"""Room for the frames of calls, which older Pythons ask the system for again and again."""

from types import FunctionType

#: Of a stack: room for some thousand calls, half a megabyte; what is never called there takes no memory.
SLOTS = 70_000


def give_room(*functions: FunctionType) -> None:
    """Have what these functions call share one piece of memory.

    Frames lie in pieces of 16 KiB. Until python/cpython#142183 was mended, a loop whose calls just do not fit into a piece got and gave back the
    next one with every call: half the time of a test that draws pages.
    """
    for function in functions:
        function.__code__ = function.__code__.replace(co_stacksize=SLOTS)
