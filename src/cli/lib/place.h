/*
 * place.h - what a job asks about placement, in the words of squeue and scontrol.
 *
 * Each appends to `out`, and nothing when the job does not ask.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/job.h"

/* Appends the candidates of a job that waits, or the partition chosen for one that does not. */
void place_add_partition(const struct job_record *job, struct strbuf *out);

/* Appends "gres/gpu:2"; nothing for COUNT_UNSET and MB_UNSET. */
void place_add_cpus_per_gpu(uint32_t cpus, struct strbuf *out);
void place_add_mem_per_gpu(uint64_t mb, struct strbuf *out);

/* Appends "gres/gpu:closest" or "gpu:medium"; nothing for NULL. */
void place_add_gpu_bind(const char *bind, struct strbuf *out);
void place_add_gpu_freq(const char *freq, struct strbuf *out);

/* Appends "gres/gpu:a=2" for "gres/gpu:a:2": only --tres-per-task of these lists is so written. */
void place_add_tres_per_task(const char *list, struct strbuf *out);

/* Appends switches and the longest wait for them, as "2@00:05:00". */
void place_add_switches(const struct job_spec *spec, struct strbuf *out);
