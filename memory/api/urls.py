"""Addresses of a student's memory, of a company's and of an agent's, and of knowledge packs, below those of the REST API."""

from memory.api.company_views import company
from memory.api.context_views import agent
from memory.api.pack_views import packs
from memory.api.views import memory

urlpatterns = [*memory.urls, *company.urls, *agent.urls, *packs.urls]
