"""What a company's conversations give to its memory: which are due to be read, and the reading of one."""
