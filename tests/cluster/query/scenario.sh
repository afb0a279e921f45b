#!/bin/bash
# scenario.sh - what is in the cluster when the cases are played; run as root on the head.
# Each job is placed by name and waited for, so that ids, nodes and order are the same every time.
set -u
cd /tmp || exit
tell() { echo "scenario: $*" >&2; }
as() { local user=$1; shift; setpriv --reuid "$user" --regid "$user" --init-groups "$@"; }
submit() { id=$(as "${user:-alice}" sbatch --parsable --output=/dev/null "$@") || tell "not taken: $*"; }
state_is() { # state_is JOB STATE
    local n=300
    until [ "$(squeue -h -t all -j "$1" -o %T 2>/dev/null | sort -u)" = "$2" ]; do
        n=$((n - 1))
        [ "$n" -gt 0 ] || { tell "job $1 is not $2: $(squeue -h -t all -j "$1" -o %T)"; return 0; }
        sleep 0.05
    done
}
running() { submit "$@"; state_is "$id" RUNNING; }
sleeper=(--wrap 'sleep 1000')

submit -w worker-1 -J finished --comment='a remark' --wrap 'true'; state_is "$id" COMPLETED     # 60001
submit -w worker-1 -J failing --wrap 'exit 3'; state_is "$id" FAILED                            # 60002
submit -w worker-1 -J cancelled --hold "${sleeper[@]}"; scancel "$id"; state_is "$id" CANCELLED # 60003
running -w worker-1 -J plain -n 2 --mem=500 "${sleeper[@]}"                                     # 60004
user=bob running -w worker-[1-2] -N2 -n4 -c2 --mem-per-cpu=100 -J broad -t 2:00:00 --nice=10 "${sleeper[@]}" # 60005
running -p short -w worker-2 -J limited -n1 --mem=100 --licenses=matlab:2 -t 20 --exclude=worker-3 "${sleeper[@]}" # 60006
running -w worker-4 -J suspended -n1 --mem=100 -C fast "${sleeper[@]}"; scontrol suspend "$id"   # 60007
state_is "$id" SUSPENDED
running -w worker-5 -J disk -n1 --mem=100 --tmp=50 --begin=now "${sleeper[@]}"     # 60008
submit -w worker-6 -J alone --exclusive -n3 --mem=200 --ntasks-per-node=3 --chdir=/ --wrap 'srun -n1 --mem=50 sleep 1000 & srun -n1 --mem=50 sleep 1000 & wait' # 60009
state_is "$id" RUNNING
n=200
until [ "$(squeue -h -s -j "$id" -o %i | grep -cE '\.[01]$')" = 2 ] || [ "$((n -= 1))" -lt 0 ]; do sleep 0.05; done
as alice salloc -Q --no-shell -w worker-4 -n1 --mem=100 -J taken -t 1-00:00:00                  # 60010
submit -w worker-3 -J array -a 1-6%2 -n1 --mem=100 "${sleeper[@]}"                     # 60011
n=200
until [ "$(squeue -h -t R -n array -o %i | wc -l)" = 2 ] || [ "$((n -= 1))" -lt 0 ]; do sleep 0.05; done
submit -J held --hold -n2 -t 5 "${sleeper[@]}"                                                  # 60014
submit -J heldbyroot --begin=2030-01-01T12:00:00 "${sleeper[@]}"; scontrol hold "$id"                                       # 60015
submit -J later --begin=2030-01-01T12:00 -n 7 -N 2-3 "${sleeper[@]}"                            # 60016
submit -J after --dependency=afterok:60004 --account=physics "${sleeper[@]}"                    # 60017
submit -J inclosed -p closed -n 1 "${sleeper[@]}"                                               # 60018
submit -J toolong -p short -t 50 "${sleeper[@]}"                                                # 60019
user=bob submit -J waits -w worker-6 -n 4 --qos=normal --contiguous "${sleeper[@]}"             # 60020
user=bob submit -J alsowaits -w worker-4 --exclusive -t 10 --mail-type=END "${sleeper[@]}"             # 60021
submit -J ghost -w ghost-1 "${sleeper[@]}"                                                      # 60022
submit -J heldarray --hold -a 0-20:4,100 -n1 -t 3 "${sleeper[@]}"                               # 60023
submit -J requeued -w worker-5 -n1 --mem=10 "${sleeper[@]}"; state_is "$id" RUNNING             # 60024
scontrol requeuehold "$id"
n=200
until [ "$(squeue -h -t all -j "$id" -o %T)" = PENDING ] || [ "$((n -= 1))" -lt 0 ]; do sleep 0.05; done
submit -J manyparts -p short,physicists -n 1 -d singleton -w worker-1 "${sleeper[@]}"           # 60025

scontrol update nodename=worker-2 state=drain reason='bad disk'
scontrol update nodename=worker-3 state=drain reason='under test, with a rather long explanation'
scontrol update nodename=worker-7 state=drain reason='flaky'
scontrol update nodename=worker-8 state=down reason='no power'
n=200
until [ "$(squeue -h -j 60020,60021,60025 -o %r | sort -u)" = Resources ] || [ "$((n -= 1))" -lt 0 ]; do sleep 0.05; done
# Elapsed times are masked, but those that are still 0.
n=200
until ! squeue -h -t R -o %M | grep -q '0:00' || [ "$((n -= 1))" -lt 0 ]; do sleep 0.05; done
