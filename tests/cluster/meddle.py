#!/usr/bin/python3 -IS
"""One who stands between two hosts: `meddle.py PORT HOST:PORT CHANGE...` passes connections on.

Of the first connection it changes what the first CHANGE says, and so on; those after the last pass
as they are. A CHANGE is there:N or back:N, the N-th byte on the way to HOST or from it. Prints `ready`
when it listens.
"""
import socket
import sys
import threading


def carry(source, target, at):
    """Until the end of `source`; the byte number `at` is changed, none when it is less than 0."""
    passed = 0
    while data := bytearray(source.recv(65536)):
        if passed <= at < passed + len(data):
            data[at - passed] ^= 1
        passed += len(data)
        target.sendall(data)
    target.shutdown(socket.SHUT_WR)


def quietly(source, target, at):
    try:
        carry(source, target, at)
    except OSError:
        for end in (source, target):
            end.close()


def connect(near, far, change):
    way, _, at = change.partition(":")
    place = {"there": -1, "back": -1}
    if way:
        place[way] = int(at)
    for source, target, where in ((near, far, place["there"]), (far, near, place["back"])):
        threading.Thread(target=quietly, args=(source, target, where), daemon=True).start()


def main(port, target, *changes):
    host, _, target_port = target.partition(":")
    left = list(changes)
    listener = socket.create_server(("", int(port)))
    print("ready", flush=True)
    while True:
        near, _ = listener.accept()
        connect(near, socket.create_connection((host, int(target_port))), left.pop(0) if left else "")


main(*sys.argv[1:])
