"""How the code hangs together: `python -m bench.structure [FOLDER]` (default: this checkout).

Files, lines, modules by size; packages and the arrows of imports between them, how many of them go against the order of most
(those that close a cycle between two packages), imports inside functions, and modules named by a gerund.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from bench.commands import command, make_parser

APPS = ("companion_site", "chat", "memory", "ledger", "overlay")
#: Nouns of the field that end as gerunds do.
NOUNS = frozenset({"clustering", "pruning", "hashing", "keyring", "routing", "paging", "throttling", "ranking", "scoring",
                   "rendering", "parsing", "folding", "highlighting", "matching", "planning", "coaching", "scrubbing",
                   "reading", "teaching", "grounding", "reembedding", "pending", "sealed_pending", "wording", "string"})  # fmt: skip


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures of a checkout."""
    parser = make_parser("structure", __doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parent.parent)
    for name, value in measure(parser.parse_args(arguments).folder).items():
        sys.stdout.write(f"{name}: {value}\n")


def measure(folder: Path) -> dict[str, object]:
    """Return the figures, by what they are called."""
    files = files_of(folder)
    sizes = [len(file.read_text("utf-8").splitlines()) for file in files.values()]
    arrows: Counter[tuple[str, str]] = Counter()
    local = 0
    for one, other, is_local in arrows_of(files):
        arrows[one, other] += 1
        local += is_local
    both = [(one, other) for one, other in arrows if one < other and (other, one) in arrows]
    against = sum(min(arrows[pair], arrows[pair[::-1]]) for pair in both)
    names = [name.rpartition(".")[2] for name in files if files[name].name != "__init__.py"]
    gerunds = [name for name in names if re.fullmatch(r"\w+ing", name) and name not in NOUNS]
    tests = list((folder / "tests").rglob("*.py"))
    words = sum(len(page.read_text("utf-8").split()) for page in (folder / "docs").rglob("*.md"))
    return {
        "product files": len(files),
        "product lines": sum(sizes),
        "lines of a module, median": median(sizes),
        "modules over 300 lines": sum(size > 300 for size in sizes),
        "modules under 60 lines": sum(size < 60 for size in sizes),
        "modules loose in memory/": sum(
            name.count(".") == 1 and name.startswith("memory.") for name in files
        ),
        "modules named by a gerund": len(gerunds),
        "packages of the second level": len({wing(name) for name in files}),
        "arrows between them": len(arrows),
        "pairs that import each other": len(both),
        "imports against the order of most": against,
        "imports inside functions": local,
        "test lines": sum(len(file.read_text("utf-8").splitlines()) for file in tests),
        "words in docs/": words,
    }


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files of a checkout's apps by the names of their modules, migrations apart."""
    files = {module_of(file, folder): file for app in APPS for file in sorted((folder / app).rglob("*.py"))}
    return {name: file for name, file in files.items() if ".migrations" not in name}


def arrows_of(files: Mapping[str, Path]) -> Iterator[tuple[str, str, bool]]:
    """Yield each import of one package from another, and whether inside a function."""
    for name, file in files.items():
        for target, is_local in imports_of(file):
            known = target if target in files else target.rpartition(".")[0]
            if known in files and (one := wing(name)) != (other := wing(known)):
                yield one, other, is_local


def module_of(file: Path, folder: Path) -> str:
    """Return the dotted name of a file's module."""
    return ".".join(file.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")


def wing(module: str) -> str:
    """Return the package of the second level that a module stands in."""
    return ".".join(module.split(".")[:2])


def imports_of(file: Path) -> Iterator[tuple[str, bool]]:
    """Yield the modules that a file imports names from, and whether inside a function."""
    tree = ast.parse(file.read_text("utf-8"))
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield f"{node.module}.{alias.name}", id(node) in inside
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) in inside


if __name__ == "__main__":
    sys.exit(main())
