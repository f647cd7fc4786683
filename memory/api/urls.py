"""Addresses of a student's memory, of a company's and of an agent's, and of knowledge packs, below those of the REST API."""

from memory.api.agents import agent
from memory.api.company import company
from memory.api.memories import memory
from memory.api.packs import packs

urlpatterns = [*memory.urls, *company.urls, *agent.urls, *packs.urls]
