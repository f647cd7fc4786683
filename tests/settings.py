"""The site's own settings, with an embedded PostgreSQL for the tests and a cheaper key derivation."""

import os

from tests.embedded import embedded_for_tests

os.environ.update(embedded_for_tests())
os.environ.setdefault("ARGON2_MEMORY_KIB", "64")
os.environ.setdefault("ARGON2_ITERATIONS", "1")
os.environ["LLM_CHAIN"] = "offline"
os.environ["EMBEDDINGS_PROVIDER"] = "bundled"
os.environ["VOICE_STT"] = os.environ["VOICE_TTS"] = "off"
# A test says in one moment what a person says in an hour, and no processor time is measured.
os.environ["MESSAGES_PER_MINUTE"] = "1000"
os.environ["FORMING_CPU_S"] = "3600"
# Nobody is asked whose certificate somebody vouches for, and to read the list of all who may takes each new client 40 ms.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = "/nowhere/at/all"
# Threads of a test come and go: none leaves a connection behind.
os.environ["DATABASE_CONN_MAX_AGE"] = "0"

from companion_site.settings import *  # noqa: F403
from companion_site.settings import VAULT_ARGON2

# On busy cores four threads wait for one another longer than they compute; that four agree is shown in tests/vault/test_gate.py.
VAULT_ARGON2["lanes"] = 1

# Looking at every file that the site serves takes longer than most tests; a file is looked up when it is asked for.
WHITENOISE_AUTOREFRESH = True

# A test opens spaces by itself and keeps them open, without a log-in; what forgets them is tested in tests/vault/test_grants.py.
SPACES_WITHOUT_STANDING = "tests.databases.none_of_them"
