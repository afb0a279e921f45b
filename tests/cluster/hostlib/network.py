"""The wires: a router in a network namespace of its own, and a link from it to each host.

Addresses are routed, not bridged, and the neighbours are written down: nothing has to be asked by
ARP, so a cut is silence and not "no route to host". A cut is a rule of the router that drops
without an answer; sockets, links and addresses on both sides stay as they are.
"""
import os
import subprocess

NETWORK = "10.77.0.0/16"
GATEWAY = "169.254.77.1"
ROUTER_MAC = "02:77:00:00:00:00"
MAX_HOSTS = 65000
CUT_PREFERENCE = 77


def address(number):
    return f"10.77.{number >> 8}.{number & 255}"


def _mac(number):
    return f"02:77:01:00:{number >> 8:02x}:{number & 255:02x}"


def _ip(lines):
    if not lines:
        return
    done = subprocess.run(["ip", "-batch", "-"], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        raise OSError(f"ip: {done.stderr.strip()}")


def start_router():
    """In the router's namespace."""
    with open("/proc/sys/net/ipv4/ip_forward", "w", encoding="ascii") as file:
        file.write("1")
    _ip(["link set lo up"])


def plug(hosts):
    """In the router's namespace: a link to each of [(number, pid)]."""
    lines = []
    for number, pid in hosts:
        name, to = f"h{number}", address(number)
        lines += [
            f"link add {name} address {ROUTER_MAC} type veth"
            f" peer name eth0 address {_mac(number)} netns {pid}",
            f"link set {name} up",
            f"route add {to}/32 dev {name}",
            f"neigh add {to} lladdr {_mac(number)} dev {name} nud permanent",
        ]
    _ip(lines)


def unplug(number):
    """The link is gone already where the host's namespace went first."""
    if os.path.exists(f"/proc/sys/net/ipv4/conf/h{number}"):
        subprocess.run(["ip", "link", "del", f"h{number}"], stderr=subprocess.DEVNULL, check=False)


def configure_host(number):
    """In the host's namespace."""
    own = address(number)
    _ip([
        "link set lo up",
        "link set eth0 up",
        f"addr add {own}/16 dev eth0 noprefixroute",
        f"neigh add {GATEWAY} lladdr {ROUTER_MAC} dev eth0 nud permanent",
        f"route add {GATEWAY}/32 dev eth0",
        f"route add {NETWORK} via {GATEWAY} dev eth0 src {own}",
    ])


def _selectors(cut):
    """A cut is (number,) for a whole host or (number, number) for a pair."""
    ends = [address(number) for number in cut]
    if len(ends) == 1:
        return [f"from {ends[0]}", f"to {ends[0]}"]
    return [f"from {ends[0]} to {ends[1]}", f"from {ends[1]} to {ends[0]}"]


def change_cuts(removed, added):
    """In the router's namespace; both are sets of cuts."""
    lines = []
    for verb, cuts in (("del", removed), ("add", added)):
        for cut in sorted(cuts):
            lines += [f"rule {verb} pref {CUT_PREFERENCE} {s} blackhole" for s in _selectors(cut)]
    _ip(lines)
