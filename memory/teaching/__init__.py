"""Teachers' and auditors' part of memory: they write into it and see its shape; they never read a word of it."""
