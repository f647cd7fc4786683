"""The lesson API: what a school's learning systems report as xAPI statements is sealed to the students it is about."""
