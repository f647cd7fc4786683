"""How somebody feels, by what they say and how it sounds: without a model, and by one."""
