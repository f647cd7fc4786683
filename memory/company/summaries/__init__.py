"""Compressing a company's memory: docs/algorithms/company.md."""

from memory.company.summaries.due import find_trigger, queue_all_due, queue_if_due
from memory.company.summaries.service import compress

__all__ = ["compress", "find_trigger", "queue_all_due", "queue_if_due"]
