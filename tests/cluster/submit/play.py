#!/usr/bin/python3
"""Plays the cases of a file as the calling user, and writes down what came of each.

    play.py [--alone] CASES RECORD

A case is shell text; it runs in a directory of its own. What it submitted is waited for, unless the
case says "stays"; with --alone, before the next case begins. Ids, paths, times and what else differs
from run to run is masked, so that two records can be compared line by line.
"""
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

AT_ONCE = 6
PATIENCE_S = 240
SLOW_S = 10
PRELUDE = """
script() { printf '%s\\n' '#!/bin/sh' "$@" >job; }
show='env | grep -E "^(SLURM|SBATCH|SALLOC|SRUN)" | LC_ALL=C sort'
gpus='echo $(env | grep -E "^SLURM_(.*GPU|NTASKS|NPROCS|TASKS_PER|NNODES|PROCID|CPUS|MEM)" | grep -vE "_(JOB|STEP)_GPUS=" | LC_ALL=C sort)'
"""
GIVEN = ("job", "given", "in")  # files that cases make themselves
OVER = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "DEADLINE", "OUT_OF_MEMORY")
# Which of these names a value hangs on the load, the clock or the place.
MASKED_KEYS = {
    "AccrueTime", "Scheduler", "BatchHost", "EligibleTime", "EndTime", "NodeList", "Priority", "RunTime",
    "StartTime", "SubmitTime", "SuspendTime", "SchedNodeList", "AllocNode:Sid", "SubmitLine", "PreemptEligibleTime",
}
MASKED_VARIABLES = (
    "SLURM_TASK_PID|SLURM_JOB_START_TIME|SLURM_JOB_END_TIME|SLURM_SRUN_COMM_PORT|SLURM_STEP_LAUNCHER_PORT|"
    "SLURM_LAUNCH_NODE_IPADDR|SLURM_SRUN_COMM_HOST|SLURM_CONF|SLURM_NODELIST|SLURM_JOB_NODELIST|SLURMD_NODENAME|"
    "SLURM_STEP_NODELIST|SLURM_TOPOLOGY_ADDR|SLURM_STEP_RESV_PORTS"
)


def read_cases(path):
    """[(name, stays, shell text)]"""
    cases = []
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if words[:1] == ["case"] and not line[0].isspace():
            cases.append((words[1], "stays" in words[2:], []))
        elif cases and line.strip() and not line.startswith("#"):
            cases[-1][2].append(line)
    return [(name, stays, "".join(text)) for name, stays, text in cases]


def run(case_dir, text):
    os.makedirs(case_dir)
    environment = {k: v for k, v in os.environ.items() if not re.match("SLURM|SBATCH|SALLOC|SRUN", k)}
    environment["SHELL"] = "/bin/sh"
    try:
        return subprocess.run(["sh", "-c", PRELUDE + text], cwd=case_dir, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess([], 999, late.stdout or b"", late.stderr or b"")


def job_ids(done):
    text = (done.stdout + done.stderr).decode(errors="replace")
    found = re.findall(r"Submitted batch job (\d+)|Granted job allocation (\d+)|^(\d{5,})(?:;\S+)?$|"
                       r"Pending job allocation (\d+)", text, re.M)
    ids = []
    for groups in found:
        number = next(g for g in groups if g)
        if number not in ids:
            ids.append(number)
    return ids


def show_job(job):
    done = subprocess.run(["scontrol", "show", "job", job], capture_output=True, check=False)
    return done.stdout.decode(errors="replace")


def is_over(job):
    state = re.search(r"JobState=(\w+)", show_job(job))
    return not state or state.group(1) in OVER


def wait_over(jobs):
    """One after the other: a look at a job costs more than it is worth while others are waited for anyway."""
    deadline = time.monotonic() + PATIENCE_S
    for job in jobs:
        while not is_over(job) and time.monotonic() < deadline:
            time.sleep(0.2)


def wait_idle():
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        done = subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, check=False)
        if set(done.stdout.split()) == {b"idle"}:
            return
        time.sleep(0.1)


def mask(text, case_dir, ids):
    for job in ids:
        text = re.sub(rf"(?<![\d]){job}(?!\d)", "JOB", text)
        text = text.replace(job.zfill(5), "0JOB").replace(job.zfill(8), "0000JOB")
    text = re.sub(r"\b6\d{4}\b", "ID", text)  # of other jobs: FirstJobId is 60001
    text = text.replace("fatal: ", "error: ").replace(case_dir, "DIR").replace(os.path.dirname(case_dir), "HOME")
    text = re.sub(rf"\b({MASKED_VARIABLES})=.*", r"\1=*", text)
    text = re.sub(r"/\S*/(job[0\w]*/slurm_script)", r"SPOOL/\1", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", "TIME", text)
    text = re.sub(r"\d\d:\d\d:\d\d\.\d+", "TIME", text)
    return re.sub(r"worker-[12]\b", "worker-X", text)


def job_fields(text):
    fields = {}
    for key, value in re.findall(r"(\S+?)=(.*?)(?=\s+[A-Z][A-Za-z/:]*=|\s*\n|$)", text):
        if key in MASKED_KEYS and value not in ("Unknown", "None", "N/A", "(null)", ""):
            value = "*"
        if key == "TimeLimit" and value == "365-00:00:00":
            value = "UNLIMITED"  # 22.05 shows it so once the job has run
        value = value.replace("gres:", "gres/")  # 22.05 writes it so
        if key != "LastSchedEval":  # when the scheduler happened to look
            fields[key] = value
    return fields


def job_lines(fields, usual):
    """What is not as in the job of the first case."""
    lines = [f"job {key}={value}" for key, value in fields.items() if usual.get(key) != value]
    return sorted(lines + [f"job has no {key}" for key in usual if key not in fields])


def read_file(path):
    with open(path, "rb") as file:
        return file.read(1 << 16).decode(errors="replace")


def record(name, case_dir, done, ids, usual):
    lines = [f"== {name}", f"status {done.returncode}"]
    lines += [f"out {line}" for line in done.stdout.decode(errors="replace").splitlines()]
    lines += [f"err {line}" for line in done.stderr.decode(errors="replace").splitlines()]
    for job in ids:
        lines += job_lines(job_fields(mask(show_job(job), case_dir, ids)), usual)
    for folder, _, files in sorted(os.walk(case_dir)):
        for file in sorted(files):
            path = os.path.join(folder, file)
            here = os.path.relpath(path, case_dir)
            if here not in GIVEN:
                lines += [f"file {here}: {line}" for line in read_file(path).splitlines() or [""]]
    return mask("\n".join(lines), case_dir, ids)


def main():
    alone = "--alone" in sys.argv
    cases_path, record_path = [argument for argument in sys.argv[1:] if argument != "--alone"]
    cases = read_cases(cases_path)
    home = os.path.join(os.environ["HOME"], "cases")

    def play(case):
        name, stays, text = case
        begin = time.monotonic()
        done = run(os.path.join(home, name), text)
        if time.monotonic() - begin > SLOW_S:
            print(f"# {name} took {time.monotonic() - begin:.0f} s")
        if alone:
            wait_over(job_ids(done))
            wait_idle()
        return name, stays, os.path.join(home, name), done, job_ids(done)

    with ThreadPoolExecutor(1 if alone else AT_ONCE) as pool:
        played = list(pool.map(play, cases))
    wait_over([job for _, stays, _, _, ids in played if not stays for job in ids])
    with open(record_path, "w", encoding="utf-8") as out:
        usual = {}
        for name, _, case_dir, done, ids in played:
            out.write(record(name, case_dir, done, ids, usual) + "\n")
            if ids and not usual:
                usual = job_fields(mask(show_job(ids[0]), case_dir, ids))


main()
