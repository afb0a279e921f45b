#!/bin/bash
# smoke.sh - says whether the cluster works: all nodes idle, a command on each, a batch job with its output.
#
# Runs as an ordinary user on any machine of the cluster; takes some seconds, and ends with "the cluster works".
set -eu
shared=${SMOKE_SHARED:-/shared/lab}
limit_s=${SMOKE_LIMIT_S:-120}

fail() {
    echo "smoke: $1" >&2
    sinfo -N -l >&2 || true
    sinfo -R >&2 || true
    exit 1
}

nodes=$(sinfo -h -N -o %N | sort -u | wc -l)
for ((waited = 0; ; waited++)); do
    idle=$(sinfo -h -N -t idle -o %N | sort -u | wc -l)
    [ "$idle" -lt "$nodes" ] || break
    [ $waited -lt "$limit_s" ] || fail "$idle of $nodes nodes are idle after $limit_s s"
    sleep 1
done
sinfo

names=$(srun -N"$nodes" hostname | sort -u | wc -l)
[ "$names" = "$nodes" ] || fail "srun -N$nodes hostname gave $names names"
echo "smoke: a command ran on each of $nodes nodes"

cd "$shared"
sbatch --wait -o smoke.out --wrap 'echo "job $SLURM_JOB_ID ran on $(hostname) as $(id -un)"'
grep -q "as $(id -un)\$" smoke.out || fail "the batch job's output is not what it should be: $(cat smoke.out)"
cat smoke.out
echo "smoke: the cluster works"
