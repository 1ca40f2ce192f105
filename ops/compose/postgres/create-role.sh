#!/bin/sh
# Runs once, when PostgreSQL initialises its volume: the role of the nodes.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set=ON_ERROR_STOP=1 --set=password="$SERVING_PASSWORD" <<'SQL'
create role serving login password :'password';
SQL
