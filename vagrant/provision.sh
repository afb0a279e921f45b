#!/bin/bash
# provision.sh - makes a machine one of the cluster: hosts, package, key, configuration, daemons.
#
#   provision.sh NAME WORKERS CPUS MEMORY_MB NETWORK FIRST
#
# NAME is head or worker-K; head has the address NETWORK followed by FIRST, worker-K the K-th after it. What is
# installed lies in /tmp/sluice: sluice.deb, munge.key, lab/. May be run again.
set -eu
name=$1 workers=$2 cpus=$3 memory_mb=$4 network=$5 first=$6
files=${PROVISION_FILES:-/tmp/sluice}
export DEBIAN_FRONTEND=noninteractive

say() {
    echo "== $name: $1"
}

# Every machine knows every other by name; a name of one's own must not mean 127.0.1.1.
write_hosts() {
    local number
    sed -i -e '/^127\.0\.1\.1[[:space:]]/d' -e '/# of the cluster$/d' /etc/hosts
    echo "$network$first head # of the cluster" >>/etc/hosts
    for number in $(seq "$workers"); do
        echo "$network$((first + number)) worker-$number # of the cluster" >>/etc/hosts
    done
}

# install_packages NAME...: those that are not there yet.
install_packages() {
    local missing=() package
    for package; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] || { apt-get -qq update && apt-get -qqy install "${missing[@]}" </dev/null; }
}

# Before the package, which makes a key where there is none.
install_key() {
    systemd-sysusers - <<<'u munge - "MUNGE authentication" /nonexistent /usr/sbin/nologin'
    install -d -o munge -g munge -m 700 /etc/munge
    install -o munge -g munge -m 400 "$files/munge.key" /etc/munge/munge.key
}

# Part of the memory is the system's own; a node with less than is written here is drained.
write_configuration() {
    install -d /etc/slurm
    sed -e '/^NodeName=/d' -e '/^PartitionName=/d' \
        -e 's,^ProctrackType=.*,ProctrackType=proctrack/cgroup,' \
        -e 's,^TaskPlugin=.*,TaskPlugin=task/affinity\,task/cgroup,' \
        -e 's,^SelectTypeParameters=.*,SelectTypeParameters=CR_Core_Memory,' \
        -e 's,^JobAcctGatherType=.*,JobAcctGatherType=jobacct_gather/cgroup,' \
        "$files/lab/slurm.conf" >/etc/slurm/slurm.conf
    cat >>/etc/slurm/slurm.conf <<CONF
ReturnToService=2
NodeName=worker-[1-$workers] CPUs=$cpus RealMemory=$((memory_mb * 85 / 100)) State=UNKNOWN
PartitionName=compute Nodes=worker-[1-$workers] Default=YES MaxTime=INFINITE State=UP
CONF
    cat >/etc/slurm/cgroup.conf <<CONF
ConstrainCores=yes
ConstrainRAMSpace=yes
CONF
}

# Jobs read and write under /shared on all machines: head has it, the workers mount it.
share_from_head() {
    install_packages nfs-kernel-server
    install -d -m 1777 /shared
    install -d /shared/lab
    install -m 755 "$files"/lab/multijob.sh "$files"/lab/sum_range.py /shared/lab/
    chown -R 1000:1000 /shared/lab # the user of the box, and of `vagrant ssh`
    echo "/shared ${network}0/24(rw,sync,no_subtree_check)" >/etc/exports
    exportfs -ra
    systemctl enable -q --now nfs-server
}

mount_shared() {
    install_packages nfs-common
    install -d /shared
    grep -q '^head:/shared ' /etc/fstab ||
        echo "head:/shared /shared nfs defaults,_netdev,nofail,x-systemd.mount-timeout=30 0 0" >>/etc/fstab
    mountpoint -q /shared || mount /shared
}

install_sluice() {
    apt-get -qqy install "$files/sluice.deb" </dev/null
    systemctl restart munge
}

say "names and addresses"
write_hosts
say "packages"
install_packages python-is-python3
install_key
install_sluice
say "configuration"
write_configuration
case $name in
head)
    [ -n "${PROVISION_NO_SHARE-}" ] || share_from_head
    systemctl enable -q slurmctld
    systemctl restart slurmctld
    systemctl --no-pager --lines=0 status slurmctld | sed -n '1p;/Status/p'
    ;;
*)
    [ -n "${PROVISION_NO_SHARE-}" ] || mount_shared
    systemctl enable -q slurmd
    systemctl restart slurmd
    systemctl --no-pager --lines=0 status slurmd | sed -n '1p;/Status/p'
    ;;
esac
