#!/usr/bin/env bash
# Starts a real S3 service for the tests: one Ceph monitor, one OSD that keeps its objects in memory, and
# the RADOS Gateway in front of them, all on 127.0.0.1 and all gone after stop-s3-server.sh.
#
#   endpoint=$(test/support/s3-server.sh)        prints e.g. http://127.0.0.1:7480
#   test/support/stop-s3-server.sh               ends it
#
# Keys testkey / testsecret, region us-east-1; addresses with the bucket in the path, or before `localhost`.
# Runs as root or as an ordinary user wherever the programs are installed (Debian: ceph-mon ceph-osd
# ceph-common radosgw).
# Settings: TEST_S3_PORT (7480), TEST_S3_FOLDER (below the temporary folder), TEST_S3_WITHOUT_GATEWAY (the caller starts
# the gateway, with the settings in the folder).
# Exit codes: 0 it answers; 2 it cannot run on this machine; 1 it should have started and did not.
set -euo pipefail
umask 077
export PATH="$PATH:/usr/sbin:/sbin"

port=${TEST_S3_PORT:-7480}
folder=${TEST_S3_FOLDER:-${TMPDIR:-/tmp}/offcut-s3-$(id -u)-$port}
endpoint=http://127.0.0.1:$port
patience_s=60

note() { echo "s3-server: $*" >&2; }
fail() { note "$1"; exit "${2:-1}"; }
answering() { curl --silent --fail --max-time 2 --output /dev/null "$endpoint/"; }
listening() { (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

for program in ceph-mon ceph-osd ceph ceph-authtool monmaptool radosgw radosgw-admin curl; do
  command -v "$program" >/dev/null || fail "$program is not installed" 2
done

if [ -f "$folder/endpoint" ]; then
  if answering; then cat "$folder/endpoint"; exit 0; fi
  "$(dirname "$0")/stop-s3-server.sh"
fi
if listening "$port"; then fail "port $port is taken by another program; set TEST_S3_PORT"; fi
mkdir "$folder" || fail "cannot create $folder"
cd "$folder"
mkdir monitor disk gateway log
conf=$folder/ceph.conf

# Two neighbouring free ports for the monitor and the OSD, away from those the system hands out itself.
inner=$((21000 + port % 500 * 10))
while listening "$inner" || listening $((inner + 1)); do inner=$((inner + 10)); done

cat >"$conf" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon_host = v2:127.0.0.1:$inner
mon_initial_members = one
public_addr = 127.0.0.1
ms_bind_port_min = $((inner + 1))
ms_bind_port_max = $((inner + 9))
keyring = $folder/keyring
auth_allow_insecure_global_id_reclaim = false
admin_socket =
run_dir = $folder
crash_dir = $folder/log
log_file = $folder/log/\$name.log
mon_cluster_log_file = $folder/log/cluster.log
# A single copy on a single disk is all there is, and no manager watches it.
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 500
[mon]
mon_data = $folder/monitor
# The disk of a test machine may be nearly full without harm: objects live in memory.
mon_data_avail_warn = 1
mon_data_avail_crit = 0
# Ceph waits a second before each decision to gather more of them; alone, waiting only costs time.
paxos_propose_interval = 0.02
paxos_min_wait = 0.01
[osd]
osd_data = $folder/disk
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_crush_initial_weight = 1
[client.rgw]
rgw_data = $folder/gateway
rgw_frontends = beast endpoint=127.0.0.1:$port tcp_nodelay=1
rgw_enable_apis = s3
# Addresses with the bucket in the name of the server: http://BUCKET.localhost.
rgw_dns_name = localhost
rgw_run_sync_thread = false
rgw_thread_pool_size = 32
# Deleted objects give their memory back after a minute; the default is two hours.
rgw_gc_obj_min_wait = 60
rgw_gc_processor_period = 60
CONF

started=
give_up() {
  [ -n "$started" ] && return
  note "the start failed; the last lines of its logs:"
  tail -n 5 "$folder"/log/* >&2 || true
  echo "$endpoint" >"$folder/endpoint"
  "$(dirname "$script")/stop-s3-server.sh"
}
script=$(cd "$OLDPWD" && realpath "$0")
trap give_up EXIT

setup() { timeout "$patience_s" "$@" </dev/null >>log/setup.log 2>&1; }
# A daemon outlives this script in a session of its own; its process id is noted for the stop.
daemon() {
  setsid "$@" -f -c "$conf" </dev/null >>"log/$1.out" 2>&1 &
  echo $! >>pids
}
key() { setup ceph-authtool keyring --gen-key -n "$@"; }

touch keyring
key mon. --cap mon 'allow *'
key client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
key osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
key client.rgw --cap mon 'allow rw' --cap osd 'allow rwx'

fsid=$(sed -n 's/^fsid = //p' "$conf")
disk_id=$(cat /proc/sys/kernel/random/uuid)
setup monmaptool --create --fsid "$fsid" --addv one "v2:127.0.0.1:$inner" monmap
setup ceph-mon -c "$conf" -i one --mkfs --monmap monmap --keyring keyring
daemon ceph-mon -i one
setup ceph -c "$conf" osd new "$disk_id"
setup ceph-osd -c "$conf" -i 0 --mkfs --osd-uuid "$disk_id" --no-mon-config
daemon ceph-osd -i 0
setup radosgw-admin -c "$conf" -n client.rgw user create --uid=test --display-name=test \
  --access-key=testkey --secret-key=testsecret
if [ -n "${TEST_S3_WITHOUT_GATEWAY:-}" ]; then
  started=yes
  echo "$endpoint" >endpoint
  exit 0
fi
daemon radosgw -n client.rgw

until answering && "$(dirname "$script")/s3-serves.sh" "$endpoint"; do
  [ "$SECONDS" -lt "$patience_s" ] || fail "no object stored and returned within $patience_s s"
  while read -r pid; do kill -0 "$pid" 2>/dev/null || fail "a daemon ended early"; done <pids
  sleep 0.1
done
started=yes
note "ready after $SECONDS s in $folder"
echo "$endpoint" | tee endpoint
