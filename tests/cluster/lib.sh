# lib.sh - a cluster of hosts for a test, with our daemons on it; sourced by tests/cluster/*.test.
# shellcheck shell=bash
#
#   cluster_up 3 [CONF]         head and worker-1..3, users, munge key, slurm.conf, all daemons, ready
#   cluster_hosts HOST...       only the hosts and users, nothing started
#   on HOST COMMAND...          run as root there; the status is the command's
#   as USER HOST COMMAND...     run as alice, bob, slurm ...
#   check SENTENCE COMMAND...   prints `ok`, or ends the test with the hosts' logs
#   gives TEXT COMMAND...       true if that is all the command prints
#   exits STATUS COMMAND...     true if it ends so
#   wait_until S COMMAND...     tries the command until it is true, at most S seconds
#   start_daemon HOST NAME [ARG...], daemon_pid HOST NAME, stop_daemon HOST NAME [SIGNAL]
#   fail WHY                    ends the test with the hosts' logs
#
# The cluster ends with the test, however that ends; $work is a directory that goes with it. What a
# sanitizer reports in any process of the hosts fails the test.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=${SLUICE_SOURCE:-$(cd "$here/../.." && pwd)}
build_dir=${SLUICE_BUILD:-$source_dir/build}
hosts=$here/hosts
test_name=cluster.$(basename "$0" .test)
reports=/var/log/sanitizer
work=

skip() {
    echo "skipped: $1"
    exit 77
}

fail() {
    echo "not ok - $1"
    exit 1
}

check() {
    local sentence=$1
    shift
    "$@" || fail "$sentence ($*: $?)"
    echo "ok - $sentence"
}

gives() {
    local expected=$1 got
    shift
    got=$("$@")
    [ "$got" = "$expected" ] || { printf 'expected: %s\n     got: %s\n' "$expected" "$got"; return 1; }
}

exits() {
    local expected=$1 got=0
    shift
    "$@" || got=$?
    [ "$got" -eq "$expected" ] || { echo "expected exit status $expected, got $got"; return 1; }
}

wait_until() {
    local deadline=$((SECONDS + $1 + 1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        sleep 0.05
    done
}

on() {
    "$hosts" exec "$@"
}

as() {
    local user=$1
    shift
    "$hosts" exec -u "$user" "$@"
}

# Hosts

cluster_hosts() {
    [ "$(id -u)" -eq 0 ] || skip "hosts made of namespaces need root"
    command -v ip >/dev/null || skip "hosts made of namespaces need iproute2"
    cluster_names=("$@")
    work=$(mktemp -d "${TMPDIR:-/tmp}/sluice-cluster.XXXXXX")
    chmod 755 "$work"
    trap cluster_end EXIT
    trap 'exit 143' TERM INT
    export ASAN_OPTIONS=log_path=$reports/report UBSAN_OPTIONS=log_path=$reports/report
    HOSTS_CLUSTER=$("$hosts" up -o $$ -b "$build_dir/bin" - "$@") || fail "hosts are up"
    export HOSTS_CLUSTER
    add_users
    for_each_host mkdir -p -m 1777 "$reports"
}

for_each_host() {
    local host
    for host in "${cluster_names[@]}"; do
        on "$host" "$@" || return 1
    done
}

add_users() {
    "$hosts" user alice 20001 physics=30001
    "$hosts" user bob 20002
    "$hosts" user slurm 64030
    getent passwd munge >/dev/null || "$hosts" user munge 64031
}

# cluster_end: the trap; keeps the exit status unless a sanitizer had something to say.
cluster_end() {
    local status=$?
    trap - EXIT
    "$hosts" collect "$work/logs" 2>/dev/null
    if compgen -G "$work/logs/*/sanitizer/*" >/dev/null; then
        echo "not ok - no sanitizer reports anything"
        cat "$work"/logs/*/sanitizer/*
        status=1
    fi
    [ $status -eq 0 ] || [ $status -eq 77 ] || show_logs
    "$hosts" down
    rm -rf "$work"
    exit $status
}

# The ends on the screen, all of it beside the build.
show_logs() {
    local kept=$build_dir/logs/$test_name log
    rm -rf "$kept"
    mkdir -p "$kept"
    cp -r "$work/logs/." "$kept/" 2>/dev/null
    echo "logs are in $kept"
    find "$kept" -type f -name '*.log*' -size +0 | sort | while read -r log; do
        printf -- '--- %s\n' "${log#"$kept"/}"
        tail -n 40 "$log"
    done
}

# Daemons

start_daemon() {
    local host=$1
    shift
    on "$host" "$@" || fail "$1 starts on $host"
}

daemon_pid() {
    on "$1" pgrep -o -x "$2"
}

# stop_daemon HOST NAME [SIGNAL]: all processes of that name, and waits until they are gone.
stop_daemon() {
    on "$1" pkill "-${3:-TERM}" -x "$2"
    wait_until 20 no_daemon "$1" "$2" || fail "$2 on $1 ends after ${3:-TERM}"
}

no_daemon() {
    ! daemon_pid "$1" "$2" >/dev/null
}

# install_lab CONF: the same key and configuration for every host, copied as an administrator would.
install_lab() {
    dd if=/dev/urandom bs=1 count=1024 of="$work/munge.key" status=none
    for_each_host sh -e -c '
        install -d -o munge -g munge -m 700 /etc/munge
        install -o munge -g munge -m 400 "$1" /etc/munge/munge.key
        install -D -m 644 "$2" /etc/slurm/slurm.conf' sh "$work/munge.key" "$1" ||
        fail "every host has key and slurm.conf"
}

all_idle() {
    [ "$(on head sinfo -h -N -o %t 2>/dev/null | sort | uniq -c | tr -s ' ')" = " $1 idle" ]
}

cluster_up() {
    local n=$1 conf=${2:-$source_dir/etc/lab/slurm.conf} host
    local names=(head)
    for ((host = 1; host <= n; host++)); do
        names+=("worker-$host")
    done
    cluster_hosts "${names[@]}"
    install_lab "$conf"
    for host in "${names[@]}"; do
        start_daemon "$host" munged
    done
    start_daemon head slurmctld
    for host in "${names[@]:1}"; do
        start_daemon "$host" slurmd
    done
    wait_until 30 all_idle "$n" || fail "all $n nodes are idle after 30 s"
}
