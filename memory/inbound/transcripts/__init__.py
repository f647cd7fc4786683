"""The transcript API: what was said in a tutoring session elsewhere, sealed to the student whose session it was."""
