"""The measures API: what a person's own device measured of their days, sealed to the person."""
