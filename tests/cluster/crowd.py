#!/usr/bin/python3 -IS
"""Many connections of one process: `crowd.py hold|silent|greedy|slow N SOCKET|HOST:PORT [ROLE|JOB]`.

hold says who it is, as docs/PROTOCOL.md has it for a Unix socket, and takes a session each, as the role of
that number (1 a command, 5 srun). It stops at the first that is refused. silent connects and says nothing; a
connection that is ended is made anew. greedy has one session, by which it asks N times for all past jobs and
reads no answer, until nobody has taken a request for 2 s. slow has sessions by each of which it asks 8 times for
the script of that job, and reads a MiB of all that. All print `has N` (greedy: of requests), hold then why it got
no more; they keep what they have until their standard input ends.
"""
import select
import socket
import struct
import sys

HELLO, CLAIM, VERDICT, JOB_SCRIPT, HISTORY_LIST = 8, 10, 11, 29, 45
CLIENT = 1
CLUSTER = "lab-cluster"  # of etc/lab/slurm.conf


def field(tag, value):
    """A critical field: a number, or text with its length. Nothing here is longer than 127."""
    if isinstance(value, int):
        return bytes((tag << 2 | 2, value))
    return bytes((tag << 2 | 3, len(value))) + value.encode()


def frame(kind, body, request=0):
    return struct.pack(">IHHI", len(body), kind, 0, request) + body


def read(peer, n):
    data = b""
    while len(data) < n:
        more = peer.recv(n - len(data))
        if not more:
            raise OSError("the connection ended")
        data += more
    return data


def varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return number, at


def text_of(verdict):
    """Its only field that is text is why not; None: it accepts."""
    at = 0
    while at < len(verdict):
        key, at = varint(verdict, at)
        number, at = varint(verdict, at)
        if key & 1:
            return verdict[at : at + number].decode()
    return None


def refusal(peer):
    """Reads until the verdict, and says why it refuses, or None."""
    while True:
        n, kind, _, _ = struct.unpack(">IHHI", read(peer, 12))
        body = read(peer, n)
        if kind == VERDICT:
            return text_of(body)


def connect(where):
    if where.startswith("/"):
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(where)
        return peer
    host, _, port = where.partition(":")
    return socket.create_connection((host, int(port)))


def begin(where, role):
    """A connection, and why it is no session, or None."""
    claim = field(1, "sluice session 1") + field(2, int(role)) + field(3, 1) + field(4, CLUSTER)
    peer = connect(where)
    peer.sendall(frame(HELLO, field(1, 1)) + frame(CLAIM, claim) + frame(VERDICT, b""))
    return peer, refusal(peer)


def hold(n, where, role=CLIENT):
    held = []
    why = None
    while why is None and len(held) < n:
        peer, why = begin(where, role)
        if why is None:
            held.append(peer)
    print("has", len(held), flush=True)
    print(why if why else "no more were wanted", flush=True)
    sys.stdin.read()


def silent(n, where):
    poll = select.poll()
    held = {}

    def add():
        peer = connect(where)
        held[peer.fileno()] = peer
        poll.register(peer, select.POLLRDHUP)

    poll.register(sys.stdin, select.POLLIN)
    while len(held) < n:
        add()
    print("has", len(held), flush=True)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == sys.stdin.fileno():
                return
            poll.unregister(descriptor)
            held.pop(descriptor).close()
            add()


def greedy(n, where, role=CLIENT):
    peer, why = begin(where, role)
    peer.settimeout(2)
    sent = 0
    try:
        while why is None and sent < n:
            sent += peer.send(frame(HISTORY_LIST, b"", int(sent) + 1)) / 12
    except TimeoutError:
        pass
    print("has", int(sent), flush=True)
    sys.stdin.read()


def slow(n, where, job):
    held = []
    for _ in range(n):
        peer, why = begin(where, CLIENT)
        if why is not None:
            sys.exit(why)
        peer.sendall(b"".join(frame(JOB_SCRIPT, field(1, int(job)), i + 1) for i in range(8)))
        held.append(peer)
    for peer in held:
        read(peer, 1 << 20)
    print("has", len(held), flush=True)
    sys.stdin.read()


{"hold": hold, "silent": silent, "greedy": greedy, "slow": slow}[sys.argv[1]](int(sys.argv[2]), *sys.argv[3:])
