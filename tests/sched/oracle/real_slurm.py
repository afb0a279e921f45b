"""A private cluster of the real Slurm on one machine: munged, slurmctld and one slurmd per node.

Everything it writes is below one folder; every process it starts is ended by stop(), by pid.
"""

import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time

LIMIT_S = 60

BASE_CONF = """\
ClusterName=oracle
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
PriorityType=priority/basic
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
MailProg=/bin/true
PropagateResourceLimits=NONE
"""


class Failed(Exception):
    """The cluster does not do what it must; the text says what."""


def run(*command, env=None, timeout_s=LIMIT_S):
    return subprocess.run(command, env=env, text=True, timeout=timeout_s, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_until(what, condition, limit_s=LIMIT_S, pause_s=0.1):
    end = time.monotonic() + limit_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"waited {limit_s} s in vain: {what}")
        time.sleep(pause_s)


def program(name):
    """Debian calls the real daemons NAME-wlm, so that NAME can be something else."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    found = shutil.which(name + "-wlm", path=path) or shutil.which(name, path=path)
    if not found:
        raise Failed(f"no {name}: install slurmctld, slurmd, slurm-client and munge")
    return found


class RealSlurm:
    """One configuration of the real Slurm, up from start() to stop()."""

    def __init__(self, folder, port):
        self.folder = folder
        self.port = port
        self.nodes = []
        self.gres = {}
        self.processes = []
        self.conf = f"{folder}/etc/slurm.conf"
        self.env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "SLURM_CONF": self.conf}

    # ---- configuration ----

    def _place_nodes(self, line):
        """Gives the nodes of a NodeName line this machine's address and a port each."""
        name = re.match(r"NodeName=(\S+)", line).group(1)
        if name == "DEFAULT":
            return line
        names = run("scontrol", "show", "hostnames", name, env=self.env).stdout.split()
        first = self.port + 1 + len(self.nodes)
        last = first + len(names) - 1
        self.nodes += names
        gres = re.search(r" Gres=(\S+)", line, re.I)
        if gres:
            self.gres.update({name: gres.group(1) for name in names})
        ports = str(first) if first == last else f"[{first}-{last}]"
        return f"{line} NodeAddr=127.0.0.1 Port={ports}"

    def _write_conf(self, source):
        text = BASE_CONF.format(host=socket.gethostname().split(".")[0], port=self.port,
                                folder=self.folder)
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(text)  # scontrol wants some configuration to expand names
        lines = []
        with open(f"{source}/slurm.conf", encoding="utf-8") as file:
            for line in file.read().splitlines():
                lines.append(self._place_nodes(line) if line.startswith("NodeName=") else line)
        given = {line.split("=")[0].lower() for line in lines if "=" in line}
        base = [line for line in text.splitlines() if line.split("=")[0].lower() not in given]
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write("\n".join(base + lines) + "\n")
        for name in ("gres.conf", "topology.conf"):
            if os.path.exists(f"{source}/{name}"):
                shutil.copy(f"{source}/{name}", f"{self.folder}/etc/{name}")

    # ---- processes ----

    def _spawn(self, log, *command, more_env=None):
        env = self.env | (more_env or {})
        with open(f"{self.folder}/log/{log}.out", "ab") as out:
            process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=out, start_new_session=True)
        self.processes.append(process)

    def _keep_gres(self):
        """Debian's daemons lose Gres= of slurm.conf: tell slurmctld again; slurmd see keep_gres.c."""
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keep_gres.c")
        done = run("cc", "-shared", "-fPIC", "-o", f"{self.folder}/keep_gres.so", source, "-ldl")
        if done.returncode != 0:
            raise Failed(f"cannot compile {source}: {done.stderr}")
        for name, gres in self.gres.items():
            run("scontrol", "update", f"NodeName={name}", f"Gres={gres}", env=self.env)

    def _gres_env(self, name):
        if name not in self.gres:
            return {}
        return {"LD_PRELOAD": f"{self.folder}/keep_gres.so", "ORACLE_NODE_GRES": self.gres[name]}

    def start(self, source):
        for name in ("etc", "log", "run", "state", "spool", "out"):
            os.makedirs(f"{self.folder}/{name}")
        os.chmod(self.folder, 0o755)
        os.chmod(f"{self.folder}/out", 0o1777)
        self._write_conf(source)
        with open(f"{self.folder}/etc/munge.key", "wb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(secrets.token_bytes(128))
        self._spawn("munged", program("munged"), "--foreground", "--force",
                    f"--key-file={self.folder}/etc/munge.key",
                    f"--socket={self.folder}/munge.socket",
                    f"--pid-file={self.folder}/run/munged.pid",
                    f"--seed-file={self.folder}/state/munge.seed")
        wait_until("munged answers", lambda: run(
            "munge", "-n", f"--socket={self.folder}/munge.socket").returncode == 0)
        self._spawn("slurmctld", program("slurmctld"), "-D", "-f", self.conf)
        wait_until(f"slurmctld answers (see {self.folder}/log)", self.answers)
        if self.gres:
            self._keep_gres()
        for name in self.nodes:
            os.mkdir(f"{self.folder}/spool/{name}")
            self._spawn(name, program("slurmd"), "-D", "-f", self.conf, "-N", name,
                        more_env=self._gres_env(name))
        wait_until(f"all nodes are idle (see {self.folder}/log)", self.is_idle)

    def stop(self):
        if self.processes:
            run("scancel", "-f", "--state=PENDING", env=self.env)
            run("scancel", "-f", "--state=RUNNING", env=self.env)
            time.sleep(1)
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []
        self._end_steps()

    def _end_steps(self):
        """Ends what jobs left behind; our configuration is in its environment."""
        ours = f"SLURM_CONF={self.conf}".encode()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                    is_step = file.read().startswith("slurmstepd")
                if ours in words and (is_step or any(w.startswith(b"SLURM_JOB_ID=") for w in words)):
                    os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass  # it has ended

    # ---- questions ----

    def answers(self):
        return " is UP" in run("scontrol", "ping", env=self.env).stdout

    def is_idle(self):
        if run("squeue", "-h", "--all", env=self.env).stdout.strip():
            return False
        states = run("sinfo", "-h", "--all", "-N", "-o", "%T", env=self.env).stdout.split()
        return bool(states) and set(states) == {"idle"}

    def empty(self):
        run("scancel", "-f", "--state=PENDING", env=self.env)
        run("scancel", "-f", "--state=RUNNING", env=self.env)
        try:
            wait_until("the cluster is idle again", self.is_idle, limit_s=20)
        except Failed:
            self._end_steps()  # a step that Debian's slurmd could not run on several nodes may hang
            run("scontrol", "update", f"NodeName={','.join(self.nodes)}", "State=RESUME", env=self.env)
            wait_until("the cluster is idle again", self.is_idle, limit_s=120)

    def submit(self, user, options, script, environment):
        """Returns (job id, "") or (None, what sbatch said)."""
        uid = pwd.getpwnam(user).pw_uid
        done = run("sbatch", "--parsable", f"--uid={uid}", "-D", "/", "-o",
                   f"{self.folder}/out/%j", *options, script, env=self.env | environment)
        if done.returncode == 0:
            return int(done.stdout.strip().split(";")[0]), done.stderr
        return None, done.stderr

    def job(self, job_id):
        """The job's words as (key, value) pairs, those of one node's line behind its Nodes."""
        text = run("scontrol", "show", "job", "-d", str(job_id), env=self.env).stdout
        return re.findall(r"(?:^|\s)([A-Za-z_/:]+)=(\S*)", text)

    def host_names(self, text):
        return run("scontrol", "show", "hostnames", text, env=self.env).stdout.split()

    def output(self, job_id):
        try:
            with open(f"{self.folder}/out/{job_id}", encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""
