"""Users that exist in a cluster's hosts only: lines in each host's own /etc/passwd and its friends."""
import os

from . import store

SYSTEM_MAX = 999
STATIC_SYSTEM = range(60000, 65536)  # Debian's own packages, slurm among them


def _replace(path, name, line):
    """One entry for `name`, the new one."""
    with open(path, encoding="utf-8") as file:
        lines = [old for old in file if not old.startswith(name + ":")]
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(lines) + line + "\n")


def _add_group(etc, name, gid, member=None):
    """Keeps the members that a group of this name and number has already."""
    members = []
    with open(f"{etc}/group", encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split(":")
            if fields[0] == name and fields[2] == str(gid):
                members = [m for m in fields[3].split(",") if m]
    if member and member not in members:
        members.append(member)
    _replace(f"{etc}/group", name, f"{name}:x:{gid}:{','.join(members)}")
    _replace(f"{etc}/gshadow", name, f"{name}:*::{','.join(members)}")


def has_home(uid):
    return uid > SYSTEM_MAX and uid not in STATIC_SYSTEM


def add(cluster, host, name, uid, groups):
    """`groups` are the supplementary ones, as (name, gid); the first group is the user's own."""
    root = f"/proc/{store.host(cluster, host)}/root"
    etc = f"{root}/etc"
    home = f"/home/{name}" if has_home(uid) else "/nonexistent"
    shell = "/bin/bash" if has_home(uid) else "/usr/sbin/nologin"
    _add_group(etc, name, uid)
    _replace(f"{etc}/passwd", name, f"{name}:x:{uid}:{uid}:{name}:{home}:{shell}")
    _replace(f"{etc}/shadow", name, f"{name}:*:19000:0:99999:7:::")
    for group, gid in groups:
        _add_group(etc, group, gid, member=name)
    if has_home(uid) and not os.path.isdir(root + home):
        os.mkdir(root + home, 0o700)
        os.chown(root + home, uid, uid)
