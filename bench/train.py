"""Train the reader's heads from the labelled lines: `python -m bench.train`. The same lines give the same bytes.

Writes `memory/reading/weights.npz`, which belongs into the repository. For a site with an embedder of its own:
`EMBEDDINGS_PROVIDER=openai … python -m bench.train --output FILE`, and READING_WEIGHTS=FILE in its settings.
"""

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.commands import command, make_parser
from bench.labelled import Vectors, load_all
from bench.trainer import train
from companion_site.embeddings.service import get_embedder
from memory.reading.heads import WEIGHTS


def to_bytes(arrays: dict[str, NDArray[np.generic]]) -> bytes:
    """Return the file of weights; it holds no time and no path."""
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Train and write."""
    parser = make_parser("train", __doc__, vectors=True)
    parser.add_argument("--output", type=Path, default=WEIGHTS, help="where the weights go")
    options = parser.parse_args(arguments)
    content = to_bytes(train(load_all(), Vectors(get_embedder(), options.vectors)))
    options.output.write_bytes(content)
    sys.stdout.write(f"{options.output}: {len(content) // 1000} kB\n")


if __name__ == "__main__":
    sys.exit(main())
