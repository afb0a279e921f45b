"""The keeper: one process per cluster that holds the hosts and the router.

The hosts' namespaces have no names anywhere; they live as long as their first processes, which die
with the keeper. So whatever ends the keeper ends the cluster. It serves one request after the other.
"""
import json
import os
import select
import signal
import socket
import subprocess
import sys
import traceback

from . import cgroups, kernel, network, store
from .machine import Machine


class Keeper:
    """The state of one cluster."""

    def __init__(self, cluster, names, bin_dir, owner):
        self.cluster = cluster
        self.numbers = {name: number for number, name in enumerate(names, 1)}
        self.machines = {name: Machine(cluster, name, number, self.numbers, bin_dir)
                         for name, number in self.numbers.items()}
        self.bin_dir = bin_dir
        self.cuts = set()
        self.off = set()
        self.frozen = set()
        self.owner = os.pidfd_open(owner) if owner else None
        self.listener = None

    # Starting

    def start(self):
        kernel.unshare(kernel.CLONE_NEWNS | kernel.CLONE_NEWNET)
        kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
        os.chdir(store.path(self.cluster))
        _make_disk(self.bin_dir)
        _compile_enter()
        network.start_router()
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind("control")
        self.listener.listen(64)
        self.power_on(list(self.machines.values()))
        store.write_value("known", {"keeper": os.getpid(), "hosts": self.numbers})

    def power_on(self, machines):
        """All at once: each makes itself while the others do."""
        for machine in machines:
            machine.power_on()
        for machine in machines:
            machine.wait_for("unshared")
        network.plug([(m.number, m.pid) for m in machines])
        for machine in machines:
            machine.tell_plugged()
        for machine in machines:
            machine.wait_for("up")
            machine.started()
            store.write_host(self.cluster, machine.name, machine.pid, store.BIN if self.bin_dir else "",
                             cgroups.homes(self.cluster, machine.name))

    # Requests: each takes the names of hosts

    def all_machines(self, names):
        for name in names:
            if name not in self.machines:
                raise store.HostsError(f"host {name}: not in cluster {self.cluster}")
        return [self.machines[name] for name in names]

    def set_cuts(self, cuts, off):
        old = self.cuts | {(n,) for n in self.off}
        new = cuts | {(n,) for n in off}
        network.change_cuts(old - new, new - old)
        self.cuts, self.off = cuts, off

    def cut(self, names):
        ends = tuple(sorted(m.number for m in self.all_machines(names)))
        self.set_cuts(self.cuts | {ends}, self.off)

    def heal(self, names):
        """A host alone loses all its cuts, a pair the one between them."""
        ends = {m.number for m in self.all_machines(names)}
        healed = {cut for cut in self.cuts if ends <= set(cut)}
        self.set_cuts(self.cuts - healed, self.off)

    def crash(self, names):
        """The wire goes first, so that no socket of the host says goodbye."""
        for machine in self.all_machines(names):
            if machine.pid is None:
                raise store.HostsError(f"host {machine.name}: is off already")
            self.set_cuts(self.cuts, self.off | {machine.number})
            self.switch_off(machine)

    def switch_off(self, machine):
        os.unlink(f"host.{machine.name}")
        self.kill(machine)
        network.unplug(machine.number)

    def kill(self, machine):
        machine.kill()
        self.frozen.discard(machine.name)

    def boot(self, names):
        machines = self.all_machines(names)
        for machine in machines:
            if machine.pid is not None:
                raise store.HostsError(f"host {machine.name}: is on already")
        self.power_on(machines)
        self.set_cuts(self.cuts, self.off - {m.number for m in machines})

    def set_frozen(self, machine, frozen):
        cgroups.set_frozen(self.cluster, machine.name, frozen)
        (self.frozen.add if frozen else self.frozen.discard)(machine.name)

    def freeze(self, names):
        for machine in self.all_machines(names):
            self.set_frozen(machine, True)

    def thaw(self, names):
        for machine in self.all_machines(names):
            self.set_frozen(machine, False)

    def status(self, _names):
        rows = []
        for name, machine in self.machines.items():
            state = ["off" if machine.pid is None else "on"]
            state += ["frozen"] if name in self.frozen else []
            state += ["cut"] if any(machine.number in cut for cut in self.cuts) else []
            rows.append(f"{name} {network.address(machine.number)} {machine.pid or '-'} {','.join(state)}")
        return "\n".join(rows)

    # The loop

    def serve(self):
        """Until `down` is asked for or the owner is gone."""
        poll = select.poll()
        poll.register(self.listener, select.POLLIN)
        if self.owner is not None:
            poll.register(self.owner, select.POLLIN)
        while True:
            ready = [fd for fd, _ in poll.poll()]
            if self.owner in ready:
                return None
            asker, _ = self.listener.accept()
            if self.answer(asker):
                return asker

    def answer(self, asker):
        """True if this was the last request, which is answered when all is down."""
        try:
            asker.settimeout(10)
            request = json.loads(asker.makefile().readline())
            if request["verb"] == "down":
                return True
            verb = getattr(self, request["verb"])
            _reply(asker, said=verb(request["names"]) or "")
        except (store.HostsError, OSError, ValueError) as error:
            traceback.print_exc()
            _reply(asker, error=str(error))
        asker.close()
        return False

    def tear_down(self):
        for machine in self.machines.values():
            if machine.pid is not None:
                self.kill(machine)
        cgroups.remove(self.cluster)
        os.chdir("/")
        try:
            kernel.unmount(store.path(self.cluster, "disk"))
        except OSError:
            pass  # it failed before there was one
        store.forget(self.cluster)


def _make_disk(bin_dir):
    """The hosts' private files, and a /home they share: the machine's own, and room for more."""
    os.mkdir("disk")
    kernel.mount("disk", "disk", "tmpfs", 0, "mode=755")
    os.mkdir("disk/home")
    for entry in os.scandir("/home"):
        if entry.is_dir(follow_symlinks=False):
            os.mkdir(f"disk/home/{entry.name}")
            kernel.mount(entry.path, f"disk/home/{entry.name}", None, kernel.MS_BIND | kernel.MS_REC)
    if bin_dir:
        os.mkdir("disk/bin")
        kernel.mount(bin_dir, "disk/bin", None, kernel.MS_BIND)


def _compile_enter():
    source = os.path.join(os.path.dirname(os.path.realpath(__file__)), "enter.c")
    done = subprocess.run(["cc", "-std=c11", "-O1", "-o", "enter", source], stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise store.HostsError(f"enter.c: {done.stderr}")


def _reply(asker, **answer):
    try:
        asker.sendall(json.dumps(answer).encode() + b"\n")
    except OSError:
        pass  # whoever asked has gone


def _detach(cluster):
    os.setsid()
    log = os.open(store.path(cluster, "log"), os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    nothing = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.close(log)
    os.close(nothing)
    kernel.set_process_name(f"hosts:{cluster}")


def _run(keeper, to_asker):
    """Never raises: the keeper's end is the cluster's end."""
    last = None
    try:
        keeper.start()
        os.write(to_asker, b"up")
        os.close(to_asker)
        last = keeper.serve()
    except BaseException as error:  # pylint: disable=broad-except
        traceback.print_exc()
        os.write(to_asker, str(error).encode())
    keeper.tear_down()
    if last:
        _reply(last, said="")


def launch(cluster, names, bin_dir, owner):
    """Starts a keeper for the claimed `cluster` and waits until its hosts are up."""
    from_keeper, to_asker = os.pipe()
    if os.fork() == 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.close(from_keeper)
        try:
            _detach(cluster)
            if os.fork() == 0:
                _run(Keeper(cluster, names, bin_dir, owner), to_asker)
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.close(to_asker)
    said = os.read(from_keeper, 10000).decode()
    os.wait()
    if said != "up":
        raise store.HostsError(f"cluster {cluster}: {said or 'its keeper died'}")


def ask(cluster, verb, names=()):
    """Sends one request to the keeper; returns what it says."""
    asker = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        asker.connect(store.path(cluster, "control"))
    except (FileNotFoundError, ConnectionRefusedError):
        raise store.HostsError(f"cluster {cluster}: is not up") from None
    asker.sendall(json.dumps({"verb": verb, "names": list(names)}).encode() + b"\n")
    line = asker.makefile().readline()
    answer = json.loads(line) if line else {"error": f"cluster {cluster}: its keeper died"}
    if "error" in answer:
        raise store.HostsError(answer["error"])
    return answer["said"]
