#!/bin/bash
# What install.test does below the root of its Debian, as that one's root.
set -eu
log=/var/tmp/steps.log
slurm=(slurm-wlm slurm-client slurmctld slurmd)

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

# are_installed PACKAGE..., are_gone PACKAGE...
are_installed() {
    local package
    for package; do
        is_installed "$package" || fail "$package should be there"
    done
}

are_gone() {
    local package
    for package; do
        ! is_installed "$package" || fail "$package should have gone"
    done
}

# are_enabled UNIT...: systemd would start them when the machine boots.
are_enabled() {
    local unit
    for unit; do
        [ "$(systemctl is-enabled "$unit.service")" = enabled ] || fail "$unit is $(systemctl is-enabled "$unit.service")"
    done
}

# wait_until SECONDS COMMAND...: of an idle machine; others take longer
wait_until() {
    local end=$((SECONDS + 5 * $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "not within the time: $*"
        sleep 0.1
    done
}

# called NAME...: the processes of these names
called() {
    local name comm
    for name; do
        for comm in /proc/[0-9]*/comm; do
            [ "$(cat "$comm" 2>/dev/null)" != "$name" ] || basename "${comm%/comm}"
        done
    done
}

# holds KEY STATE: what was there is there still.
holds() {
    cmp /etc/munge/munge.key "$1" || fail "the key is not what it was"
    [ -e /etc/slurm/slurm.conf ] || fail "the configuration has gone"
    [ -e "/var/lib/slurm/slurmctld/$2" ] || fail "the state has gone"
}

printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
echo "127.0.0.1 localhost head" >/etc/hosts
quietly apt-get -q update

# ---- alone ----

quietly apt-get -qy --no-install-recommends install /var/tmp/sluice.deb
while read -r soname; do
    ldconfig -p | grep -q "^[[:space:]]*$soname " || fail "the package brings $soname"
done </var/tmp/sonames
echo "ok - the package brings all libraries that the program opens"
sbatch --version | grep -q '^slurm' || fail "sbatch --version"
ldd /usr/bin/sluice | grep 'not found' && fail "a library is missing"
for user in slurm munge; do
    getent passwd $user >/dev/null || fail "there is no user $user"
done
[ "$(stat -c '%U %a' /etc/munge/munge.key)" = 'munge 600' ] || fail "there is no key of munge's alone"
are_enabled munge
# Debian has another program of this name.
[ "$(apt-get -s dist-upgrade | grep -c '^Inst sluice ')" = 0 ] || fail "an upgrade of the machine replaces it"
echo "ok - it is installed, with what it depends on"

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
SlurmdPort=$((30000 + RANDOM % 2000))
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
sacct -n -X -S now-1days -o state | grep -qw COMPLETED || fail "the job is not in the history"
echo "ok - a job has run"

quietly apt-get -qy install --reinstall /var/tmp/sluice.deb
wait_until 20 is_idle
sacct -n -X -S now-1days -o state | grep -qw COMPLETED || fail "the history is gone"
echo "ok - an upgrade leaves running daemons, configuration and history alone"

cp -p /etc/munge/munge.key /var/tmp/key
setpriv --reuid alice --regid alice --init-groups sbatch -o /dev/null --wrap 'srun sleep 4711 & setsid sleep 4712' >>$log
all_sleep() { [ "$(called sleep | wc -l)" = 2 ]; }
wait_until 20 all_sleep
sleep 4713 &
other=$!
quietly apt-get -qy remove sluice
[ -z "$(called slurmd slurmctld slurmstepd munged)" ] || fail "removed, and daemons run"
[ "$(called sleep)" = $other ] || fail "removed, and a job runs, or another program was ended"
kill $other
for file in /run/slurmd.pid /run/slurmctld.pid; do
    [ ! -s $file ] || fail "removed, and $file is left"
done
echo "ok - removed without systemd, it ends daemons and jobs, and nobody else"

holds /var/tmp/key sluice.db
[ ! -e /usr/bin/sluice ] || fail "removed, and it is still there"
quietly apt-get -qy --no-install-recommends install /var/tmp/sluice.deb
holds /var/tmp/key sluice.db
echo "ok - key, configuration and state stay when it is removed, and are there when it comes again"

cp -p /etc/slurm/slurm.conf /etc/slurm/slurm.conf.old
quietly dpkg --purge sluice
for place in /usr/bin/sluice /usr/bin/sbatch /usr/sbin/slurmd /etc/slurm /etc/munge /var/lib/slurm /var/log/slurm \
    /usr/lib/sysusers.d/sluice.conf /etc/logrotate.d/sluice /etc/systemd/system/multi-user.target.wants/munge.service; do
    ! ls -d $place 2>/dev/null || fail "purged, and $place is still there"
done
[ ! -e /var/lib/sluice ] || fail "purged, and /var/lib/sluice is still there"
echo "ok - purged, nothing is left"

install -d -m 700 /etc/munge
install -d /etc/slurm
dd if=/dev/urandom of=/etc/munge/munge.key bs=128 count=1 status=none
cp -p /etc/munge/munge.key /var/tmp/key
echo optional nothing.so >/etc/slurm/plugstack.conf
quietly apt-get -qy --no-install-recommends install /var/tmp/sluice.deb
echo ClusterName=one >/etc/slurm/slurm.conf
quietly dpkg --purge sluice
cmp /etc/munge/munge.key /var/tmp/key || fail "purged, and so is a key that was there before"
[ -e /etc/slurm/plugstack.conf ] || fail "purged, and so is a plugstack.conf that was there before"
[ ! -e /etc/slurm/slurm.conf ] || fail "purged, and its slurm.conf is left"
rm -r /etc/munge /etc/slurm
echo "ok - purged, what was there before is there still"

# ---- in the place of Debian's Slurm ----

quietly apt-get -qy --no-install-recommends install munge slurm-wlm logrotate
are_installed "${slurm[@]}" munge
echo ClusterName=one >/etc/slurm/slurm.conf
install -d /var/lib/slurm/slurmctld /var/log/slurm
touch /var/lib/slurm/slurmctld/job_state
cp -p /etc/munge/munge.key /var/tmp/key
quietly apt-get -qy --no-install-recommends install /var/tmp/sluice.deb
are_gone "${slurm[@]}" munge
[ "$(readlink /usr/bin/sbatch)" = sluice ] || fail "/usr/bin/sbatch is not ours"
[ "$(readlink -f /usr/sbin/slurmctld)" = /usr/bin/sluice ] || fail "/usr/sbin/slurmctld is not ours"
are_enabled munge slurmctld slurmd
holds /var/tmp/key job_state
echo "ok - ours has taken the place of Slurm and munge, with key, configuration and state; units are enabled as before"

# Their rules for the same files have stayed.
[ -e /etc/logrotate.d/slurmctld ] || fail "their rules for logs have gone"
echo line | setpriv --reuid slurm --regid slurm --clear-groups tee /var/log/slurm/slurmctld.log >/dev/null
logrotate --force /etc/logrotate.conf >>$log 2>&1 || { logrotate --force /etc/logrotate.conf; fail "logs are rotated"; }
[ -s /var/log/slurm/slurmctld.log.1 ] || fail "the controller's log is rotated"
echo "ok - logs are rotated"

# In one step, as docs/COMING-FROM-SLURM.md has it.
quietly apt-get -qy --no-install-recommends install slurmctld slurmd slurm-client munge
are_gone sluice
are_installed slurmctld slurmd slurm-client munge
[ "$(readlink -f /usr/bin/sbatch)" != /usr/bin/sluice ] || fail "/usr/bin/sbatch is ours still"
quietly dpkg --purge sluice
[ ! -e /etc/logrotate.d/sluice ] || fail "purged, and its rules for logs are still there"
are_enabled munge slurmctld slurmd
holds /var/tmp/key job_state
echo "ok - Slurm's own have their place back, and keep it when ours is purged"
