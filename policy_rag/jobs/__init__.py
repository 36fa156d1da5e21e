"""Ingests as jobs in Postgres, one a document, done by any number of workers on any number of machines."""
