"""A site whose embedding service fails from a moment that the test chooses."""

from collections.abc import Callable, Iterator

import pytest

from companion_site.embeddings.calibration import DEFAULT, keep_calibration
from companion_site.embeddings.service import name_vectors
from tests.embeddings.wire import DIMENSION, MODEL, Act, EmbeddingServer, point_at, serve_embeddings


@pytest.fixture
def embedding_server(settings, tmp_path) -> Iterator[EmbeddingServer]:
    """Have the site use a service on this machine, for which it is calibrated."""
    settings.VAR_DIR = tmp_path
    with serve_embeddings() as server:
        point_at(settings, server)
        keep_calibration(name_vectors(MODEL, DIMENSION), DEFAULT)
        yield server


@pytest.fixture
def fail_embedding(embedding_server) -> Callable[[], None]:
    """Return what has the service refuse everything from then on."""

    def fail() -> None:
        embedding_server.default = Act(status=403)

    return fail
