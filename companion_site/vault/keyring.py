"""Which spaces are open, right here and right now.

`with unlocked(space, key):` is the only way to content. The keyring lives in a context variable: it follows one
request, one socket's turn or one job, and nothing else sees it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from uuid import UUID

from companion_site.errors import SpaceLocked
from companion_site.language import fold_words
from companion_site.vault.boxes import SpaceKey

_open_keys: ContextVar[Mapping[UUID, SpaceKey]] = ContextVar("open_keys", default=MappingProxyType({}))


@contextmanager
def unlocked(space: UUID, key: SpaceKey | None) -> Iterator[SpaceKey]:
    """Open `space` with `key` for the length of the block.

    Raises:
        SpaceLocked: there is no key, or it is another space's.
    """
    if key is None or key.space != space:
        raise SpaceLocked()
    token = _open_keys.set(MappingProxyType({**_open_keys.get(), space: key}))
    try:
        yield key
    finally:
        _open_keys.reset(token)


def hash_words(space: UUID, text: str) -> bytes:
    """Return the keyed hash by which the same words are known again, however they were cased, spaced and ended.

    Raises:
        SpaceLocked: the space is not open here.
    """
    return key_of(space).keyed_hash(fold_words(text).strip(" .!…"))


def key_of(space: UUID) -> SpaceKey:
    """Return the open key of `space`.

    Raises:
        SpaceLocked: the space is not open here.
    """
    try:
        return _open_keys.get()[space]
    except KeyError:
        raise SpaceLocked() from None
