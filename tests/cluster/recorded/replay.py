"""Replays recorded calls of other programs, and reads the answers as these programs do.

replay.py CALLS NAME=VALUE...   the form of CALLS is told in it; {NAME} in it becomes VALUE
Prints a line for each call and ends with 1 if one was not answered.
"""
import json
import re
import subprocess
import sys


def read_calls(path, values):
    calls = []
    for line in open(path):
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            continue
        for name, value in values.items():
            line = line.replace("{%s}" % name, value)
        if line.startswith("["):
            calls.append({"name": line.strip("[]"), "asks": []})
            continue
        key, _, text = line.partition(" ")
        if key in ("run", "stdin", "exit"):
            calls[-1][key] = text
        elif key in ("line", "find", "error", "empty", "has"):
            calls[-1]["asks"].append((key, text))
        else:
            sys.exit(f"{path}: what is '{line}'?")
    return calls


def lacks(found, path, keys):
    """The same of members: of each element, where the path leads through a list."""
    for name in filter(None, path.split(".")):
        found = [inner for one in found for inner in (one[name] if isinstance(one[name], list) else [one[name]])]
    missing = [key for key in keys if any(key not in one for one in found)]
    return f"{path} lacks {' '.join(missing)}" if missing else None if found else f"{path} is empty"


def answers(ask, text, done):
    """What is wrong with one thing that a program looks for, or None."""
    lines = done.stdout.splitlines()
    if ask == "line":
        wrong = [line for line in lines if not re.search(text, line)]
        return f"{wrong[0]!r} is not {text}" if wrong else None if lines else "no line"
    if ask == "find":
        return None if re.search(text, done.stdout, re.M) else f"no {text}"
    if ask == "has":
        return lacks([json.loads(done.stdout)], text.split()[0], text.split()[1:])
    if ask == "error":
        return None if re.search(text, done.stderr, re.M) else f"stderr has no {text}"
    return "stdout is not empty" if done.stdout else None


def replay(call):
    stdin = call.get("stdin", "").encode().decode("unicode_escape")
    done = subprocess.run(call["run"], shell=True, text=True, input=stdin, capture_output=True, timeout=60)
    wrong = [w for w in (answers(ask, text, done) for ask, text in call["asks"]) if w]
    if done.returncode != int(call.get("exit", 0)):
        wrong.append(f"exit status {done.returncode}")
    if done.stderr and not any(ask == "error" for ask, _ in call["asks"]):
        wrong.append("stderr is not empty")
    return wrong, done


def main():
    calls = read_calls(sys.argv[1], dict(pair.split("=", 1) for pair in sys.argv[2:]))
    failed = 0
    for call in calls:
        wrong, done = replay(call)
        print("not ok" if wrong else "ok", "-", call["name"])
        if wrong:
            failed += 1
            print(f"  {call['run']}\n  " + "\n  ".join(wrong) + f"\n{done.stdout}{done.stderr}", end="")
    print(f"{len(calls)} calls, {failed} not answered as before")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
