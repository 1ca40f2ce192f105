#!/usr/bin/env bash
# Exits 0 once the S3 service at the given address has created a bucket, stored an object and returned it.
# The first bucket of a new gateway takes seconds: Ceph then creates the pools that hold buckets.
#
#   test/support/s3-serves.sh http://127.0.0.1:7480
set -uo pipefail
bucket=$1/serves-$$

# PATH METHOD [BODY]. curl signs the hash of the body, S3 also wants it as a header.
request() {
  local hash
  hash=$(printf %s "${3:-}" | sha256sum | cut -d' ' -f1)
  curl --silent --fail --max-time 20 --aws-sigv4 aws:amz:us-east-1:s3 --user testkey:testsecret \
    --header "x-amz-content-sha256: $hash" --request "$2" ${3:+--data-binary "$3"} "$1"
}

request "$bucket" PUT || exit 1
request "$bucket/object" PUT stored && [ "$(request "$bucket/object" GET)" = stored ]
served=$?
request "$bucket/object" DELETE
request "$bucket" DELETE
exit "$served"
