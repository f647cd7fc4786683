"""From a model's text to validated data."""

from collections.abc import Callable

from pydantic import ValidationError

from companion_site.llm.errors import MalformedOutput
from companion_site.llm.types import Repair, S

#: Characters of an answer; those that our forms ask for have a few thousand.
LONGEST_ANSWER = 200_000


def parse_json(text: str, schema: type[S], *, restore: Callable[[str], str] = str) -> S:
    """Return the JSON object in `text` as `schema`; prose or a code fence around it is passed over.

    Args:
        restore: puts what was kept back from the model into its text; what it is asked to mend is as it wrote it.

    Raises:
        MalformedOutput: there is none, or it does not fit. What does not fit is described by place and rule, never
            by value, and the original error is dropped because it quotes the values.
    """
    if len(text) > LONGEST_ANSWER:
        raise MalformedOutput(Repair(raw="", problem="the answer is far too long"))
    try:
        return schema.model_validate_json(_cut_object(restore(text)))
    except ValidationError as error:
        problem = _describe(error)
    raise MalformedOutput(Repair(raw=text, problem=problem))


def _cut_object(text: str) -> str:
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def _describe(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'answer'}: {fault['type']}" for fault in faults[:8]
    )
