"""A task that speaks version 2 of PMI: tells its name to all, and hears its neighbour's."""
import os
import socket

pmi = socket.socket(fileno=int(os.environ["PMI_FD"]))
heard = pmi.makefile("rb")


def ask(text):
    pmi.sendall(b"%6d%s" % (len(text), text.encode()))
    answer = heard.read(int(heard.read(6))).decode()
    return dict(pair.split("=", 1) for pair in answer.split(";") if pair)


pmi.sendall(b"cmd=init pmi_version=2 pmi_subversion=0\n")
assert heard.readline() == b"cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n"
me = ask("cmd=fullinit;pmijobid=%s;pmirank=%s;threaded=FALSE;" % (
    os.environ["PMI_JOBID"], os.environ["PMI_RANK"]))
rank, size = int(me["rank"]), int(me["size"])
ask("cmd=kvs-put;key=name%d;value=task%d;" % (rank, rank))
if rank % 2 == 0:
    ask("cmd=info-putnodeattr;key=even;value=yes;")
assert ask("cmd=kvs-fence;")["rc"] == "0"
job = ask("cmd=job-getid;")["jobid"]
next_one = ask("cmd=kvs-get;jobid=%s;srcid=-1;key=name%d;" % (job, (rank + 1) % size))
mapping = ask("cmd=info-getjobattr;key=PMI_process_mapping;")
even = ask("cmd=info-getnodeattr;key=even;wait=TRUE;") if size == 2 else {"value": "-"}
nothing = ask("cmd=kvs-get;jobid=%s;srcid=-1;key=nobody;" % job)
print(rank, next_one["value"], mapping["value"], even["value"], nothing["found"])
assert ask("cmd=finalize;")["rc"] == "0"
