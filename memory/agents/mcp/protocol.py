"""What server and client agree on: where the tools answer, what the seven are called, how much may come in, and how often."""

#: the address inside the site, and the variable in which a program's environment has its token
PATH, TOKEN_VARIABLE = "/mcp", "COMPANION_TOKEN"

PROJECT_SNAPSHOT = "kom.meta.v1.project_snapshot"
IMPORT_ENCRYPTED = "kom.local.v1.backup.import_encrypted"
EXPORT_ENCRYPTED = "kom.local.v1.backup.export_encrypted"
SEARCH_MEMORY = "kom.memory.v1.search_memory"
UPSERT_MEMORY = "kom.memory.v1.upsert_memory"
RECALL_CONTEXT = "kom.memory.v1.recall_context"
SAVE_CONTEXT = "kom.memory.v1.save_context"

#: bytes of one request, before anything of it is parsed; a pack of 3 MB fits as base64
REQUEST_BYTES = 4 * 1024 * 1024
#: bytes of a pack that goes out in an answer; larger ones are written by `manage.py`
PACK_BYTES = 16 * 1024 * 1024
#: what a pack that comes in may unpack to
UNPACKED_BYTES = 64 * 1024 * 1024
#: requests of one agent a minute, by whichever token; a turn of its takes about four
REQUESTS_A_MINUTE = 300
