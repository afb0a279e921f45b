"""A directory for each host in every cgroup hierarchy of this machine, v1, v2 or both.

A host's processes live there, so that it can be frozen as a whole, and inside the host these
directories are the roots of its own cgroup mounts.
"""
import os
import time

from . import kernel

PATIENCE_S = 60


class Hierarchy:
    """One mounted hierarchy: `options` mount it again, `parent` is where directories are made."""

    def __init__(self, mount_point, options, own_path):
        self.mount_point = mount_point
        self.options = options
        self.is_v2 = options is None
        below = mount_point + own_path
        self.parent = mount_point if self.is_v2 or not os.path.isdir(below) else below.rstrip("/")

    def directory(self, cluster, host=""):
        return f"{self.parent}/sluice-hosts.{cluster}/{host}".rstrip("/")


def _own_paths():
    """What /proc/self/cgroup says: {"cpu,cpuacct": path, "name=systemd": path, "": v2's path}."""
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(":", 2) for line in file]
    return {controllers: path for _, controllers, path in rows}


def _mounts():
    with open("/proc/self/mounts", encoding="utf-8") as file:
        for line in file:
            _, where, kind, options = line.split()[:4]
            if kind in ("cgroup", "cgroup2"):
                yield where, kind, set(options.split(","))


def hierarchies():
    """One mount of each, the usual place where there are several."""
    paths = _own_paths()
    found = {}
    for where, kind, options in sorted(_mounts(), key=lambda m: not m[0].startswith("/sys/fs/cgroup")):
        if kind == "cgroup2":
            found.setdefault("", Hierarchy(where, None, paths.get("", "/")))
            continue
        for controllers, path in paths.items():
            if controllers and set(controllers.split(",")) <= options:
                named = controllers.startswith("name=")
                found.setdefault(controllers,
                                 Hierarchy(where, ("none," if named else "") + controllers, path))
    return list(found.values())


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def _make(hierarchy, directory):
    """A v1 cpuset starts empty, and v2 hands controllers down only where it is told to."""
    parent = os.path.dirname(directory)
    if hierarchy.is_v2:
        for controller in _read(f"{parent}/cgroup.controllers").split():
            try:
                _write(f"{parent}/cgroup.subtree_control", f"+{controller}")
            except OSError:
                pass  # a parent with processes of its own: the host goes without this controller
    os.makedirs(directory, exist_ok=True)
    if not hierarchy.is_v2 and "cpuset" in hierarchy.options.split(","):
        for name in ("cpuset.cpus", "cpuset.mems"):
            _write(f"{directory}/{name}", _read(f"{parent}/{name}"))


def create(cluster, host):
    """Makes the host's directories."""
    for hierarchy in hierarchies():
        _make(hierarchy, hierarchy.directory(cluster))
        _make(hierarchy, hierarchy.directory(cluster, host))
        if hierarchy.is_v2:
            os.makedirs(hierarchy.directory(cluster, host) + "/init", exist_ok=True)


def join(directories):
    for directory in directories:
        _write(f"{directory}/cgroup.procs", "0")


def roots(cluster, host):
    """What the first process joins before it unshares: these become the host's roots."""
    return [h.directory(cluster, host) for h in hierarchies()]


def homes(cluster, host):
    """What every process of the host joins. In v2 that is a leaf, so that its root may have children."""
    return [h.directory(cluster, host) + ("/init" if h.is_v2 else "") for h in hierarchies()]


def mount_inside(known):
    """Mounts the hierarchies `known` again, in a host whose cgroup namespace is unshared."""
    if any(not h.is_v2 for h in known):
        kernel.mount("cgroup", "/sys/fs/cgroup", "tmpfs", 0, "mode=755,size=1m")
    for hierarchy in known:
        os.makedirs(hierarchy.mount_point, exist_ok=True)
        kernel.mount("cgroup", hierarchy.mount_point, "cgroup2" if hierarchy.is_v2 else "cgroup",
                     kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC, hierarchy.options)


def _freezer(cluster, host):
    """(file to write, frozen text, thawed text, file to watch, line it shows when frozen)"""
    for hierarchy in sorted(hierarchies(), key=lambda h: not h.is_v2):
        directory = hierarchy.directory(cluster, host)
        if os.path.exists(f"{directory}/cgroup.freeze"):
            return f"{directory}/cgroup.freeze", "1", "0", f"{directory}/cgroup.events", "frozen 1"
        if os.path.exists(f"{directory}/freezer.state"):
            return f"{directory}/freezer.state", "FROZEN", "THAWED", f"{directory}/freezer.state", "FROZEN"
    raise OSError(f"host {host}: this machine has no cgroup that can freeze")


def set_frozen(cluster, host, frozen):
    control, on, off, watched, sign = _freezer(cluster, host)
    _write(control, on if frozen else off)
    deadline = time.monotonic() + PATIENCE_S
    while (sign in _read(watched).splitlines()) != frozen:
        if time.monotonic() > deadline:
            raise OSError(f"host {host}: not {'frozen' if frozen else 'thawed'} after {PATIENCE_S} s")
        time.sleep(0.005)


def let_go(cluster, host=""):
    """Thaws what the host, or the cluster, has frozen in groups of its own: in v1 even SIGKILL waits for that."""
    for hierarchy in hierarchies():
        for where, _, _ in os.walk(hierarchy.directory(cluster, host)):
            try:
                if os.path.exists(f"{where}/freezer.state"):
                    _write(f"{where}/freezer.state", "THAWED")
            except OSError:
                pass  # its last process has just gone, and somebody removed it


def _remove_tree(directory):
    for where, _, _ in os.walk(directory, topdown=False):
        os.rmdir(where)


def remove(cluster, host=""):
    """Removes the host's, or the cluster's, directories once their killed processes are gone."""
    let_go(cluster, host)
    deadline = time.monotonic() + PATIENCE_S
    for hierarchy in hierarchies():
        directory = hierarchy.directory(cluster, host)
        while os.path.isdir(directory):
            try:
                _remove_tree(directory)
            except FileNotFoundError:
                continue
            except OSError as error:
                if time.monotonic() > deadline:
                    raise OSError(f"{directory}: {error.strerror} after {PATIENCE_S} s") from error
                time.sleep(0.01)
