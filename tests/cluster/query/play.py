#!/usr/bin/python3
"""Plays the command lines of a file, one after another, and writes down what each printed.

    play.py CASES RECORD

What differs from run to run is masked with as many characters as it has, so that columns stay where they are.
"""
import itertools
import os
import pwd
import re
import shlex
import subprocess
import sys
import time

PATIENCE_S = 120
SLOW_S = 3
MASKED_KEYS = "CPULoad|FreeMem|OS|Version|BootTime|SlurmdStartTime|LastBusyTime|ResumeAfterTime|Arch"
ALICE = 20001
# A sanitized command looks for leaks and past its constants in one call of so many: tests/sanitizer.c says why.
THOROUGH_EVERY = 5


def read_cases(path):
    """[(the line, user, command)]"""
    for line in open(path, encoding="utf-8"):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("each "):
            words, command = line[len("each "):].split(" : ", 1)
            for word in shlex.split(words):
                filled = command.replace('"{}"', f'"{word}"').replace("{}", word or "''")
                yield filled, "root", filled
        elif line.startswith("alice: "):
            yield line, "alice", line[len("alice: "):]
        else:
            yield line, "root", line


def become(user):
    if user == "root":
        return {}
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": os.getgrouplist(user, entry.pw_gid)}


calls = itertools.count()


def run(user, command):
    environment = {k: v for k, v in os.environ.items() if not re.match("SLURM|SQUEUE|SINFO|SCONTROL|SPRIO|SSHARE", k)}
    environment.update(LC_ALL="C", TZ="UTC", USER=user)
    if next(calls) % THOROUGH_EVERY == 0:
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":detect_leaks=1:report_globals=1"
    try:
        return subprocess.run(["sh", "-c", command], cwd="/tmp", env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE_S, check=False, **become(user))
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess([], 999, late.stdout or b"", late.stderr or b"")


def mask(text):
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", lambda m: m[0] if m[0] == "2030-01-01T12:00:00" else "TIME".ljust(19, "_"), text)
    text = re.sub(r"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}", "DATE".ljust(24, "_"), text)
    text = re.sub(r"(?<![\d:-])(\d\d:)?(?!0:00)(\d\d?):\d\d(?![\d:])", lambda m: (m[1] or "") + "m" * len(m[2]) + ":ss", text)
    text = re.sub(r"(?<![\d:-])00:(?!00:00)\d\d:\d\d", "00:mm:ss", text)
    text = re.sub(rf"\b({MASKED_KEYS})=.*?(?= \w+=|\s*$)", r"\1=*", text, flags=re.M)
    text = re.sub(r"(SuspendTime=TIME_+ SecsPreSuspend=)\d+", r"\1N", text)
    text = re.sub(r"SrunHost:Pid=(\S+):[1-9]\d*", r"SrunHost:Pid=\1:N", text)
    return re.sub(r"AllocNode:Sid=(\w+):\d+", r"AllocNode:Sid=\1:N", text)


def record(line, done):
    lines = [f"== {line}", f"status {done.returncode}"]
    for stream, text in (("out", done.stdout), ("err", done.stderr)):
        lines += [f"{stream} {part}" for part in mask(text.decode(errors="replace")).splitlines() if part or stream == "out"]
    return "\n".join(lines)


def main():
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for line, user, command in read_cases(sys.argv[1]):
            begin = time.monotonic()
            out.write(record(line, run(user, command)) + "\n")
            if time.monotonic() - begin > SLOW_S:
                print(f"# {line} took {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
