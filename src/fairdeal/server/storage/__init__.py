"""The room's database: connections, schema, migrations and queries."""
