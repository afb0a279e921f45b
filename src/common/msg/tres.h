/*
 * tres.h - amounts of what jobs hold, as one word: "cpu=3,mem=4000M,node=2,billing=3". Pure.
 */
#pragma once

#include "common/msg/job.h"

/* What is 0 (or memory that is not known) is left out. */
struct tres {
    uint64_t cpus;
    uint64_t mem_mb; /* MB_UNSET: not known */
    uint64_t nodes;
    uint64_t billing;
};

/* What a job asks for. */
struct tres tres_requested(const struct job_record *job);

/* What it holds, or held before it ended; nothing while it waits. */
struct tres tres_allocated(const struct job_record *job);

struct tres tres_of_step(const struct step_record *step);

/* In scontrol's order. */
void tres_format(const struct tres *tres, struct strbuf *out);

/* In the order of the names, as sacct prints it; with the memory as this text, or without. */
void tres_format_by_name(const struct tres *tres, const char *memory, struct strbuf *out);
