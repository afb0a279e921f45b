#!/usr/bin/python3
"""Holds one record of play.py against another.

    compare.py ANSWERS RECORD DIFFERENCES

DIFFERENCES has lines "CASE | SIDE | LINE | WHY": in this case (a shell pattern), a line that only
RECORD (+) or only ANSWERS (-) has; +- is either, and with a ? it is there only sometimes. LINE is a regular
expression for all of it. Exit status 1 when there is another difference, or one of these is none any more.
"""
import collections
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


def main():
    answers, played, rules = read_record(sys.argv[1]), read_record(sys.argv[2]), read_differences(sys.argv[3])
    used, wrong = set(), 0
    for case in sorted(set(answers) ^ set(played)):
        print(f"{case}: only {'Slurm' if case in answers else 'we'} played it")
        wrong += 1
    for case in [name for name in answers if name in played]:
        ours, theirs = collections.Counter(played[case]), collections.Counter(answers[case])
        found = [("-", line) for line in (theirs - ours).elements()] + [("+", line) for line in (ours - theirs).elements()]
        for side, line in found:
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
