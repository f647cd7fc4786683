"""A student's memory and a company's for programs: memory's own services behind the REST API's edge."""
