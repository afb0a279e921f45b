#!/usr/bin/env python3
"""members.py KIND FILE: does the document have every member that Slurm's data parser v0.0.42 has, of its type?

`../data/documents/members` lists them: kind of document, path, type. A path goes through arrays ([]) and objects; where an
array is empty, or an object is null, nothing is asked for. Members of our own are fine.
"""
import json
import os
import sys

NUMBER = {"set": bool, "infinite": bool, "number": (int, float)}
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "number{}": dict}


def fits(value, kind):
    if not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        return False
    return kind != "number{}" or (value.keys() == NUMBER.keys() and all(isinstance(value[k], t) for k, t in NUMBER.items()))


def find(value, parts):
    """The values at a path; None stands for one that is not there."""
    if not parts:
        yield value
        return
    name = parts[0].rstrip("[]")
    depth = parts[0].count("[]")
    if value is None:
        return
    if not isinstance(value, dict) or name not in value:
        yield None
        return
    values = [value[name]]
    for _ in range(depth):
        values = [element for array in values for element in (array if isinstance(array, list) else [None])]
    for element in values:
        if len(parts) == 1:
            yield element
        else:
            yield from find(element, parts[1:])


def main():
    kind, path = sys.argv[1:]
    members = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/documents/members")
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    wrong = n = 0
    with open(members, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or line.split()[0] not in (kind, "all"):
                continue
            _, member, wanted = line.split()
            n += 1
            for value in find(document, member.split(".")):
                if not fits(value, wanted):
                    print(f"{kind}: {member} is {json.dumps(value)[:80]}, should be {wanted}")
                    wrong += 1
                    break
    if n == 0:
        print(f"{kind}: no such kind of document")
    return wrong > 0 or n == 0


sys.exit(main())
