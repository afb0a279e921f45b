#!/usr/bin/python3
"""Holds one record of play.py against another.

    compare.py [--ordered] ANSWERS RECORD DIFFERENCES [OURS]
    compare.py [--ordered] --keep ANSWERS RECORD DIFFERENCES OURS

DIFFERENCES has lines "CASE | SIDE | LINE | WHY": in this case (a shell pattern), a line that only
RECORD (+) or only ANSWERS (-) has; +- is either, and with a ? it is there only sometimes. LINE is a regular
expression for all of it. With --ordered the lines of a case must come in the same order, too; else it does
not matter. Exit status 1 when there is another difference, or one of these is none any more.

A rule says why, and may fit more than it was written for: OURS holds what the cases with a difference print, word
for word, and whatever else they print is a difference, unless a rule with a ? explains it. --keep writes OURS.

Minutes and seconds of clocks that run are taken as one word, whatever their width and the blanks around them: what
took nine minutes here takes eleven there.
"""
import collections
import difflib
import fnmatch
import re
import sys


CLOCK = re.compile(r"( *)(?<![\d:m-])(m{1,2}:ss)(?![\d:])( *)")
NARROW = 7  # with its blanks: less is no column, but a value between others


def settle(line):
    """The line with its running clocks as wide as those of ten minutes, and on the left."""
    def settled(found):
        width = len(found[0])
        return " mm:ss " if width <= NARROW else "mm:ss".ljust(width)
    return CLOCK.sub(settled, line)


def read_record(path):
    cases = {}
    for line in open(path, encoding="utf-8"):
        line = settle(line.rstrip("\n"))
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


def sometimes(rules):
    return [rule for rule in rules if "?" in rule[2]]


def differ_always(answers, played, rules, ordered):
    """Names of the cases that differ, but not of those that only differ sometimes."""
    for case in [name for name in answers if name in played]:
        lines = differ(answers[case], played[case], ordered)
        if any(not explained(sometimes(rules), case, side, line, set()) for side, line in lines):
            yield case


def keep(path, answers, played, rules, ordered):
    with open(path, "w", encoding="utf-8") as out:
        for case in differ_always(answers, played, rules, ordered):
            out.write("\n".join(["== " + case] + played[case]) + "\n")


def hold(path, answers, played, rules, ordered, used):
    """How many lines of ours are not as they were kept."""
    kept, wrong = read_record(path), 0
    for case in [name for name in differ_always(answers, played, rules, ordered) if name not in kept]:
        print(f"{case}: differs, and what ours prints was not kept")
        wrong += 1
    for case in [name for name in kept if name in played]:
        for side, line in differ(kept[case], played[case], ordered):
            if not explained(sometimes(rules), case, side, line, used):
                print(f"{case} {side} {line} (not as ours was)")
                wrong += 1
    return wrong


def main():
    files = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    ordered = "--ordered" in sys.argv
    answers, played, rules = read_record(files[0]), read_record(files[1]), read_differences(files[2])
    used, wrong = set(), 0
    if "--keep" in sys.argv:
        keep(files[3], answers, played, rules, ordered)
        return
    if len(files) > 3:
        wrong += hold(files[3], answers, played, rules, ordered, used)
    for case in sorted(set(answers) ^ set(played)):
        print(f"{case}: only {'Slurm' if case in answers else 'we'} played it")
        wrong += 1
    for case in [name for name in answers if name in played]:
        for side, line in differ(answers[case], played[case], ordered):
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
