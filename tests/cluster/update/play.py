#!/usr/bin/python3
"""Changes jobs in the ways that a file lists, and writes down what was said and what became of each.

    play.py CASES RECORD

A line "STATE ... by USER ... : FIELDS" is a case for each state and user: a job in that state is asked for
"scontrol update jobid=ID FIELDS" by that user. A command that has {} in it, where the id goes, is all of it.
Of the job the record has what is no longer as it was. A job serves until an update has changed it.
"""
import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "query"))
from play import run  # noqa: E402

PATIENCE_S = 300
LATER = "2030-01-01T12:00:00"
# What hangs on when the scheduler looks, and what versions show differently.
WHENEVER = {"RunTime", "LastSchedEval", "Scheduler", "SecsPreSuspend", "AccrueTime", "AllocTRES", "ReqTRES", "Power"}
NEAR_S = 3 * 86400
USUAL = "-J first -t 10 -o /dev/null"
SLEEP = "--wrap 'sleep 1000'"
UNKNOWN = "69999"
# How a job comes into a state: what sbatch is given, what it is waited for, what root does then.
STATES = {
    "pending": (f"-n2 -N1-2 --mem=100 --begin={LATER} {SLEEP}", "PENDING", None),
    "held": (f"-n2 --mem=100 --hold --begin={LATER} {SLEEP}", "PENDING", None),
    "rootheld": (f"-n2 --mem=100 --begin={LATER} {SLEEP}", "PENDING", "scontrol hold {}"),
    "percpu": (f"-n2 --mem-per-cpu=100 --begin={LATER} {SLEEP}", "PENDING", None),
    "running": (f"-n2 -N1 --mem=100 --licenses=matlab:2 {SLEEP}", "RUNNING", None),
    "wide": (f"-n4 -N2 --mem=100 {SLEEP}", "RUNNING", None),
    "suspended": (f"-n2 -N1 --mem=100 {SLEEP}", "RUNNING", "scontrol suspend {}"),
    "array": (f"-a 1-3 --mem=100 --begin={LATER} {SLEEP}", "PENDING", None),
    "task": (f"-a 1-3 --mem=100 --begin={LATER} {SLEEP}", "PENDING", None),
    "over": ("--wrap true", "COMPLETED", None),
}


def read_cases(path):
    """[(state, user, command)]"""
    for line in open(path, encoding="utf-8"):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        who, command = line.split(" : ", 1)
        states, users = (part.split() for part in who.split(" by ", 1))
        for state in states:
            for user in users:
                yield state, user, command


def out_of(user, command):
    return run(user, command).stdout.decode(errors="replace")


def state_of(job):
    return out_of("root", f"squeue -h -t all -j {job} -o %T").split("\n", 1)[0]


def wait_for(job, state):
    deadline = time.monotonic() + PATIENCE_S
    while state_of(job) != state:
        if time.monotonic() > deadline:
            sys.exit(f"play.py: job {job} is {state_of(job)}, not {state}")
        time.sleep(0.02)


def make(state):
    if state == "unknown":
        return UNKNOWN
    options, becomes, then = STATES[state]
    job = out_of("alice", f"sbatch --parsable {USUAL} {options}").strip()
    wait_for(job, becomes)
    if then:
        run("root", then.format(job))
    if state == "suspended":
        wait_for(job, "SUSPENDED")
    return job


# ---- what a job is


def when(text, base, name):
    """2026-01-01T00:00:00 as seconds since `base`, or as it is, when that is long ago or far ahead."""
    away = time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S")) - base
    if abs(away) > NEAR_S:
        return text
    return f"{name}{round(away / 60):+d}min"


def seconds(text):
    return time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))


class Moment(str):
    """How a time is told, equal to what is told so and to the same time told from another base."""

    def __new__(cls, exact, base, name):
        moment = super().__new__(cls, when(exact, base, name))
        moment.exact = exact
        return moment

    def __eq__(self, other):
        return str.__eq__(self, other) or self.exact == getattr(other, "exact", None)

    def __ne__(self, other):
        return not self == other

    __hash__ = str.__hash__


def fields_of(text, now):
    fields = dict(re.findall(r"(\S+?)=(.*?)(?=\s+[A-Z][A-Za-z/:]*=|\s*\n|$)", text))
    if "ReqTRES" in fields:  # one list until 23.02
        fields["TRES"] = fields["ReqTRES"] if fields["AllocTRES"] == "(null)" else fields["AllocTRES"]
    for key, value in fields.items():
        if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", value):
            of_start = key == "EndTime" and fields["JobState"] == "RUNNING" and "T" in fields["StartTime"]
            fields[key] = Moment(value, fields_start(text) if of_start else now, "start" if of_start else "now")
    if fields["Reason"] == "BeginTime":
        fields["Reason"] = "None"  # until the scheduler has looked
    if int(fields.get("Priority", 0)) > 1000000:
        fields["Priority"] = "usual"
    return {key: value for key, value in fields.items() if key not in WHENEVER}


def fields_start(text):
    return seconds(re.search(r"StartTime=(\S+)", text)[1])


def look(job, now):
    """{task or "": fields} of all that the id stands for; `now` is what times are told from."""
    shown = out_of("root", f"TZ=UTC scontrol show job {job.split('_')[0]}")
    looked = {}
    for record in re.split(r"\n\s*\n(?=JobId=)", shown):
        if "JobId=" in record:
            fields = fields_of(record, now)
            looked[fields.pop("ArrayTaskId", "")] = fields
            fields.pop("JobId", None)
    return looked


def changes(before, after):
    lines = []
    for task in sorted(set(before) | set(after)):
        if task not in after:
            lines.append(f"job {task} is gone")
            continue
        usual = before.get(task, next(iter(before.values()), {}))
        where = f"job {task}: " if task else "job "
        if task not in before:
            lines.append(f"{where}is new")
        changed = {key for key in set(usual) | set(after[task]) if usual.get(key) != after[task].get(key)}
        lines += [f"{where}{key}={after[task].get(key)}" for key in sorted(changed)]
    return lines


# ---- the cases


def mask(text, job):
    text = re.sub(rf"(?<!\d){job}(?!\d)", "JOB", text)
    text = re.sub(r"(?<!\d)6\d{4}(?!\d)", "ID", text)
    return re.sub(r"worker-[1-3]\b", "worker-X", text)


class Jobs:
    """One in each state, made when it is asked for and again when it is used up."""

    def __init__(self):
        self.known = {}
        self.other = make("running")

    def get(self, state):
        if state not in self.known:
            job = make(state)
            self.known[state] = job, look(job, time.time())
        return self.known[state]

    def drop(self, state):
        job, _ = self.known.pop(state)
        run("root", f"scancel {job}")


def play(jobs, state, user, command):
    job, before = jobs.get(state)
    name = f"{job}_2" if state == "task" else job
    filled = command if "{}" in command else f"scontrol update jobid={{}} {command}"
    asked_at = time.time()
    done = run(user, filled.replace("{}", name).replace("OTHER", jobs.other))
    after = look(job, asked_at)
    lines = [f"status {done.returncode}"]
    for stream, text in (("out", done.stdout), ("err", done.stderr)):
        lines += [f"{stream} {line}" for line in text.decode(errors="replace").splitlines() if line]
    lines += changes(before, after)
    if after != before:
        jobs.drop(state)
    return mask("\n".join(lines), job)


def main():
    os.environ["TZ"] = "UTC"
    time.tzset()
    jobs = Jobs()
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for state, user, command in read_cases(sys.argv[1]):
            out.write(f"== {state} by {user}: {command}\n{play(jobs, state, user, command)}\n")


main()
