"""Background jobs of a company's memory: ids in, one service called, safe to run twice."""

from companion_site.jobs import job
from memory.company.summaries.service import compress, queue_all_due

compress_company = job(compress)
compress_companies = job(queue_all_due)
