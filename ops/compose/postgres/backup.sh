#!/bin/sh
# Takes a full backup each Sunday and a differential one on other days, at 01:00 UTC. pgBackRest removes old ones.
set -u
until pgbackrest --stanza=offcut stanza-create; do sleep 60; done
# The first backup, if there is none yet.
pgbackrest --stanza=offcut info --output=json | grep -q '"label"' || pgbackrest --stanza=offcut backup --type=full
while :; do
  sleep $(((90000 - $(date -u +%s) % 86400) % 86400 + 1))
  kind=diff
  [ "$(date -u +%u)" = 7 ] && kind=full
  pgbackrest --stanza=offcut backup --type="$kind" || echo "backup: the backup of $(date -u +%F) failed" >&2
done
