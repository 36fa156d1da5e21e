"""Migrations of what a service keeps for itself, with a table of versions of their own: a database may lack either."""
