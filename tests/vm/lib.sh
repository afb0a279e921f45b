# lib.sh - what `run` and `lab` have in common; sourced by them.
# shellcheck shell=sh
#
# $share is what the machines see as /mnt/share; it goes with the script.

vm_packages='libcgroup2 libevent-core-2.1-7 libssl3 libsqlite3-0 zlib1g libbz2-1.0 libpam0g libhwloc15 python-is-python3 logrotate'

# vm_prepare VMCLUSTER DIR: an image, if there is none, and an empty $share.
vm_prepare() {
    # shellcheck disable=SC2086
    [ -e "$2/root.img" ] || { "$1" build "$2" $vm_packages && vm_allow_slowness "$2/root.img"; }
    share=$(mktemp -d)
    trap 'rm -rf "$share"' EXIT
    trap 'exit 143' TERM INT
    vm_wrap_qemu
}

# vm_allow_slowness IMAGE: what appears late because this machine is busy is waited for. (Of both, only the second
# can be said at boot.)
vm_allow_slowness() {
    settings=$(mktemp)
    printf '[Manager]\nDefaultDeviceTimeoutSec=900\nDefaultTimeoutStartSec=900\n' >"$settings"
    debugfs -w -f - "$1" >/dev/null 2>&1 <<COMMANDS
mkdir /etc/systemd/system.conf.d
write $settings /etc/systemd/system.conf.d/slow.conf
COMMANDS
    rm "$settings"
    debugfs -R 'cat /etc/systemd/system.conf.d/slow.conf' "$1" 2>/dev/null | grep -q Device
}

# Two cpus, so that one can be forbidden; a machine that reboots comes up again; machines of two runs at the same
# time have a wire each; and a timer that does not tick in time, on a busy machine, is no reason to panic at boot.
vm_wrap_qemu() {
    real=$(command -v qemu-system-x86_64)
    mkdir "$share/qemu"
    cat >"$share/qemu/qemu-system-x86_64" <<WRAPPER
#!/bin/bash
options=()
for option; do
    case \$option in
    -no-reboot) ;;
    root=*) options+=("\$option no_timer_check") ;;
    *,mcast=*:12377,*) options+=("\${option/:12377,/:$((20000 + $$ % 10000)),}") ;;
    *) options+=("\$option") ;;
    esac
done
exec "$real" -smp 2 "\${options[@]}"
WRAPPER
    chmod 755 "$share/qemu/qemu-system-x86_64"
}

# A machine mounts $share once, early, and goes on without it when its kernel is not ready for that.
vm_mount='until [ -e /mnt/share/qemu ]; do mount -t 9p -o trans=virtio,version=9p2000.L share /mnt/share 2>/dev/null || sleep 1; done'

# vm_run VMCLUSTER DIR WORKERS MB SCRIPT: in SCRIPT, `mount_share` is a command: at first, and after a reboot.
vm_run() {
    chmod -R a+rX "$share"
    sed "s#: mount_share\$#: $vm_mount#" "$5" >"$share/with_mount"
    PATH=$share/qemu:$PATH "$1" run "$2" -w "$3" -m "$4" -s "$share" "$share/with_mount"
}
