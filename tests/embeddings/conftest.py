"""An embedding service on this machine."""

from collections.abc import Iterator

import pytest

from tests.embeddings.wire import EmbeddingServer, serve_embeddings


@pytest.fixture
def service() -> Iterator[EmbeddingServer]:
    with serve_embeddings() as server:
        yield server
