/*
 * step_tres.h - what a step asks of generic resources, in the words of squeue and scontrol.
 *
 * Each appends to `out`, and nothing when the step does not ask, as a batch step never does.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/step.h"

void step_add_cpus_per_gpu(const struct step_record *step, struct strbuf *out);
void step_add_mem_per_gpu(const struct step_record *step, struct strbuf *out);
void step_add_gpu_bind(const struct step_record *step, struct strbuf *out);
void step_add_gpu_freq(const struct step_record *step, struct strbuf *out);
void step_add_tres_per_step(const struct step_record *step, struct strbuf *out);
void step_add_tres_per_node(const struct step_record *step, struct strbuf *out);
void step_add_tres_per_socket(const struct step_record *step, struct strbuf *out);
void step_add_tres_per_task(const struct step_record *step, struct strbuf *out);
