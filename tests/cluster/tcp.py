#!/usr/bin/python3 -IS
"""A connection to look at: `tcp.py serve` answers lines with lines, `tcp.py talk HOST SECONDS` asks.

Each line of talk's input begins with the seconds that an answer may take. talk sends the rest and prints
what became of it: the answer, `silence` when there is none by then, or `closed`. Where there is no
connection it prints `no answer` after SECONDS, or the error.
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
        seconds, words = line.split(" ", 1)
        peer.settimeout(float(seconds))
        peer.sendall(words.encode())
        return peer.recv(1000).decode().rstrip("\n") or "closed"
    except TimeoutError:
        return "silence"
    except OSError as error:
        return f"closed: {error.strerror}"


def talk(host, seconds):
    try:
        peer = socket.create_connection((host, PORT), timeout=float(seconds))
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
    talk(*sys.argv[2:])
