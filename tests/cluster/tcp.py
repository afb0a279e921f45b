#!/usr/bin/python3 -IS
"""A connection to look at: `tcp.py serve` answers lines with lines, `tcp.py talk HOST` asks.

talk sends each line of its input and prints what became of it: the answer, `silence` after a second
without one, or `closed`. Where there is no connection it prints `no answer` after a second, or the
error.
"""
import socket
import sys
import threading

PORT = 7007


def answer(peer):
    for line in peer.makefile():
        peer.sendall(f"heard {line}".encode())


def serve():
    listener = socket.create_server(("", PORT))
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=answer, args=(peer,), daemon=True).start()


def ask(peer, line):
    try:
        peer.sendall(line.encode())
        return peer.recv(1000).decode().rstrip("\n") or "closed"
    except TimeoutError:
        return "silence"
    except OSError as error:
        return f"closed: {error.strerror}"


def talk(host):
    try:
        peer = socket.create_connection((host, PORT), timeout=1)
    except TimeoutError:
        print("no answer", flush=True)
        return
    except OSError as error:
        print(error.strerror, flush=True)
        return
    print("connected", flush=True)
    for line in sys.stdin:
        print(ask(peer, line), flush=True)


if sys.argv[1] == "serve":
    serve()
else:
    talk(sys.argv[2])
