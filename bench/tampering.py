"""How many tamperings with the record are found, by kind: `python -m bench.tampering [COUNT]`.

Whoever tampers owns the database, and the directory of checkpoints where the kind says so, but no key that is in use. Records are
plain rows and checkpoints plain bytes, verified by what `manage.py verify_audit --offline` verifies with.
"""

import io
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.commands import command, make_parser
from companion_site.audit.chain import FIELDS, START, Event, Finding, event_hash, seal_with, verify
from companion_site.audit.checkpoints import (
    SortedPromises,
    Statement,
    head_line,
    read_statement,
    replay,
    sign_statement,
    statement_hash,
)

BEGIN = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
DEFAULT_COUNT = 2000
#: So many tamperings begin from the same record.
RECORD_FOR = 5

Chain = list[Event]


@dataclass
class Record:
    """A record with its checkpoints, and what is kept apart from both.

    Attributes:
        chains: by their ids; each chain's events in order.
        files: checkpoints by their numbers.
        sealing, signing: the keys by their numbers.
        last: number and hash of the last checkpoint, as the key store has them.
        seen: how far the last checkpoints saw each chain reach.
    """

    chains: dict[str, Chain] = field(default_factory=dict)
    files: dict[int, bytes] = field(default_factory=dict)
    sealing: dict[int, bytes] = field(default_factory=dict)
    signing: dict[int, Ed25519PrivateKey] = field(default_factory=dict)
    last: tuple[int, bytes] = (0, START)
    seen: dict[str, int] = field(default_factory=dict)

    def copy(self) -> "Record":
        """Return one that can be tampered with; events and keys are never changed, only replaced."""
        chains = {name: list(chain) for name, chain in self.chains.items()}
        return replace(self, chains=chains, files=dict(self.files), seen=dict(self.seen))


def make_record(rng: random.Random) -> Record:
    """Return a record that has lived: rotated once, with events behind the last checkpoint."""
    record = Record()
    for key in (1, 2):
        record.sealing[key] = rng.randbytes(32)
        record.signing[key] = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
    names = sorted([str(UUID(int=0)), *(random_id(rng) for _ in range(3))])
    record.chains = {name: [] for name in names}
    for name in names[:-1]:
        append(record, name, rng, key=1, count=3)
    checkpoint(record, key=1)
    for name in names:
        append(record, name, rng, key=1, count=3)
        checkpoint(record, key=1)
    checkpoint(record, key=1, introduces=2)
    checkpoint(record, key=2)
    for name in names:
        append(record, name, rng, key=2, count=3)
    checkpoint(record, key=2)
    append(record, names[1], rng, key=2, count=2)
    return record


def append(record: Record, name: str, rng: random.Random, *, key: int, count: int) -> None:
    """Append events as the site does."""
    for _ in range(count):
        chain = record.chains[name]
        values = made_up(name, len(chain) + 1, rng)
        chain.append(written(values, chain[-1].hash if chain else START, key, record.sealing.get(key)))


def random_id(rng: random.Random) -> str:
    """Return an id that is nobody's."""
    return str(UUID(bytes=rng.randbytes(16)))


def made_up(name: str, position: int, rng: random.Random) -> dict[str, Any]:
    """Return an event's values."""
    at = BEGIN + timedelta(seconds=rng.randrange(10**6))
    return {
        "id": random_id(rng),
        "chain": name,
        "position": position,
        "at": at.isoformat(timespec="microseconds"),
        "action": rng.choice(["memory.formed", "vault.unlocked", "company.fact_undone"]),
        "actor_id": rng.choice([None, random_id(rng)]),
        "actor_label": rng.choice(["", "student", "staff"]),
        "subject_type": rng.choice(["", "memory.memorynode"]),
        "subject_id": rng.choice([None, random_id(rng)]),
        "data": {"count": rng.randrange(9)},
    }


def written(values: dict[str, Any], previous: bytes, key: int, secret: bytes | None) -> Event:
    """Return an event whose hash fits; its seal too where `secret` is the audit key."""
    digest = event_hash(previous, {**values, "key": key})
    return Event(values, key, previous, digest, seal_with(secret, digest) if secret else b"")


def checkpoint(record: Record, *, key: int, introduces: int | None = None) -> None:
    """Sign the heads that changed."""
    heads = {name: chain[-1] for name, chain in record.chains.items() if chain}
    changed = {name: one for name, one in heads.items() if record.seen.get(name) != one.values["position"]}
    body = b"".join(head_line(UUID(name), one.values["position"], one.hash) for name, one in changed.items())
    number, previous = record.last
    vouched = [one for one in (introduces, key if number == 0 else None) if one]
    statement = Statement(
        number=number + 1,
        at=BEGIN.isoformat(),
        since=BEGIN.isoformat(),
        previous=previous.hex(),
        heads=len(changed),
        erasures=0,
        body=sha256(body).hexdigest(),
        whole=number == 0,
        restored=False,
        refused=0,
        key=key,
        introduces={str(one): public_key(record.signing[one]).hex() for one in vouched},
    )
    line = sign_statement(statement, record.signing[key].sign)
    record.files[statement.number] = body + line
    record.last = statement.number, statement_hash(line)
    record.seen |= {name: one.values["position"] for name, one in changed.items()}


def public_key(private: Ed25519PrivateKey) -> bytes:
    """Return the 32 bytes of a public key."""
    return private.public_key().public_bytes_raw()


def find_in(record: Record, *, with_keys: bool = True) -> list[Finding]:
    """Return what the verifier finds; rows are read in the order in which a database gives them."""
    promises = SortedPromises()
    files = [(number, io.BytesIO(text)) for number, text in sorted(record.files.items())]
    trusted = {public_key(private) for private in record.signing.values()}
    said = replay(files, promises.add, trusted=trusted, last=record.last)
    rows = [event for chain in record.chains.values() for event in chain]
    rows.sort(key=lambda event: (event.values["chain"], event.values["position"]))
    sealer = (lambda key, digest: seal_with(record.sealing[key], digest)) if with_keys else None
    return [*said.findings, *verify(rows, promises, sealer=sealer, rules=said.rules)]


class Attacker:
    """Tampers with a record in ways of one's own choosing."""

    def __init__(self, record: Record, rng: random.Random) -> None:
        self.record, self.rng = record, rng

    # The events of a chain

    def edit_of_a_field(self) -> None:
        chain, at = self._some_event()
        name = self.rng.choice([*FIELDS, "key", "previous_hash", "hash", "seal"])
        event = chain[at]
        if name in FIELDS:
            chain[at] = _edited(event, **{name: self._other(event.values[name])})
        elif name == "key":
            chain[at] = event._replace(key=self.rng.choice([key for key in range(5) if key != event.key]))
        else:
            chain[at] = event._replace(**{name: self._other(getattr(event, name))})

    def changed_time(self) -> None:
        chain, at = self._some_event()
        moved = datetime.fromisoformat(chain[at].values["at"]) + timedelta(
            microseconds=self.rng.randrange(1, 10**9)
        )
        chain[at] = _edited(chain[at], at=moved.isoformat(timespec="microseconds"))
        if self.rng.random() < 0.5:
            self._hash_again(chain, at)

    def deleted_row(self) -> None:
        name, chain = self._some_chain()
        del chain[self.rng.randrange(self.record.seen[name])]

    def deleted_tail(self) -> None:
        name, chain = self._some_chain()
        del chain[self.rng.randrange(self.record.seen[name]) :]

    def deleted_chain(self) -> None:
        name, _chain = self._some_chain()
        del self.record.chains[name]

    def deleted_everything(self) -> None:
        self.record.chains.clear()

    def swapped_rows(self) -> None:
        _name, chain = self._some_chain()
        one, other = self.rng.sample(range(len(chain)), 2)
        places = chain[one].values["position"], chain[other].values["position"]
        for at, position in zip((other, one), places, strict=True):
            chain[at] = _edited(chain[at], position=position)
        if self.rng.random() < 0.5:
            chain[one], chain[other] = chain[other], chain[one]
            self._hash_again(chain, min(one, other))

    def duplicated_row(self) -> None:
        chain, at = self._some_event()
        chain.insert(self.rng.randrange(len(chain) + 1), chain[at])

    def inserted_row(self) -> None:
        name, chain = self._some_chain()
        at = self.rng.randrange(len(chain))
        chain.insert(at, chain[at]._replace(values=made_up(name, at + 1, self.rng)))
        for place in range(at, len(chain)):
            chain[place] = _edited(chain[place], position=place + 1)
        self._hash_again(chain, at)

    def forged_append(self) -> None:
        name, chain = self._some_chain()
        for _ in range(self.rng.randrange(1, 4)):
            chain.append(self._forged(made_up(name, len(chain) + 1, self.rng), chain[-1].hash))

    def append_under_a_stolen_old_key(self) -> None:
        name, chain = self._some_chain()
        values = made_up(name, len(chain) + 1, self.rng)
        chain.append(written(values, chain[-1].hash, 1, self.record.sealing[1]))

    def rewritten_from_a_position(self) -> None:
        chain, at = self._some_event()
        chain[at] = _edited(chain[at], action="memory.forgotten")
        self._hash_again(chain, at)

    def rewritten_with_a_stolen_old_key(self) -> None:
        chain, at = self._some_event()
        chain[at] = _edited(chain[at], action="memory.forgotten")
        self._hash_again(chain, at, lambda values, before: written(values, before, 1, self.record.sealing[1]))

    def rewritten_chain(self) -> None:
        name, chain = self._some_chain()
        count = len(chain) + self.rng.randrange(-2, 3)
        chain.clear()
        for position in range(1, count + 1):
            chain.append(self._forged(made_up(name, position, self.rng), chain[-1].hash if chain else START))

    def made_up_chain(self) -> None:
        name = random_id(self.rng)
        chain = self.record.chains.setdefault(name, [])
        for position in range(1, self.rng.randrange(2, 6)):
            chain.append(self._forged(made_up(name, position, self.rng), chain[-1].hash if chain else START))

    def renamed_chain(self) -> None:
        name, chain = self._some_chain()
        new = random_id(self.rng)
        self.record.chains[new] = self.record.chains.pop(name)
        for at, event in enumerate(chain):
            chain[at] = _edited(event, chain=new)
        self._hash_again(chain, 0)

    def older_copy_and_on(self) -> None:
        """An older copy of a chain, with or without made-up events that fill the places of what was lost."""
        name, chain = self._some_chain()
        length = len(chain)
        del chain[self.rng.randrange(self.record.seen[name]) :]
        while self.rng.random() < 0.8 and len(chain) < length:
            chain.append(
                self._forged(made_up(name, len(chain) + 1, self.rng), chain[-1].hash if chain else START)
            )

    def event_moved_to_another_chain(self) -> None:
        (_one, source), (name, target) = self.rng.sample(sorted(self.record.chains.items()), 2)
        event = source[self.rng.randrange(len(source))]
        values = {**event.values, "chain": name, "position": len(target) + 1}
        moved = event._replace(values=values)
        if self.rng.random() < 0.5:
            moved = moved._replace(previous_hash=target[-1].hash)
            moved = moved._replace(hash=event_hash(target[-1].hash, {**values, "key": event.key}))
        target.append(moved)

    def swapped_previous_hashes(self) -> None:
        _name, chain = self._some_chain()
        one, other = self.rng.sample(range(len(chain)), 2)
        first, second = chain[one].previous_hash, chain[other].previous_hash
        chain[one], chain[other] = (
            chain[one]._replace(previous_hash=second),
            chain[other]._replace(previous_hash=first),
        )

    def replayed_under_another_id(self) -> None:
        chain, at = self._some_event()
        values = {
            **chain[at].values,
            "id": random_id(self.rng),
            "position": len(chain) + 1,
        }
        digest = event_hash(chain[-1].hash, {**values, "key": chain[at].key})
        chain.append(chain[at]._replace(values=values, previous_hash=chain[-1].hash, hash=digest))

    # The directory of checkpoints

    def checkpoint_edited(self) -> None:
        number, text = self._some_file()
        at = self.rng.randrange(len(text))
        self.record.files[number] = (
            text[:at] + bytes([text[at] ^ (1 << self.rng.randrange(8))]) + text[at + 1 :]
        )

    def checkpoint_half_written(self) -> None:
        number, text = self._some_file()
        self.record.files[number] = text[: self.rng.randrange(len(text))]

    def checkpoint_deleted(self) -> None:
        del self.record.files[self._some_file()[0]]

    def checkpoints_all_deleted(self) -> None:
        self.record.files.clear()

    def checkpoints_swapped(self) -> None:
        one, other = self.rng.sample(sorted(self.record.files), 2)
        files = self.record.files
        files[one], files[other] = files[other], files[one]

    def checkpoint_signed_with_another_key(self) -> None:
        number, text = self._some_file()
        self.record.files[number] = _signed_again(
            text, Ed25519PrivateKey.from_private_bytes(self.rng.randbytes(32))
        )

    def checkpoints_all_signed_with_another_key(self) -> None:
        """A row of checkpoints that is sound by itself, for a record that was cut."""
        own = Record(
            chains=self.record.chains,
            signing={1: Ed25519PrivateKey.from_private_bytes(self.rng.randbytes(32))},
        )
        self.deleted_tail()
        for _ in self.record.files:
            checkpoint(own, key=1)
        self.record.files = own.files

    def checkpoints_rolled_back(self) -> None:
        """The last checkpoints go, and with them what they saw."""
        for number in sorted(self.record.files)[-self.rng.randrange(1, len(self.record.files)) :]:
            del self.record.files[number]
        if self.rng.random() < 0.5:
            self.deleted_tail()

    def checkpoint_repeated_as_the_newest(self) -> None:
        self.record.files[max(self.record.files) + 1] = self._some_file()[1]

    # What is not found, by design

    def cut_within_the_window(self) -> None:
        """What came after the last checkpoint is cut off."""
        name = next(name for name, chain in self.record.chains.items() if len(chain) > self.record.seen[name])
        chain = self.record.chains[name]
        del chain[self.rng.randrange(self.record.seen[name], len(chain)) :]

    def _some_chain(self) -> tuple[str, Chain]:
        return self.rng.choice(sorted(self.record.chains.items()))

    def _some_event(self) -> tuple[Chain, int]:
        _name, chain = self._some_chain()
        return chain, self.rng.randrange(len(chain))

    def _some_file(self) -> tuple[int, bytes]:
        return self.rng.choice(sorted(self.record.files.items()))

    def _other(self, value: Any) -> Any:
        if isinstance(value, bytes):
            return self.rng.choice([bytes(len(value) or 1), self.rng.randbytes(32)])
        if isinstance(value, dict):
            return self.rng.choice([{}, {"count": 99}, {**value, "more": 1}])
        if isinstance(value, int):
            return value + self.rng.choice([-1, 1, 100])
        if value is None:
            return random_id(self.rng)
        is_id = len(value) == 36
        return random_id(self.rng) if is_id else value + "x"

    def _forged(self, values: dict[str, Any], previous: bytes) -> Event:
        """Return an event as good as it gets without the audit key."""
        how = self.rng.randrange(4)
        if how == 0:
            return written(values, previous, 0, None)
        key = self.rng.choice([1, 2, 3])
        event = written(values, previous, key, self.rng.randbytes(32))
        if how == 1:
            return event
        if how == 2:
            return event._replace(seal=b"")
        seals = [one.seal for chain in self.record.chains.values() for one in chain if one.seal]
        return event._replace(seal=self.rng.choice(seals)) if seals else event

    def _hash_again(
        self,
        chain: Chain,
        since: int,
        make: Callable[[dict[str, Any], bytes], Event] | None = None,
    ) -> None:
        """Make every hash from a place on fit again; seals stay, are left out or are made up, one way for all."""
        how = self.rng.randrange(3)
        for at in range(since, len(chain)):
            before = chain[at - 1].hash if at else START
            event = chain[at]
            if make is not None:
                chain[at] = make(dict(event.values), before)
            elif how == 0:
                digest = event_hash(before, {**event.values, "key": event.key})
                chain[at] = event._replace(previous_hash=before, hash=digest)
            elif how == 1:
                chain[at] = written(dict(event.values), before, 0, None)
            else:
                chain[at] = written(dict(event.values), before, event.key, self.rng.randbytes(32))


def _edited(event: Event, **values: Any) -> Event:
    return event._replace(values={**event.values, **values})


def _signed_again(text: bytes, private: Ed25519PrivateKey) -> bytes:
    """Return a checkpoint under another signature."""
    body, _newline, line = text[:-1].rpartition(b"\n")
    statement, _message, _signature = read_statement(line + b"\n")
    signed = sign_statement(Statement(**asdict(statement)), private.sign)
    return (body + b"\n" if body else b"") + signed


KINDS = [name for name in vars(Attacker) if not name.startswith("_") and name != "cut_within_the_window"]


def tamper(kind: str, untouched: Record, rng: random.Random) -> tuple[bool, bool]:
    """Tamper once with a copy of a record; return whether that changed it, and whether it was found."""
    record = untouched.copy()
    getattr(Attacker(record, rng), kind)()
    return (record.chains, record.files) != (untouched.chains, untouched.files), bool(find_in(record))


def count_found(count: int, *, kinds: list[str] | None = None) -> Iterator[tuple[str, int, int]]:
    """Yield for each kind how many tamperings were tried, and how many were found."""
    kinds = kinds or KINDS
    for place, kind in enumerate(kinds):
        rng = random.Random(f"1:{kind}")
        wanted = count // len(kinds) + (place < count % len(kinds))
        found: Counter[bool] = Counter()
        while found.total() < wanted:
            if found.total() % RECORD_FOR == 0:
                untouched = make_record(rng)
            changed, is_found = tamper(kind, untouched, rng)
            if changed:
                found[is_found] += 1
        yield kind, found.total(), found[True]


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Count and print."""
    parser = make_parser("tampering", __doc__)
    parser.add_argument("count", type=int, nargs="?", default=DEFAULT_COUNT, metavar="COUNT")
    count = parser.parse_args(arguments).count
    began = time.perf_counter()
    tried = found = 0
    print("| tampering | tried | found |\n|---|---|---|")
    for kind, of_kind, found_of_kind in count_found(count):
        tried, found = tried + of_kind, found + found_of_kind
        print(f"| {kind.replace('_', ' ')} | {of_kind} | {found_of_kind} |")
    print(f"| **all** | **{tried}** | **{found}** |")
    for kind, of_kind, found_of_kind in count_found(50, kinds=["cut_within_the_window"]):
        print(f"| {kind.replace('_', ' ')} (not to be found) | {of_kind} | {found_of_kind} |")
    wrong = sum(bool(find_in(make_record(random.Random(seed)))) for seed in range(200))
    print(
        f"\nOf 200 untouched records {wrong} were called tampered with. {time.perf_counter() - began:.1f} s."
    )


if __name__ == "__main__":
    sys.exit(main())
