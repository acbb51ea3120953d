#!/usr/bin/env bash
# A small Citus cluster on this machine, for tests: a coordinator and two workers.
#
#   scripts/citus.sh build SOURCE   compiles and installs Citus from a folder with its source (as root)
#   scripts/citus.sh start          starts the cluster, and prints its URL
#   scripts/citus.sh stop           stops it and removes its data
#   scripts/citus.sh pause N | resume N | kill N | revive N   does that to worker N (1 or 2)
#
# Needs Debian's packages postgresql-15, postgresql-server-dev-15, gcc, make, libssl-dev, libreadline-dev, libxml2-dev,
# libxslt1-dev, libpam0g-dev, libselinux1-dev, libkrb5-dev, libzstd-dev, liblz4-dev, and Citus 13.
set -euo pipefail

folder=${CITUS_FOLDER:-"${TMPDIR:-/tmp}/hashrange-citus"}
port=${CITUS_PORT:-9700}
bin=$(pg_config --bindir)
nodes=3

# PostgreSQL refuses to run as root.
as_user() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

sql() {
  as_user "$bin/psql" -h 127.0.0.1 -p "$1" -U postgres -d "${3:-postgres}" -v ON_ERROR_STOP=1 -qAt -c "$2"
}

ctl() {
  as_user "$bin/pg_ctl" -D "$folder/$1" -l "$folder/$1.log" -w "${@:2}" >/dev/null
}

build() {
  cd "$1"
  # PostgreSQL 15.20 has a function of this name itself.
  grep -rlw have_createdb_privilege src | xargs -r sed -i 's/\bhave_createdb_privilege\b/citus_have_createdb_privilege/g'
  ./configure --without-libcurl
  make -j"$(nproc)" extension
  make install-extension
}

start() {
  mkdir -p "$folder"
  if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
  for node in $(seq 0 $((nodes - 1))); do
    if [ ! -d "$folder/$node" ]; then
      as_user "$bin/initdb" -D "$folder/$node" -U postgres --auth=trust --no-sync --encoding=UTF8 --locale=C >/dev/null
      cat >>"$folder/$node/postgresql.conf" <<CONF
port = $((port + node))
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
max_connections = 300
max_prepared_transactions = 300
fsync = off
wal_level = logical
citus.node_conninfo = 'sslmode=prefer connect_timeout=5'
CONF
    fi
    ctl "$node" status 2>/dev/null || ctl "$node" start
  done
  for node in $(seq 0 $((nodes - 1))); do
    sql $((port + node)) 'CREATE EXTENSION IF NOT EXISTS citus'
  done
  sql "$port" "SELECT citus_set_coordinator_host('127.0.0.1', $port)" >/dev/null
  for node in $(seq 1 $((nodes - 1))); do
    sql "$port" "SELECT citus_add_node('127.0.0.1', $((port + node)))" >/dev/null
  done
  echo "postgres://postgres@127.0.0.1:$port/postgres"
}

stop() {
  for node in $(seq 0 $((nodes - 1))); do
    ctl "$node" -m immediate stop 2>/dev/null || true
  done
  rm -rf "$folder"
}

# All processes of a node: its first one and those that serve connections.
signal() {
  local first
  first=$(head -1 "$folder/$2/postmaster.pid")
  kill "-$1" "$first" $(pgrep -P "$first") 2>/dev/null || true
}

# Its processes end a moment later, and until then it cannot be started again.
lose() {
  local first
  first=$(head -1 "$folder/$1/postmaster.pid")
  signal KILL "$1"
  for _ in $(seq 200); do
    kill -0 "$first" 2>/dev/null || return 0
    sleep 0.05
  done
}

case "${1:-}" in
  build) build "${2:?the folder of the source}" ;;
  start) start ;;
  stop) stop ;;
  pause) signal STOP "${2:?a worker}" ;;
  resume) signal CONT "${2:?a worker}" ;;
  kill) lose "${2:?a worker}" ;;
  revive) ctl "${2:?a worker}" start ;;
  *)
    sed -n '2,10s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
