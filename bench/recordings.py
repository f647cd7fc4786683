"""Conversations to measure with, out of files and folders."""

import sys
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


def load_measurable(paths: Sequence[Path]) -> list[Conversation]:
    """Return the conversations, each with questions whose evidence it holds.

    Raises:
        BadConversation: a file is damaged, asks nothing, or names no evidence that it holds.
    """
    conversations = load_conversations(paths)
    for conversation in conversations:
        if not conversation.questions:
            raise BadConversation(f"{conversation.name}: no questions")
        if not any(question.evidence for question in conversation.questions):
            raise BadConversation(
                f"{conversation.name}: no question names a turn of the file as its evidence"
            )
        if missing := [turn for question in conversation.questions for turn in question.missing]:
            sys.stderr.write(
                f"{conversation.name}: evidence that is not in the file is not asked for: {', '.join(missing[:5])}"
                f"{' and others' if len(missing) > 5 else ''}\n"
            )
    return conversations
