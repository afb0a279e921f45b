"""The kernel calls that Python 3.11 has no names for."""
import ctypes
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
NAMESPACES = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWCGROUP  # a host's, beside its processes

MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
MNT_DETACH = 0x2

PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15

_libc = ctypes.CDLL(None, use_errno=True)


def _call(what, name, *args):
    if getattr(_libc, name)(*args) < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _text(value):
    return None if value is None else str(value).encode()


def unshare(flags):
    _call(f"unshare {flags:#x}", "unshare", ctypes.c_int(flags))


def setns(fd, flags):
    _call(f"setns {flags:#x}", "setns", ctypes.c_int(fd), ctypes.c_int(flags))


def mount(source, target, kind=None, flags=0, options=None):
    _call(f"mount {source} on {target}", "mount", _text(source), _text(target), _text(kind),
          ctypes.c_ulong(flags), _text(options))


def unmount(target):
    _call(f"umount {target}", "umount2", _text(target), ctypes.c_int(MNT_DETACH))


def die_with_parent(signal_number):
    _call("prctl", "prctl", ctypes.c_int(PR_SET_PDEATHSIG), ctypes.c_ulong(signal_number))


def set_process_name(name):
    _call("prctl", "prctl", ctypes.c_int(PR_SET_NAME), _text(name[:15]))


def set_host_name(name):
    _call(f"sethostname {name}", "sethostname", _text(name), ctypes.c_size_t(len(name)))


def start_time(pid):
    """When `pid` started, in the kernel's ticks; None if there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[19])
    except (FileNotFoundError, ProcessLookupError):
        return None
