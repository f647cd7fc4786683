"""Settings, read from the environment; every one is described in docs/settings.md."""

from pathlib import Path

from csp import constants as csp
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from companion_site.administration.navigation import UNFOLD as UNFOLD
from companion_site.api.description import SPECTACULAR_SETTINGS as SPECTACULAR_SETTINGS
from companion_site.env import Env
from companion_site.logs import LEVELS, logging_config
from companion_site.running import CannotStart
from companion_site.running.cluster import Cluster
from companion_site.running.environment import connection_parameters
from companion_site.secret_files import read_or_make_text

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()
Env.read_env(BASE_DIR / ".env", overwrite=False)

VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var"))).resolve()
DEBUG = env.switch("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", "") or read_or_make_text(VAR_DIR / "secret_key")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
HTTPS = env.switch("HTTPS", default=False)

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "companion_site.administration.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "channels_postgres",
    "django_q",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "companion_site.audit",
    "companion_site.vault",
    "companion_site.accounts",
    "companion_site.api",
    "companion_site.llm",
    "companion_site.embeddings",
    "companion_site.voice",
    "ledger",
    "overlay",
    "memory",
    "chat",
    "companion_site",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "companion_site.characters.characters_middleware",
    "companion_site.compression.CompressedStaticFiles",
    "companion_site.compression.CompressionMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "companion_site.http.uncached_middleware",
    "companion_site.accounts.middleware.language_middleware",
    "companion_site.accounts.middleware.LogInMiddleware",
    "companion_site.vault.sessions.vault_middleware",
    "companion_site.accounts.middleware.grant_middleware",
    "companion_site.error_pages.companion_error_middleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

#: What a page may load: this site, nothing else. What the admin needs beside: administration/site.py.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [csp.NONE],
        "script-src": [csp.SELF],
        "style-src": [csp.SELF],
        "img-src": [csp.SELF, "data:"],
        "font-src": [csp.SELF],
        "connect-src": [csp.SELF],
        "form-action": [csp.SELF],
        "base-uri": [csp.NONE],
        "frame-ancestors": [csp.NONE],
        "manifest-src": [csp.SELF],
    }
}

ROOT_URLCONF = "companion_site.urls"
ASGI_APPLICATION = "companion_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [f"django.templatetags.{name}" for name in ("i18n", "l10n", "static")],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    }
]

# Database: the site, the owner who migrates, and the metadata role for the admin's lists.

_urls = {} if env.str("DATABASE_URL", "") else Cluster(VAR_DIR).urls()


def _database(variable: str) -> dict:
    url = env.str(variable, "") or _urls.get(variable) or env.str("DATABASE_URL")
    try:
        connection_parameters(variable, url)
    except CannotStart as problem:
        raise SystemExit(str(problem)) from None
    config = env.db_url_config(url)
    config["ENGINE"] = "companion_site.postgres"
    return {
        **config,
        "CONN_MAX_AGE": env.whole("DATABASE_CONN_MAX_AGE", 60, least=0),
        "CONN_HEALTH_CHECKS": True,
        "ATOMIC_REQUESTS": False,
        "AUTOCOMMIT": True,
        "TIME_ZONE": None,
        "OPTIONS": {"connect_timeout": 5, **config.get("OPTIONS", {})},
    }


DATABASES = {
    "default": _database("DATABASE_URL"),
    "owner": _database("DATABASE_OWNER_URL"),
    "metadata": _database("DATABASE_METADATA_URL"),
}
# The channel layer clears its groups by this name; its messages go over a pool of its own.
DATABASES["channels_postgres"] = DATABASES["default"]
DATABASE_ROUTERS = ["companion_site.postgres.base.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", "")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        # The layer waits five seconds for news, which the client's own patience must outlast, or a silent socket breaks.
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": 30, "socket_connect_timeout": 5}]},
    }
    if REDIS_URL
    else {
        "BACKEND": "companion_site.postgres.channels.LastingChannelLayer",
        "CONFIG": {**DATABASES["default"], "ENGINE": "django.db.backends.postgresql"},
    }
}

# Jobs

JOB_TIMEOUT_S = env.whole("JOB_TIMEOUT_S", 120, least=1)
JOB_RETRY_S = env.whole("JOB_RETRY_S", JOB_TIMEOUT_S + 30, least=JOB_TIMEOUT_S + 1)
JOB_STUCK_S = env.whole("JOB_STUCK_S", 600, least=1)
Q_CLUSTER = {
    "name": "companion",
    "orm": "default",
    "broker_class": "companion_site.broker.FairBroker",
    "workers": env.whole("JOB_WORKERS", 1, least=1),
    "timeout": JOB_TIMEOUT_S,
    "retry": JOB_RETRY_S,
    "max_attempts": env.whole("JOB_ATTEMPTS", 5, least=1),
    "catch_up": False,
    "ack_failures": False,
    "save_limit": 1000,
    "poll": env.number("JOB_POLL_S", 0.2, least=0.05),
    "label": _("Background work"),
    "time_zone": "UTC",
}

# People, sessions, keys

AUTH_USER_MODEL = "accounts.Person"
LOGIN_URL = reverse_lazy("accounts:login")
LOGIN_REDIRECT_URL = reverse_lazy("home")
PASSWORD_HASHERS = ["companion_site.accounts.hashers.LogInHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": env.whole("PASSWORD_MIN_LENGTH", 10, least=8)},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["username", "display_name"]},
    },
]
#: Refused attempts in a quarter of an hour: of one name at one address, of one name, of one address, and of all.
LOGIN_ATTEMPTS = env.whole("LOGIN_ATTEMPTS", 10, least=1)
LOGIN_ATTEMPTS_NAME = env.whole("LOGIN_ATTEMPTS_NAME", 20, least=1)
LOGIN_ATTEMPTS_ADDRESS = env.whole("LOGIN_ATTEMPTS_ADDRESS", 100, least=1)
LOGIN_ATTEMPTS_ALL = env.whole("LOGIN_ATTEMPTS_ALL", 1000, least=1)

INVITATION_DAYS = env.whole("INVITATION_DAYS", 14, least=1)
SESSION_IDLE_MINUTES = env.whole("SESSION_IDLE_MINUTES", 30, least=1)
SESSION_ENGINE = "companion_site.accounts.sessions"
SESSION_COOKIE_AGE = SESSION_IDLE_MINUTES * 60
SESSION_SAVE_EVERY_REQUEST = True
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS", [])
SECURE_SSL_REDIRECT = env.switch("SECURE_SSL_REDIRECT", default=False)
#: Asked by machines beside the proxy, over plain HTTP.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.switch("HSTS_SUBDOMAINS", default=False)
#: That browsers ship with the name is for its owner to ask of them, once and hardly to be undone.
SILENCED_SYSTEM_CHECKS = ["security.W021"]
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES")
if env.switch("BEHIND_PROXY", default=False) and not TRUSTED_PROXIES:
    raise SystemExit("BEHIND_PROXY says no more which proxy: name it in TRUSTED_PROXIES (docs/settings.md).")
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

KEY_STORE = env.text("KEY_STORE", "companion_site.vault.keystore.DirectoryKeyStore")
KEY_STORE_DIR = Path(env.text("KEY_STORE_DIR", str(VAR_DIR / "keys")))
AUDIT_KEYS = env.text("AUDIT_KEYS", "companion_site.audit.keys.DirectoryAuditKeys")
AUDIT_KEYS_DIR = Path(env.text("AUDIT_KEYS_DIR", str(KEY_STORE_DIR / "audit")))
AUDIT_CHECKPOINT_DIR = Path(env.text("AUDIT_CHECKPOINT_DIR", str(VAR_DIR / "checkpoints")))
AUDIT_CHECKPOINT_COMMAND = env.str("AUDIT_CHECKPOINT_COMMAND", "")
AUDIT_CHECKPOINT_MINUTES = env.whole("AUDIT_CHECKPOINT_MINUTES", 2, least=1)
#: Read by what starts the processes (companion_site/running); here, so that they can tell whether it is so.
WIPE_FREED_MEMORY = env.switch("WIPE_FREED_MEMORY", default=True)
CORE_DUMPS = env.switch("CORE_DUMPS", default=False)
LEASE_HOURS = env.number("LEASE_HOURS", 24, least=0)
#: Returns those of some spaces that neither a log-in nor a token nor a lease opens any more.
SPACES_WITHOUT_STANDING = "companion_site.accounts.sessions.spaces_without_standing"
#: What a worker calls before its first job: models of language and what else takes long to load.
LOADED_AT_START = "chat.warming.load_for_good"
#: Jobs that take a space's id and do what had to wait for its key.
TASKS_AFTER_UNLOCK = [
    "memory.reembedding.tasks.reembed_space",
    "chat.tasks.form_awaiting",
    "chat.tasks.open_boxes",
    "chat.tasks.go_on_with_imports",
    "chat.tasks.fold_awaiting",
    "memory.tasks.compress_awaiting",
    "memory.tasks.sleep_awaiting",
]
#: Questions, asked with a space's id in its scope: does anything there still wait for the key? A lease ends when none does.
WORK_LEFT = [
    "chat.memories.formation.awaits_formation",
    "chat.memories.exchange.awaits_reading",
    "chat.imports.work.awaits_work",
    "chat.summaries.service.awaits_folding",
    "memory.inbound.inbox.awaits_key",
    "memory.student.compression.run.awaits_compression",
    "memory.student.sleep.timing.awaits_sleep",
    "memory.reembedding.awaits_reembedding",
]
#: Questions of the same form, each with the job that is queued between two sessions where the answer is yes.
BETWEEN_SESSIONS = {"memory.student.compression.run.is_due": "memory.tasks.compress_after_session"}
#: Returns what was said at the places that memories come from, for the pages of memory, which know no messages.
READ_PASSAGES = "chat.memories.passages.read_passages"
#: Argon2id of the vault, and of the log-in's hash, which must not be the cheaper way to a password; memory_cost in KiB.
#: RFC 9106's second recommendation.
VAULT_ARGON2 = {
    "iterations": env.whole("ARGON2_ITERATIONS", 3, least=1),
    "lanes": 4,
    "memory_cost": env.whole("ARGON2_MEMORY_KIB", 65536, least=32),
}
DERIVATIONS_AT_ONCE = env.whole("DERIVATIONS_AT_ONCE", 2, least=1)
DERIVATIONS_WAITING = env.whole("DERIVATIONS_WAITING", 64, least=1)

# Language and time

LANGUAGES = [("en", "English"), ("sv", "Svenska")]
LANGUAGE_CODE = env.choice("LANGUAGE_CODE", "en", tuple(code for code, _ in LANGUAGES))
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.time_zone("TIME_ZONE", "Europe/Stockholm")

# Static files come out of installed packages and static/; nothing vendored.

STATIC_URL = "/static/"
STATIC_ROOT = env.str("STATIC_ROOT", "") or None
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

# Language models

LLM_CHAIN = env.words("LLM_CHAIN", ["anthropic", "openai", "offline"])
ANTHROPIC_API_KEY = env.str("ANTHROPIC_API_KEY", "")
ANTHROPIC_BASE_URL = env.str("ANTHROPIC_BASE_URL", "")
ANTHROPIC_CHAT_MODEL = env.text("ANTHROPIC_CHAT_MODEL", "claude-sonnet-5-5")
ANTHROPIC_FAST_MODEL = env.text("ANTHROPIC_FAST_MODEL", "claude-haiku-5-5")
OPENAI_API_KEY = env.str("OPENAI_API_KEY", "")
OPENAI_BASE_URL = env.str("OPENAI_BASE_URL", "")
OPENAI_CHAT_MODEL = env.str("OPENAI_CHAT_MODEL", "")
OPENAI_FAST_MODEL = env.str("OPENAI_FAST_MODEL", "")
LLM_TIMEOUT_S = env.number("LLM_TIMEOUT_S", 120, least=1)
LLM_FIRST_TOKEN_TIMEOUT_S = env.number("LLM_FIRST_TOKEN_TIMEOUT_S", 20, least=1)
LLM_CONNECT_TIMEOUT_S = env.number("LLM_CONNECT_TIMEOUT_S", 5, least=0.1)
LLM_BETWEEN_TOKENS_TIMEOUT_S = env.number("LLM_BETWEEN_TOKENS_TIMEOUT_S", 20, least=1)
LLM_EXTRACT_TIMEOUT_S = env.number("LLM_EXTRACT_TIMEOUT_S", 45, least=1)
LLM_LOCAL_TIMEOUT_S = env.number("LLM_LOCAL_TIMEOUT_S", 0.7, least=0.1)
LLM_MAX_INPUT_TOKENS = env.whole("LLM_MAX_INPUT_TOKENS", 24_000, least=1000)
LLM_MAX_REPLY_CHARS = env.whole("LLM_MAX_REPLY_CHARS", 40_000, least=1000)
LLM_MAX_REPLY_TOKENS = env.whole("LLM_MAX_REPLY_TOKENS", 16_000, least=500)
#: those whose models for replies look at pictures
LLM_PICTURES = env.words("LLM_PICTURES", ["anthropic", "openai"])
LLM_SCRUB = env.words("LLM_SCRUB", ["email", "phone", "personal_number", "iban", "card"])
LLM_SCRUB_LOCAL = env.switch("LLM_SCRUB_LOCAL", default=False)
HELP_LINES = Path(env.text("HELP_LINES", str(BASE_DIR / "companion_site" / "llm" / "help_lines.json")))
HELP_COUNTRY = env.text("HELP_COUNTRY", "SE")
TURN_STEPS = env.choice("TURN_STEPS", "offline", ("offline", "model"))
TURN_STEP_TIMEOUT_S = env.number("TURN_STEP_TIMEOUT_S", 2, least=0.1)

# Embeddings

EMBEDDINGS_PROVIDER = env.choice("EMBEDDINGS_PROVIDER", "bundled", ("bundled", "openai"))
EMBEDDINGS_BASE_URL = env.str("EMBEDDINGS_BASE_URL", "")
EMBEDDINGS_API_KEY = env.str("EMBEDDINGS_API_KEY", "")
EMBEDDINGS_MODEL = env.str("EMBEDDINGS_MODEL", "")
EMBEDDINGS_DIMENSION = env.whole("EMBEDDINGS_DIMENSION", 0, least=0)
READING_WEIGHTS = Path(env.text("READING_WEIGHTS", str(BASE_DIR / "memory" / "reading" / "weights.npz")))

# Voice

VOICE_STT = env.choice("VOICE_STT", "auto", ("auto", "local", "openai", "off"))
VOICE_TTS = env.choice("VOICE_TTS", "auto", ("auto", "local", "elevenlabs", "off"))
VOICE_MAX_SECONDS = env.whole("VOICE_MAX_SECONDS", 120, least=5)
VOICE_MAX_BYTES = env.whole("VOICE_MAX_BYTES", 8 * 1024 * 1024, least=100_000)
#: of a copy of a memory that is taken in; it is read whole
COPY_MAX_BYTES = env.whole("COPY_MAX_BYTES", 16 * 1024 * 1024, least=100_000)
#: of a picture or a text file that goes with a message
ATTACHMENT_MAX_BYTES = env.whole("ATTACHMENT_MAX_BYTES", 10 * 1024 * 1024, least=10_000)
#: A larger body goes to disk; a recording, a memory and what somebody attaches never may. A form has something around its file.
FILE_UPLOAD_MAX_MEMORY_SIZE = max(VOICE_MAX_BYTES, COPY_MAX_BYTES, ATTACHMENT_MAX_BYTES, 2_621_440) + 65_536
VOICE_OPENAI_API_KEY = env.str("VOICE_OPENAI_API_KEY", "")
VOICE_OPENAI_BASE_URL = env.str("VOICE_OPENAI_BASE_URL", "")
VOICE_OPENAI_MODEL = env.str("VOICE_OPENAI_MODEL", "")
ELEVENLABS_API_KEY = env.str("ELEVENLABS_API_KEY", "")
ELEVENLABS_BASE_URL = env.str("ELEVENLABS_BASE_URL", "")
ELEVENLABS_VOICE = env.str("ELEVENLABS_VOICE", "")
ELEVENLABS_MODEL = env.str("ELEVENLABS_MODEL", "")

# Memory and chat

MAX_NODES = env.whole("MAX_NODES", 1000, least=10)
TOMBSTONE_DAYS = env.whole("TOMBSTONE_DAYS", 30, least=0)
SLEEP_AFTER_HOURS = env.number("SLEEP_AFTER_HOURS", 4, least=0)
SLEEP_HISTORY_DAYS = env.whole("SLEEP_HISTORY_DAYS", 90, least=30)
SHORT_TERM_DAYS = env.whole("SHORT_TERM_DAYS", 30, least=1)
WORLD_MAX_CONCEPTS = env.whole("WORLD_MAX_CONCEPTS", 20_000, least=1)
WORKING_SET_MB = env.whole("WORKING_SET_MB", 256, least=1)
TRANSCRIPT_DAYS = env.whole("TRANSCRIPT_DAYS", 30, least=0)
TRANSCRIPT_CEILING_DAYS = env.whole("TRANSCRIPT_CEILING_DAYS", 60, least=1)
FORMING_CPU_S = env.number("FORMING_CPU_S", 5, least=0.1)
#: Where a model is configured, it reads an exchange once its person has said nothing for so long.
READING_PAUSE_S = env.number("READING_PAUSE_S", 20, least=0)
MESSAGES_PER_MINUTE = env.whole("MESSAGES_PER_MINUTE", 20, least=1)
MESSAGE_MAX_CHARS = env.whole("MESSAGE_MAX_CHARS", 32_000, least=1)

# Knowledge packs

#: Ed25519 public keys, as hexadecimal digits; none: every valid signature is good, and so is none at all
PACK_TRUSTED_KEYS = env.words("PACK_TRUSTED_KEYS", [])
#: whether the first start takes in the packs that ship with the site
SHIPPED_PACKS = env.switch("SHIPPED_PACKS", default=True)

# A first look

#: whether the demo people have talked with their companion: students for some weeks, their company for months
DEMO_TALK = env.switch("DEMO_TALK", default=True)

# REST API

REST_FRAMEWORK = {"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema", "UNAUTHENTICATED_USER": None}
API_CALLS_PER_MINUTE = env.whole("API_CALLS_PER_MINUTE", 300, least=1)
API_REPLIES_PER_MINUTE = env.whole("API_REPLIES_PER_MINUTE", 20, least=1)

# Looking after the site

METRICS_TOKEN = env.str("METRICS_TOKEN", "")
#: Modules that count, in the order of the staff's page; companion_site/metrics/figures.py says what each has.
FIGURES = ["memory.figures", "chat.figures", "memory.agents.figures", "companion_site.metrics.platform"]
#: Numbers that /readyz tells beside its checks, each with the function of the time that counts it.
TOLD_BY_READYZ = {
    "overdue_sleeps": "memory.figures.count_overdue_sleeps",
    "audit_checkpoint_age_s": "companion_site.audit.checkpoint_services.checkpoint_age_s",
}

LOGGING_CONFIG = None
logging_config(json=env.switch("LOG_JSON", default=not DEBUG), level=env.choice("LOG_LEVEL", "INFO", LEVELS))
