"""Several halls, one centre: each hall's entries, in their order, on PostgreSQL, while the hall goes on without it."""
