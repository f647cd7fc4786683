"""What is measured: how well memories are found, and how fast everything is.

Whoever imports a bench has the site's code at hand, with settings that reach no database, no language model and nobody's services;
`bench.scratch` makes a site of its own. One thread of arithmetic, so that numbers of different machines and runs can be compared; set
before numpy loads.
"""

import os

import django
from django.conf import settings

ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "companion_site.settings",
    "DATABASE_URL": "postgres://bench@localhost/none",
    "DATABASE_OWNER_URL": "",
    "DATABASE_METADATA_URL": "",
    "REDIS_URL": "",
    "MESSAGES_PER_MINUTE": "100000",
    "AUDIT_KEYS_DIR": "",
    "AUDIT_CHECKPOINT_COMMAND": "",
    "KEY_STORE": "companion_site.vault.keystore.DirectoryKeyStore",
    "LOG_LEVEL": "ERROR",
    "DATABASE_CONN_MAX_AGE": "600",
    "LLM_CHAIN": "offline",
}

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if not settings.configured:
    os.environ.update(ENVIRONMENT)
    django.setup()
