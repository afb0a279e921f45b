"""What is known about the clusters of this machine, below /run/sluice-hosts.

    CLUSTER/lock          locked as long as the cluster's keeper lives, and so never stale
    CLUSTER/control       the keeper's socket
    CLUSTER/cluster.json  what `exec` has to know: the keeper's pid, the PATH inside
    CLUSTER/host.NAME     a running host: its first process and its cgroups
    CLUSTER/log           what the keeper had to say
    CLUSTER/disk          the hosts' private files; mounted for the keeper and the hosts only
"""
import fcntl
import json
import os
import re
import shutil

from . import cgroups, kernel

ROOT = os.environ.get("HOSTS_DIR", "/run/sluice-hosts")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


class HostsError(Exception):
    """Something to tell the user, without a traceback."""


def check_name(what, name):
    if not NAME.fullmatch(name):
        raise HostsError(f"{what} '{name}': not letters, digits and '-', at most 40")
    return name


def path(cluster, name=""):
    return os.path.join(ROOT, cluster, name)


def write_json(file_path, value):
    temporary = file_path + ".new"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.rename(temporary, file_path)


def read_json(file_path):
    with open(file_path, encoding="utf-8") as file:
        return json.load(file)


def clusters():
    names = os.listdir(ROOT) if os.path.isdir(ROOT) else []
    return sorted(name for name in names if NAME.fullmatch(name))


def _lock(file_path, flags):
    """The locked descriptor, or None if somebody holds it or its directory is just going away."""
    try:
        fd = os.open(file_path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(fd, flags)
        return fd
    except BlockingIOError:
        os.close(fd)
        return None


def _free_name():
    number = 1
    while os.path.exists(path(f"c{number}")):
        number += 1
    return f"c{number}"


def claim(name):
    """Makes the directory of a new cluster; '-' chooses a free name. Returns (name, lock)."""
    os.makedirs(ROOT, mode=0o700, exist_ok=True)
    guard = _lock(ROOT + "/.lock", fcntl.LOCK_EX)
    try:
        sweep()
        name = _free_name() if name == "-" else check_name("cluster", name)
        try:
            os.mkdir(path(name), 0o700)
        except FileExistsError:
            raise HostsError(f"cluster {name}: is up already") from None
        return name, _lock(path(name, "lock"), fcntl.LOCK_EX)
    finally:
        os.close(guard)


def collect_garbage():
    """Removes what clusters left whose keeper was killed."""
    if not os.path.isdir(ROOT):
        return
    guard = _lock(ROOT + "/.lock", fcntl.LOCK_EX)
    try:
        sweep()
    finally:
        os.close(guard)


def sweep():
    for name in clusters():
        lock = _lock(path(name, "lock"), fcntl.LOCK_EX | fcntl.LOCK_NB)
        if lock is not None:
            cgroups.remove(name)
            forget(name)
            os.close(lock)


def forget(name):
    """For a cluster whose mounts are gone; what is left is ordinary files."""
    shutil.rmtree(path(name), ignore_errors=True)


def host(cluster, name):
    """{"pid", "start", "cgroups"} of a running host."""
    if not os.path.isdir(path(cluster)):
        raise HostsError(f"cluster {cluster}: is not up")
    try:
        found = read_json(path(cluster, f"host.{name}"))
    except FileNotFoundError:
        known = read_json(path(cluster, "cluster.json"))["hosts"]
        raise HostsError(f"host {name}: is off" if name in known else
                         f"host {name}: not in cluster {cluster}") from None
    if kernel.start_time(found["pid"]) != found["start"]:
        raise HostsError(f"host {name}: is off")
    return found


def running(cluster):
    """The names of the hosts that are on."""
    return sorted(n[5:] for n in os.listdir(path(cluster)) if n.startswith("host."))
