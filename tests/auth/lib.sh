# lib.sh - what the tests of authd share: daemons of ours and of the munge package, in a directory
# of their own; sourced by tests/auth/*.test.
# shellcheck shell=bash

build=${SLUICE_BUILD:?is set by ctest: the build directory}
bin=$build/bin
export LC_ALL=C TZ=UTC
unset MUNGE_SOCKET SLUICE_CLOCK_SKEW

dir=$(mktemp -d /tmp/sluice-auth.XXXXXX)
chmod 711 "$dir" # other users reach the sockets
pids=()
failures=0

skip() {
    echo "skipped: $1"
    exit 77
}

# All daemons end well (sanitizers included), or the test has failed.
finish() {
    local status=$?
    trap - EXIT
    for pid in "${pids[@]}"; do
        kill "$pid" 2>/dev/null
        wait "$pid"
        case $? in
        0 | 127 | 143) ;;
        *)
            echo "FAILED: daemon $pid ended with a fault"
            status=1
            ;;
        esac
    done
    if [ "$failures" != 0 ] || { [ "$status" != 0 ] && [ "$status" != 77 ]; }; then
        status=1
        tail -n 30 "$dir"/*.log 2>/dev/null
    fi
    rm -rf "$dir"
    exit "$status"
}
trap finish EXIT

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# is WHAT GOT WANTED
is() {
    [ "$2" = "$3" ] || fail "$1: got '$2', not '$3'"
}

# has WHAT TEXT PART
has() {
    case $2 in
    *"$3"*) ;;
    *) fail "$1: '$3' is not in: $2" ;;
    esac
}

# until_true SECONDS COMMAND...: waits for a condition.
until_true() {
    local deadline=$((SECONDS + 5 * $1)) # of an idle machine; others take longer
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        sleep 0.02
    done
}

# make_key NAME [BYTES]
make_key() {
    head -c "${2:-1024}" /dev/urandom >"$dir/$1"
    chmod 600 "$dir/$1"
}

answers() {
    "$bin/munge" -n -S "$1" >/dev/null 2>&1
}

# run_daemon PROGRAM NAME KEY [OPTION...]: in the foreground, with socket $dir/NAME.sock and log
# $dir/NAME.log; sets $last_pid. The origin is one whose name no name server is asked for.
run_daemon() {
    local program=$1 name=$2 key=$3
    shift 3
    "$program" -F --origin=127.0.0.1 --key-file="$dir/$key" -S "$dir/$name.sock" --pid-file="$dir/$name.pid" \
        --log-file="$dir/$name.file" --seed-file="$dir/$name.seed" "$@" >"$dir/$name.log" 2>&1 &
    last_pid=$!
    pids+=("$last_pid")
    until_true 20 answers "$dir/$name.sock" || {
        fail "$program $name does not answer"
        exit 1
    }
}

authd() {
    run_daemon "$bin/munged" "$@"
}

real_munged() {
    run_daemon /usr/sbin/munged "$@" --force
}

# The package's programs, and not ours under their names.
need_real_munge() {
    local program
    for program in /usr/bin/munge /usr/bin/unmunge /usr/bin/remunge /usr/sbin/munged; do
        [ -x "$program" ] || skip "no $program: the munge package is not installed"
        "$program" -V 2>/dev/null | grep -q '^munge-[0-9.]* (20' ||
            skip "$program is not that of the munge package"
    done
}

need_root() {
    [ "$(id -u)" = 0 ] || skip "needs root"
}

# Every cipher, MAC and compression that goes together, one line each.
combinations() {
    local cipher mac zip
    for cipher in none blowfish cast5 aes128 aes256; do
        for mac in md5 sha1 ripemd160 sha256 sha512; do
            case $cipher-$mac in
            aes256-md5 | aes256-sha1 | aes256-ripemd160) continue ;; # key longer than the MAC
            esac
            for zip in none bzlib zlib; do
                echo "$cipher $mac $zip"
            done
        done
    done
}
