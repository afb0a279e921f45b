#!/bin/sh
# startup.sh - what a command costs before it does anything: start, connect, handshake, one answer.
#
#     tests/bench/startup.sh [BUILD-DIR] [RUNS]
#
# Starts a controller of its own (default build-release), runs each command RUNS times (default 200), and
# prints the mean in milliseconds, the shell's fork and wait included; `true` shows how much that is.
set -eu

build=${1:-build-release}
runs=${2:-200}
dir=$(mktemp -d /tmp/sluice-startup.XXXXXX)
pid=

finish() {
    if [ -n "$pid" ]; then
        kill "$pid" 2>/dev/null || :
        wait "$pid" || :
    fi
    rm -rf "$dir"
}
trap finish EXIT
trap 'exit 1' INT TERM

cat >"$dir/slurm.conf" <<END
ClusterName=startup
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=$(id -un)
SlurmctldPort=$((20000 + $$ % 10000))
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
NodeName=n1 CPUs=1 State=UNKNOWN
PartitionName=p Nodes=n1 Default=YES
END
export SLURM_CONF="$dir/slurm.conf"

"$build/bin/slurmctld" -D -f "$SLURM_CONF" 2>"$dir/log" &
pid=$!
until grep -q 'serves cluster' "$dir/log"; do
    kill -0 "$pid" 2>/dev/null || {
        cat "$dir/log"
        exit 1
    }
    sleep 0.05
done

# mean NAME COMMAND...: the exit status does not matter, a refusal is an answer too.
mean() {
    name=$1
    shift
    begin=$(date +%s%N)
    i=0
    while [ "$i" -lt "$runs" ]; do
        "$@" >/dev/null 2>&1 || :
        i=$((i + 1))
    done
    ns=$((($(date +%s%N) - begin) / runs))
    printf '%-36s %4d.%03d ms\n' "$name" $((ns / 1000000)) $((ns / 1000 % 1000))
}

mean "/bin/true" /bin/true
mean "scancel --version (start only)" "$build/bin/scancel" --version
mean "scancel of no job (Unix socket)" "$build/bin/scancel" 4000000
