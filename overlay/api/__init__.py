"""A student's part of the world for programs: the overlay's own services behind the REST API's edge."""
