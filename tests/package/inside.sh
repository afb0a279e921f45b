#!/bin/bash
# What install.test does below the root of its Debian, as that one's root.
set -eu
log=/var/tmp/steps.log

quietly() {
    "$@" >>$log 2>&1 || { tail -n 30 $log; echo "not ok - $*"; exit 1; }
}

fail() {
    echo "not ok - $1"
    exit 1
}

# is_installed PACKAGE
is_installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# wait_until SECONDS COMMAND...
wait_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "not within the time: $*"
        sleep 0.1
    done
}

printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
echo "127.0.0.1 localhost head" >/etc/hosts
quietly apt-get -q update
quietly apt-get -qy --no-install-recommends install munge slurm-client
cp -p /etc/munge/munge.key /var/tmp/key
echo "ok - munge and slurm-client of Debian are there"

quietly apt-get -qy --no-install-recommends install /var/tmp/sluice.deb
for package in munge slurm-client; do
    ! is_installed $package || fail "$package should have gone"
done
[ "$(readlink /usr/bin/sbatch)" = sluice ] || fail "/usr/bin/sbatch is not ours"
[ "$(readlink -f /usr/sbin/slurmctld)" = /usr/bin/sluice ] || fail "/usr/sbin/slurmctld is not ours"
cmp /etc/munge/munge.key /var/tmp/key || fail "the key is not what it was"
sbatch --version | grep -q '^slurm' || fail "sbatch --version"
ldd /usr/bin/sluice | grep 'not found' && fail "a library is missing"
for user in slurm munge; do
    getent passwd $user >/dev/null || fail "there is no user $user"
done
echo "ok - ours has taken their place, with the key that was there"

useradd -m alice
cat >/etc/slurm/slurm.conf <<CONF
ClusterName=one
SlurmctldHost=head
SlurmUser=slurm
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
SlurmctldPort=$((20000 + RANDOM % 10000))
SlurmdPort=$((30000 + RANDOM % 10000))
SlurmdParameters=config_overrides
NodeName=head CPUs=1
PartitionName=main Nodes=ALL Default=YES
CONF
munged
slurmctld
slurmd
is_idle() { [ "$(sinfo -h -o %t)" = idle ]; }
wait_until 20 is_idle
cd /home/alice
setpriv --reuid alice --regid alice --init-groups sbatch --wait -o out --wrap 'srun id -un' >>$log
[ "$(cat out)" = alice ] || fail "the job did not run as alice"
sacct -n -X -o state | grep -qw COMPLETED || fail "the job is not in the history"
echo "ok - a job has run"

quietly apt-get -qy install --reinstall /var/tmp/sluice.deb
wait_until 20 is_idle
sacct -n -X -o state | grep -qw COMPLETED || fail "the history is gone"
echo "ok - an upgrade leaves running daemons, configuration and history alone"

kill "$(cat /run/slurmd.pid)" "$(cat /run/slurmctld.pid)"
munged --stop
# A pid file that its owner may not remove is emptied.
is_gone() { [ ! -s /run/slurmd.pid ] && [ ! -s /run/slurmctld.pid ]; }
wait_until 20 is_gone
quietly apt-get -qy remove sluice
quietly apt-get -qy --no-install-recommends install slurm-client
! is_installed sluice || fail "ours should have gone"
[ ! -L /usr/bin/sbatch ] || fail "/usr/bin/sbatch is ours still"
[ -e /etc/slurm/slurm.conf ] || fail "the configuration has gone"
[ -e /var/lib/slurm/slurmctld/sluice.db ] || fail "the state has gone"
echo "ok - Slurm's own have their place back; configuration and state stay"

quietly apt-get -qy purge slurm-client munge
quietly dpkg --purge sluice
for place in /usr/bin/sluice /usr/bin/sbatch /usr/sbin/slurmd /var/lib/slurm /var/log/slurm /etc/munge \
    /usr/lib/sysusers.d/sluice.conf /etc/logrotate.d/sluice; do
    ! ls -d $place 2>/dev/null || fail "purged, and $place is still there"
done
echo "ok - purged, nothing is left"
