# lab.sh - the lab: a head and some workers with users, key, configuration and daemons.
# shellcheck shell=bash
#
# Sourced by lib.sh for tests and by ./run for people. $HOSTS_CLUSTER says which cluster, $lab_hosts
# holds its hosts, the head first. A function that fails has said why on stderr.

lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=${SLUICE_SOURCE:-$(cd "$lab_dir/../.." && pwd)}
hosts=$lab_dir/hosts
lab_hosts=()

# As `hosts exec`, which begins with an interpreter; the cluster's own program does not.
on() {
    local enter=${HOSTS_DIR:-/run/sluice-hosts}/${HOSTS_CLUSTER-}/enter
    if [ -x "$enter" ]; then
        "$enter" "$@"
    else
        "$hosts" exec "$@"
    fi
}

as() {
    local user=$1
    shift
    on -u "$user" "$@"
}

# A wait is bounded for an idle machine; a loaded one with sanitizers may take that many times as long.
patience=5

# Asks often at first, then less so: to ask takes the processor for longer than a short pause.
wait_until() {
    local deadline=$((SECONDS + $1 * patience + 1)) hundredths=5 pause
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        printf -v pause '0.%02d' "$hundredths"
        sleep "$pause"
        hundredths=$((hundredths < 30 ? hundredths * 3 / 2 : hundredths))
    done
}

# lab_names N: head, worker-1 ... worker-N, one a line.
lab_names() {
    echo head
    seq -f 'worker-%g' "$1"
}

for_each_host() {
    local host
    for host in "${lab_hosts[@]}"; do
        on "$host" "$@" || return 1
    done
}

add_users() {
    "$hosts" user alice 20001 physics=30001
    "$hosts" user bob 20002
    "$hosts" user slurm 64030
    getent passwd munge >/dev/null || "$hosts" user munge 64031
}

# install_lab KEY [CONF]: makes KEY and copies both to every host, as an administrator would.
install_lab() {
    (umask 077 && dd if=/dev/urandom bs=1 count=1024 of="$1" status=none) || return 1
    for_each_host sh -e -c '
        install -d -o munge -g munge -m 700 /etc/munge
        install -o munge -g munge -m 400 "$1" /etc/munge/munge.key
        install -D -m 644 "$2" /etc/slurm/slurm.conf' sh "$1" "${2:-$source_dir/etc/lab/slurm.conf}"
}

# start_munge HOST: as its user; the package's unit would have made the three directories.
start_munge() {
    on "$1" install -d -o munge -g munge -m 755 /run/munge &&
        on "$1" install -d -o munge -g munge -m 700 /var/log/munge /var/lib/munge &&
        as munge "$1" munged
}

start_lab() {
    local host
    for host in "${lab_hosts[@]}"; do
        start_munge "$host" || return 1
    done
    on head slurmctld || return 1
    for host in "${lab_hosts[@]:1}"; do
        on "$host" slurmd || return 1
    done
}

daemon_pid() {
    on "$1" pgrep -o -x "$2"
}

all_idle() {
    local states
    states=$(on head sinfo -h -N -o '%N %t' 2>/dev/null | sort -u | cut -d' ' -f2) # of all partitions
    [ "$(uniq -c <<<"$states" | tr -s ' ')" = " $1 idle" ]
}
