"""The ledger for programs: its own services behind the REST API's edge."""
