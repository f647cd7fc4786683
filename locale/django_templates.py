"""Lets Babel read Django's templates, by Django's own template lexer."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize

#: `templatize` keeps a template's indentation, which means nothing here and is wrong as Python.
INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def extract(
    template: IO[bytes], keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, str, Any, Any]]:
    """Yield the translatable strings of one template: (line, function, message, comments)."""
    calls = templatize(template.read().decode("utf-8"), origin=getattr(template, "name", None))
    calls = INDENTATION.sub("", calls)
    yield from extract_python(BytesIO(calls.encode("utf-8")), keywords, comment_tags, options)
