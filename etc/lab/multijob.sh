#!/bin/bash
#SBATCH --job-name=multijob ### Name of the job
#SBATCH --nodes=3 ### Number of Nodes
#SBATCH --ntasks=3 ### Number of Tasks
#SBATCH --cpus-per-task=1 ### Number of Tasks per CPU
#SBATCH --output=%x_%j.out ### Slurm Output file, %x is job name, %j is job id
#SBATCH --error=%x_%j.err ### Slurm Error file, %x is job name, %j is job id
srun --nodes=1 --ntasks=1 python sum_range.py 1 100000000 &
srun --nodes=1 --ntasks=1 python sum_range.py 100000001 200000000 &
srun --nodes=1 --ntasks=1 python sum_range.py 200000001 300000000 &
wait
