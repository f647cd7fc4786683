"""Conversations to measure with, out of files and folders."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chat.demo.recordings import BadConversation, Conversation, load_conversation


def load_conversations(paths: Sequence[Path]) -> list[Conversation]:
    """Return the conversations of files and of all `*.json` in folders, in order of name.

    Raises:
        BadConversation: a file is damaged, or there is none.
    """
    files = sorted(file for path in paths for file in (path.glob("*.json") if path.is_dir() else [path]))
    if not files:
        raise BadConversation(f"no conversation in {', '.join(map(str, paths))}")
    seen: Counter[str] = Counter()
    found = []
    for conversation in map(load_conversation, files):
        name = conversation.name
        seen[name] += 1
        if seen[name] > 1:  # files of one name get numbers, so that none is taken for another
            conversation = replace(conversation, name=f"{name} ({seen[name]})")
        found.append(conversation)
    return found


def sessions_of(conversation: Conversation) -> dict[str, str]:
    """Return the session id of every turn id."""
    return {turn.id: session.id for session, turn in conversation.turns()}
