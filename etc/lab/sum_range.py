#!/usr/bin/env python3
"""Add up A, A+1, ... up to but not including B: sum_range.py A B."""
import sys


def sum_range(first, end):
    total = 0
    for number in range(first, end):
        total += number
    return total


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: sum_range.py A B")
    try:
        first, end = int(sys.argv[1]), int(sys.argv[2])
    except ValueError as error:
        sys.exit(f"sum_range.py: {error}")
    print(f"Input Range: {first} to {end}, Sum: {sum_range(first, end)}")


main()
