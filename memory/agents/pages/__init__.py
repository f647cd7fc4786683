"""The pages by which a person looks after their agents: thin over the functions of `memory.agents`."""
