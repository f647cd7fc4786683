"""Any service that speaks OpenAI's embeddings: OpenAI itself, Ollama, vLLM, llama.cpp, TEI and others.

The texts of memories leave this machine with it, unless the service runs here. Personal data goes as placeholders, as in
what a language model is asked (docs/scrubbing.md, docs/embeddings.md).

Source: https://platform.openai.com/docs/api-reference/embeddings/create
"""

import asyncio
import os
from collections.abc import Collection, Sequence
from functools import cache
from threading import Lock
from time import monotonic
from typing import Any

import httpx2
import numpy as np
import openai
import structlog

from companion_site.embeddings.calibration import (
    DEFAULT,
    Calibration,
    CannotFit,
    fit_calibration,
    keep_calibration,
    read_calibration,
)
from companion_site.embeddings.errors import (
    EmbeddingError,
    EmbeddingServiceUnavailable,
    EmbeddingsRejected,
    EmbeddingsUnusable,
)
from companion_site.embeddings.protocol import Vectors, clean_text
from companion_site.embeddings.service import name_vectors
from companion_site.llm.calls import Breaker, Tries
from companion_site.llm.errors import ProviderUnavailable, RequestRejected
from companion_site.llm.scrubbing.policy import Kind
from companion_site.llm.scrubbing.scrubber import Scrubber
from companion_site.llm.sdks import translated_errors
from companion_site.llm.types import Limits

#: A question waits for a text's vector this long at the most, tries and pauses included; a batch some more for each text.
LIMITS = Limits(
    connect_s=3.0,
    total_s=8.0,
    attempts=3,
    attempts_after_timeout=1,
    backoff_s=0.3,
    backoff_max_s=2.0,
    retry_after_max_s=3.0,
    breaker_failures=3,
    breaker_open_s=20.0,
)
SECONDS_A_TEXT = 0.5
logger = structlog.get_logger(__name__)
DEFAULT_BASE_URL = "https://api.openai.com/v1"
#: Local servers ask for no key, but the SDK wants one.
_NO_KEY = "none"
#: Texts a request: 32 of 2,000 characters are far below what any service takes at once.
BATCH = 32
#: Services refuse an empty text; this one says as little.
_BLANK = "."
#: Pause after a calibration that could not be fitted, for which the service was asked in vain.
_FIT_AGAIN_S = 60.0


class OpenAIEmbedder:
    """One model of one service; safe in any thread and after a fork.

    A service that keeps failing is left alone, so that a turn waits for it a few times and then no more.

    Attributes:
        model: what its vectors are kept under. The address is no part of it: the same model served elsewhere makes the
            same vectors.
    """

    def __init__(
        self,
        *,
        model: str,
        dimension: int,
        api_key: str = "",
        base_url: str = DEFAULT_BASE_URL,
        scrub: Collection[Kind] = (),
        limits: Limits = LIMITS,
    ) -> None:
        self.model = name_vectors(model, dimension)
        self.dimension = dimension
        self._asked_model, self._api_key, self._base_url = model, api_key, base_url
        self._scrub = frozenset(scrub)
        self._limits = limits
        self._breaker = Breaker(limits)
        self._says_dimension = False
        self._calibration = read_calibration(self.model)
        self._fitting, self._fit_from = Lock(), 0.0
        self._client = cache(self._make_client)

    @property
    def calibration(self) -> Calibration:
        """The model's own, once it is fitted: with the first texts that it ever embeds here. Until then a guess."""
        return self._calibration or DEFAULT

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return (n, d) float32 of unit length, in the order given. Asks over the network: never inside a transaction.

        Raises:
            RuntimeError: called on a thread with a running event loop, which it would hold up.
            TypeError: a text is not a string.
            EmbeddingServiceUnavailable: the service gave no answer.
            EmbeddingsRejected: it will not take a text, the key or the model.
            EmbeddingsUnusable: its answer is not as many vectors of the right length, all of finite numbers.
        """
        if isinstance(texts, str):
            raise TypeError("embed takes a sequence of texts, not one text")
        _require_no_loop()
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        vectors = self._embed(texts)
        self._fit_once()
        return vectors

    def _embed(self, texts: Sequence[str]) -> Vectors:
        sent = [self._prepare(text) for text in texts]
        parts = [self._ask(sent[start : start + BATCH]) for start in range(0, len(sent), BATCH)]
        return np.concatenate(parts)

    def _prepare(self, text: str) -> str:
        """Return a text as it is sent. Its placeholders count from one, so it has the same vector in any company."""
        clean = clean_text(text)
        if self._scrub:
            clean = Scrubber([clean], kinds=self._scrub).scrub(clean)
        return clean if clean.strip() else _BLANK

    def _ask(self, sent: list[str]) -> Vectors:
        """Ask for one batch. Where vectors are longer than wanted, the service is asked to shorten them, from then on."""
        says_dimension = self._says_dimension
        try:
            return self._ask_once(sent, says_dimension=says_dimension)
        except EmbeddingsUnusable as error:
            if error.reason != "dimension" or says_dimension:
                raise
        try:
            vectors = self._ask_once(sent, says_dimension=True)
        except (EmbeddingsRejected, EmbeddingsUnusable):
            # It knows no shortening; what is wrong is the length.
            raise EmbeddingsUnusable("dimension") from None
        self._says_dimension = True
        return vectors

    def _ask_once(self, sent: list[str], *, says_dimension: bool) -> Vectors:
        asked: dict[str, Any] = {"model": self._asked_model, "input": sent, "encoding_format": "float"}
        if says_dimension:
            asked["dimensions"] = self.dimension
        deadline = monotonic() + self._limits.total_s + SECONDS_A_TEXT * (len(sent) - 1)
        tries = Tries(breaker=self._breaker, deadline=deadline)
        problem: EmbeddingError = EmbeddingServiceUnavailable()
        while tries.another_in_thread():
            try:
                with tries.telling():
                    answer = self._call(asked, timeout_s=deadline - monotonic())
            except RequestRejected as error:
                problem = EmbeddingsRejected(answered=error.answered)
            except ProviderUnavailable:
                problem = EmbeddingServiceUnavailable()
            else:
                # It answers, so it is there; where the answer is of no use, that is for people to mend.
                return read_vectors(answer, count=len(sent), dimension=self.dimension)
        raise problem from None

    def _call(self, asked: dict[str, Any], *, timeout_s: float) -> Any:
        """Return what the service answers; None for what cannot be read."""
        patience = httpx2.Timeout(max(timeout_s, 0.1), connect=self._limits.connect_s)
        with translated_errors(openai):
            try:
                return self._client(os.getpid()).embeddings.create(**asked, timeout=patience)
            except (ValueError, TypeError, AttributeError, OverflowError):
                # The SDK reads the answer itself, and raises what it happens upon; "no data" is a ValueError.
                return None

    def _make_client(self, process: int) -> openai.OpenAI:
        """Return the client of this process: a forked child must not meet its parent's connections."""
        return openai.OpenAI(api_key=self._api_key or _NO_KEY, base_url=self._base_url, max_retries=0)

    def _fit_once(self) -> None:
        """Fit the calibration, if nobody has; what goes wrong with it is no fault of the texts that were asked for."""
        if self._calibration is not None or not self._fitting.acquire(blocking=False):
            return
        try:
            if self._calibration is None and monotonic() >= self._fit_from:
                self._fit_from = monotonic() + _FIT_AGAIN_S
                self._calibration = fit_calibration(self._embed, model=self.model)
                keep_calibration(self.model, self._calibration)
        except EmbeddingError as error:
            logger.warning("embeddings.not_calibrated", model=self.model, reason=error.code)
        except CannotFit:
            logger.warning("embeddings.cannot_calibrate", model=self.model)
            self._fit_from = float("inf")
        finally:
            self._fitting.release()


def read_vectors(answer: Any, *, count: int, dimension: int) -> Vectors:
    """Return (count, dimension) float32 of unit length, in the order asked.

    Raises:
        EmbeddingsUnusable: the answer holds other than that.
    """
    data = getattr(answer, "data", None)
    if not isinstance(data, list):
        raise EmbeddingsUnusable("form")
    if len(data) != count or sorted(map(_index, data)) != list(range(count)):
        raise EmbeddingsUnusable("count")
    rows: list[Any] = [getattr(row, "embedding", None) for row in sorted(data, key=_index)]
    if any(not isinstance(row, list) for row in rows):
        raise EmbeddingsUnusable("form")
    if any(len(row) != dimension for row in rows):
        raise EmbeddingsUnusable("dimension")
    try:
        vectors = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise EmbeddingsUnusable("numbers") from None
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths < 1e-9).any():
        raise EmbeddingsUnusable("numbers")
    return np.asarray(vectors / lengths, np.float32)


def _index(row: Any) -> int:
    index = getattr(row, "index", None)
    return index if isinstance(index, int) else -1


def _require_no_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("embedding over the network would hold up the event loop: use embed_async")
