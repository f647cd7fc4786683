"""What the seven tools are called; server and client read it here."""

PROJECT_SNAPSHOT = "kom.meta.v1.project_snapshot"
IMPORT_ENCRYPTED = "kom.local.v1.backup.import_encrypted"
EXPORT_ENCRYPTED = "kom.local.v1.backup.export_encrypted"
SEARCH_MEMORY = "kom.memory.v1.search_memory"
UPSERT_MEMORY = "kom.memory.v1.upsert_memory"
RECALL_CONTEXT = "kom.memory.v1.recall_context"
SAVE_CONTEXT = "kom.memory.v1.save_context"
