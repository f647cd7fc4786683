"""Exports of other chats as those write them, made of sentences: for tests, and to measure with."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

MADE = UUID("b6a0f9b8-9c53-5f0e-8d1e-0c7c33a1d9a4")
BEGAN = datetime(2024, 1, 8, 15, 0, tzinfo=UTC)
#: What people tell beside their questions; most of what is said to a chat leaves nothing behind.
TOLD = (
    "I live in {place} with my {person} {name}.",
    "My exam in {subject} is on {day} May.",
    "I play {game} every {weekday} with {name}.",
    "{name} is my {person} and works as a {work}.",
    "I find {subject} hard, so please explain it step by step.",
    "I am allergic to {food}.",
)
ASKED = (
    "Can you explain how a {word} works in {subject}?",
    "What is the difference between a {word} and a {word}?",
    "Write it shorter, please.",
    "Give me five questions about {subject} so that I can practise.",
    "Why does this not work? I get an error in the second line.",
    "Thanks, that helps!",
)
WORDS: dict[str, Sequence[str]] = {
    "place": ("Lund", "Kiruna", "Visby", "Umeå", "Gävle", "Borås", "Kalmar"),
    "person": ("aunt", "brother", "cousin", "sister", "neighbour"),
    "name": ("Karin", "Ola", "Siv", "Hamid", "Greta", "Yusuf", "Maja", "Nils", "Amina"),
    "subject": ("chemistry", "algebra", "history", "biology", "Spanish", "programming"),
    "day": tuple(map(str, range(2, 30))),
    "game": ("handball", "chess", "floorball", "the piano", "tennis"),
    "weekday": ("Monday", "Tuesday", "Thursday", "Sunday"),
    "work": ("nurse", "carpenter", "baker", "pilot", "welder"),
    "food": ("nuts", "shellfish", "eggs", "kiwi"),
    "word": ("valence", "derivative", "loop", "cell wall", "verb", "treaty", "vector"),
}
ANSWER = "Here is a short answer first. Then an example: {subject} is easier when you draw the {word}. " * 6


def sentence(number: int, patterns: Sequence[str]) -> str:
    """Return a sentence that is the same for the same number."""
    text, count = patterns[number % len(patterns)], number
    for kind, words in WORDS.items():
        while f"{{{kind}}}" in text:
            count = count * 7 + 3
            text = text.replace(f"{{{kind}}}", words[count % len(words)], 1)
    return text


def said(conversation: int, turn: int) -> str:
    """Return what the person says: every fifth time something about themselves."""
    number = conversation * 1000 + turn
    return sentence(number // 5 if turn % 5 == 0 else number, TOLD if turn % 5 == 0 else ASKED)


def chatgpt(conversation: int, turns: Sequence[str], **fields: Any) -> dict[str, Any]:
    """Return one conversation as ChatGPT exports it: a tree with a hidden beginning, a tool's step and a branch not taken."""
    began = (BEGAN + timedelta(days=conversation)).timestamp()
    nodes: dict[str, dict[str, Any]] = {}

    def add(parent: str | None, role: str, text: str, *, at: float | None, **message: Any) -> str:
        name = str(uuid5(MADE, f"{conversation}.{len(nodes)}"))
        content = message.pop("content", {"content_type": "text", "parts": [text]})
        nodes[name] = {
            "id": name,
            "message": {
                "id": name,
                "author": {"role": role, "name": None, "metadata": {}},
                "create_time": at,
                "update_time": None,
                "content": content,
                "status": "finished_successfully",
                "end_turn": True,
                "weight": 1.0,
                "metadata": {},
                "recipient": "all",
                "channel": None,
                **message,
            },
            "parent": parent,
            "children": [],
        }
        if parent is not None:
            nodes[parent]["children"].append(name)
        return name

    nodes["client-created-root"] = {
        "id": "client-created-root",
        "message": None,
        "parent": None,
        "children": [],
    }
    last = add(
        "client-created-root", "system", "", at=None, metadata={"is_visually_hidden_from_conversation": True}
    )
    last = add(
        last, "user", "", at=None, content={"content_type": "user_editable_context", "user_profile": "x"}
    )
    for number, text in enumerate(turns):
        at = began + number * 60
        add(last, "user", f"Not this branch: I live in Atlantis, {number}.", at=at)
        last = add(last, "user", text, at=at)
        last = add(
            last,
            "assistant",
            "search()",
            at=at + 1,
            recipient="web",
            content={"content_type": "code", "text": "s"},
        )
        last = add(last, "tool", "found", at=at + 2)
        answer = sentence(conversation + number, (ANSWER,))
        last = add(last, "assistant", answer, at=at + 5, metadata={"model_slug": "gpt-4o"})
    return {
        "title": sentence(conversation, ("About {subject} and the {word}",)),
        "create_time": began,
        "update_time": began + len(turns) * 60,
        "mapping": nodes,
        "moderation_results": [],
        "current_node": last,
        "conversation_id": str(uuid5(MADE, str(conversation))),
        "id": str(uuid5(MADE, str(conversation))),
        **fields,
    }


def claude(conversation: int, turns: Sequence[str], **fields: Any) -> dict[str, Any]:
    """Return one conversation as Claude exports it."""
    began = BEGAN + timedelta(days=conversation)
    rows = []
    for number, text in enumerate(turns):
        at = began + timedelta(minutes=number)
        for sender, words in (("human", text), ("assistant", sentence(conversation + number, (ANSWER,)))):
            rows.append(
                {
                    "uuid": str(uuid5(MADE, f"claude.{conversation}.{len(rows)}")),
                    "text": words,
                    "content": [
                        {"type": "thinking", "thinking": "Not to be shown."},
                        {"type": "text", "text": words, "citations": []},
                    ],
                    "sender": sender,
                    "created_at": at.isoformat().replace("+00:00", "Z"),
                    "updated_at": at.isoformat().replace("+00:00", "Z"),
                    "attachments": [],
                    "files": [],
                }
            )
    return {
        "uuid": str(uuid5(MADE, f"claude.{conversation}")),
        "name": sentence(conversation, ("About {subject}",)),
        "created_at": began.isoformat(),
        "updated_at": began.isoformat(),
        "account": {"uuid": str(MADE)},
        "chat_messages": rows,
        **fields,
    }


def open_webui(conversation: int, turns: Sequence[str], **fields: Any) -> dict[str, Any]:
    """Return one conversation as Open WebUI exports it."""
    began = int((BEGAN + timedelta(days=conversation)).timestamp())
    messages: dict[str, dict[str, Any]] = {}
    last: str | None = None
    for number, text in enumerate(turns):
        for role, words in (("user", text), ("assistant", sentence(conversation + number, (ANSWER,)))):
            name = str(uuid5(MADE, f"webui.{conversation}.{len(messages)}"))
            messages[name] = {
                "id": name,
                "parentId": last,
                "childrenIds": [],
                "role": role,
                "content": words,
                "timestamp": began + number * 60,
            }
            if last is not None:
                messages[last]["childrenIds"].append(name)
            last = name
    known, title = str(uuid5(MADE, f"webui.{conversation}")), sentence(conversation, ("About {subject}",))
    return {
        "id": known,
        "user_id": str(MADE),
        "title": title,
        "chat": {
            "id": "",
            "title": title,
            "models": ["llama3"],
            "history": {"messages": messages, "currentId": last},
            "messages": list(messages.values()),
            "timestamp": began * 1000,
        },
        "updated_at": began,
        "created_at": began,
        "archived": False,
        **fields,
    }


def write_export(path: Path, *, conversations: int, messages: int) -> Path:
    """Write an export by ChatGPT of so many conversations and messages of both sides, conversation by conversation."""
    turns = messages // conversations // 2
    entries = (
        json.dumps(chatgpt(number, [said(number, turn) for turn in range(turns)]), ensure_ascii=False)
        for number in reversed(range(conversations))
    )
    with path.open("w", encoding="utf-8") as file:
        file.writelines(_listed(entries))
    return path


def _listed(entries: Iterator[str]) -> Iterator[str]:
    separator = "["
    for entry in entries:
        yield separator + entry
        separator = ",\n"
    yield "]" if separator != "[" else "[]"
