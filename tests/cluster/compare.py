#!/usr/bin/python3
"""Holds one record of play.py against another.

    compare.py [--ordered] ANSWERS RECORD DIFFERENCES

DIFFERENCES has lines "CASE | SIDE | LINE | WHY": in this case (a shell pattern), a line that only
RECORD (+) or only ANSWERS (-) has; +- is either, and with a ? it is there only sometimes. LINE is a regular
expression for all of it. With --ordered the lines of a case must come in the same order, too; else it does
not matter. Exit status 1 when there is another difference, or one of these is none any more.
"""
import collections
import difflib
import fnmatch
import re
import sys


def read_record(path):
    cases = {}
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("== "):
            lines = cases.setdefault(line[3:], [])
        else:
            lines.append(line)
    return cases


def read_differences(path):
    rules = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.strip() and not line.startswith("#"):
            case, side, pattern, _ = (part.strip() for part in line.split(" | ", 3))
            rules.append((number, case, side, re.compile(pattern)))
    return rules


def explained(rules, case, side, line, used):
    for number, pattern, rule_side, expression in rules:
        if side in rule_side and fnmatch.fnmatchcase(case, pattern) and expression.fullmatch(line):
            used.add(number)
            return True
    return False


def differ(theirs, ours, ordered):
    """[(side, line)]"""
    if ordered:
        return [(line[0], line[2:]) for line in difflib.ndiff(theirs, ours) if line[0] in "+-"]
    theirs, ours = collections.Counter(theirs), collections.Counter(ours)
    return [("-", line) for line in (theirs - ours).elements()] + [("+", line) for line in (ours - theirs).elements()]


def main():
    files = [argument for argument in sys.argv[1:] if argument != "--ordered"]
    answers, played, rules = read_record(files[0]), read_record(files[1]), read_differences(files[2])
    used, wrong = set(), 0
    for case in sorted(set(answers) ^ set(played)):
        print(f"{case}: only {'Slurm' if case in answers else 'we'} played it")
        wrong += 1
    for case in [name for name in answers if name in played]:
        for side, line in differ(answers[case], played[case], "--ordered" in sys.argv):
            if not explained(rules, case, side, line, used):
                print(f"{case} {side} {line}")
                wrong += 1
    for number, case, side, expression in rules:
        if number not in used and "?" not in side:
            print(f"differences, line {number}: no longer one of {case}: {expression.pattern}")
            wrong += 1
    print(f"{len(answers)} cases, {wrong} unexplained or stale")
    sys.exit(1 if wrong else 0)


main()
