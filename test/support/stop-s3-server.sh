#!/usr/bin/env bash
# Ends the S3 service that s3-server.sh started with the same settings, and removes its folder.
set -euo pipefail

port=${TEST_S3_PORT:-7480}
folder=${TEST_S3_FOLDER:-${TMPDIR:-/tmp}/offcut-s3-$(id -u)-$port}
[ -f "$folder/ceph.conf" ] || exit 0

# A noted id counts only while its process still names this folder: ids are reused.
ours() { tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null | grep -qF -- "-c $folder/ceph.conf"; }

if [ -f "$folder/pids" ]; then
  mapfile -t pids < <(tac "$folder/pids")
  for pid in "${pids[@]}"; do
    if ours "$pid"; then kill "$pid"; fi
    for _ in {1..50}; do
      ours "$pid" || break
      sleep 0.1
    done
    # Nothing in there is worth keeping.
    if ours "$pid"; then kill -9 "$pid"; fi
  done
fi
rm -rf "$folder"
