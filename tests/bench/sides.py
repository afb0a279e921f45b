"""sides.py - a workload manager to measure: ours or a real Slurm, through the same commands."""
import contextlib
import os
import subprocess
import sys
import time


class Side:
    """One workload manager: a name and the environment that reaches it."""

    def __init__(self, name, shell_lines):
        self.name = name
        out = subprocess.run(["bash", "-c", shell_lines + "\nenv -0"], check=True,
                             stdout=subprocess.PIPE).stdout
        self.env = dict(pair.split("=", 1) for pair in out.decode().split("\0") if "=" in pair)

    def run(self, *command, **options):
        return subprocess.run(command, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)

    def must(self, *command):
        """What the command prints; the bench ends where it fails."""
        done = self.run(*command)
        if done.returncode != 0:
            sys.exit(f"bench: {self.name}: {' '.join(command)}: exit status {done.returncode}: "
                     f"{done.stdout.decode()[-500:]}")
        return done.stdout.decode()

    def time_ms(self, *command):
        begin = time.perf_counter()
        self.must(*command)
        return (time.perf_counter() - begin) * 1000

    def daemons(self):
        """(program, pid) of the daemons that serve this slurm.conf."""
        conf_dir = os.path.dirname(os.path.dirname(self.env["SLURM_CONF"]))
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
            except OSError:
                continue
            program = os.path.basename(words[0])
            if conf_dir in " ".join(words) and program.startswith(("slurm", "munged")):
                yield program, int(pid)

    def controller(self):
        return next(pid for program, pid in self.daemons() if program.startswith("slurmctld"))


def our_side(sluice, where):
    """A cluster that `sluice up` started under `where`."""
    lines = subprocess.run([sluice, "env", "--dir", where], check=True,
                           stdout=subprocess.PIPE).stdout.decode()
    return Side("sluice", lines)


def run_to_end(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def our_lab(sluice, where, *options, stop=run_to_end):
    """A cluster of ours that `sluice up` starts under `where`, for as long as it is measured. `stop` runs what
    ends it: who has the daemons for children waits for them meanwhile."""
    run_to_end([sluice, "up", *options, "--dir", where])
    try:
        yield our_side(sluice, where)
    finally:
        stop([sluice, "down", "--dir", where])


def slurm_side(env_command):
    """A real Slurm that already runs; the command prints the shell lines that reach it."""
    lines = subprocess.run(["bash", "-c", env_command], check=True,
                           stdout=subprocess.PIPE).stdout.decode()
    return Side("slurm", lines)


def resident_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))


def print_row(cells, markdown):
    if markdown:
        print("| " + " | ".join(cells) + " |", flush=True)
    else:
        print("  ".join(f"{cell:<22}" for cell in cells), flush=True)
