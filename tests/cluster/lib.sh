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
#   fails COMMAND...            true if it runs and says no
#   is_json EXPRESSION COMMAND...  true if it prints JSON, `d`, of which the Python expression is true
#   wait_until S COMMAND...     tries the command until it is true, at most S seconds
#   daemon_pid HOST NAME, stop_daemon HOST NAME [SIGNAL]
#   fail WHY                    ends the test with the hosts' logs
#
# The cluster ends with the test, however that ends; $work is a directory that goes with it, $began is
# when the test began, for sacct -S: without it, sacct tells of the jobs since midnight. What a
# sanitizer reports in any process of the hosts fails the test.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build_dir=${SLUICE_BUILD:-$(cd "$here/../.." && pwd)/build}
test_name=cluster.$(basename "$0" .test)
reports=/var/log/sanitizer
# shellcheck disable=SC2034 # read by the tests
began=$(date +%FT%T)
work=

. "$here/lab.sh"

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

is_json() {
    local expression=$1
    shift
    (set -o pipefail; "$@" | python3 -c "import json, sys; d = json.load(sys.stdin); sys.exit(not ($expression))")
}

fails() {
    local got=0
    "$@" || got=$?
    [ "$got" -ne 0 ] && [ "$got" -ne 125 ] && [ "$got" -ne 126 ] && [ "$got" -ne 127 ]
}

# Hosts

cluster_hosts() {
    [ "$(id -u)" -eq 0 ] || skip "hosts made of namespaces need root"
    command -v ip >/dev/null || skip "hosts made of namespaces need iproute2"
    lab_hosts=("$@")
    work=$(mktemp -d "${TMPDIR:-/tmp}/sluice-cluster.XXXXXX")
    chmod 755 "$work"
    trap cluster_end EXIT
    trap 'exit 143' TERM INT
    export ASAN_OPTIONS=log_path=$reports/report UBSAN_OPTIONS=log_path=$reports/report
    HOSTS_CLUSTER=$("$hosts" up -o $$ -b "$build_dir/bin" - "$@") || fail "hosts are up"
    export HOSTS_CLUSTER
    add_users || fail "the hosts have users"
    for_each_host mkdir -p -m 1777 "$reports"
}

end_hosts() {
    "$hosts" collect "$work/logs"
    "$hosts" down
}

# cluster_end: the trap; keeps the exit status unless a sanitizer had something to say.
cluster_end() {
    local status=$?
    trap - EXIT
    [ -z "${HOSTS_CLUSTER-}" ] || end_hosts
    # That LeakSanitizer could not hold a thread which was about to end is no report.
    if compgen -G "$work/logs/*/sanitizer/*" >/dev/null &&
        grep -hv 'was not suspended. False leaks are possible' "$work"/logs/*/sanitizer/* | grep -q .; then
        echo "not ok - no sanitizer reports anything"
        cat "$work"/logs/*/sanitizer/*
        status=1
    fi
    [ $status -eq 0 ] || [ $status -eq 77 ] || show_logs
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

# stop_daemon HOST NAME [SIGNAL]: all processes of that name, and waits until they are gone.
stop_daemon() {
    on "$1" pkill "-${3:-TERM}" -x "$2"
    wait_until 20 no_daemon "$1" "$2" || fail "$2 on $1 ends after ${3:-TERM}"
}

no_daemon() {
    ! daemon_pid "$1" "$2" >/dev/null
}

cluster_up() {
    local names
    mapfile -t names < <(lab_names "$1")
    cluster_hosts "${names[@]}"
    install_lab "$work/munge.key" ${2+"$2"} ||
        fail "every host has key and slurm.conf"
    start_lab || fail "all daemons start"
    wait_until 30 all_idle "$1" || fail "all $1 nodes are idle after 30 s"
}
