/*
 * tres.h - amounts of what jobs hold, as one word: "cpu=3,mem=4000M,node=2,billing=3,gres/gpu=4".
 *
 * Of generic resources those are told that AccountingStorageTRES names: `counted`, "gres/gpu" for
 * all types together, "gres/gpu:a" for one; NULL names none. Pure.
 */
#pragma once

#include "common/msg/job.h"
#include "common/text/gres.h"

/*
 * What is 0 (or memory that is not known) is left out. Owns its list:
 * `AUTO(tres) struct tres tres = tres_requested(job);`
 */
struct tres {
    uint64_t cpus;
    uint64_t mem_mb; /* MB_UNSET: not known */
    uint64_t nodes;
    uint64_t billing;
    struct gres_list gres;
    const char *licenses; /* "matlab:2", borrowed from the job; NULL: none */
};

void tres_auto_(struct tres *tres);

/* What a job asks for. */
struct tres tres_requested(const struct job_record *job);

/* What the job holds, or held before it ended; nothing while it waits. */
struct tres tres_allocated(const struct job_record *job);

struct tres tres_of_step(const struct step_record *step);

/* As Gres= of a node says what it has: "gpu:a:4(S:0),bandwidth:1K"; what is no such list adds
 * nothing. */
void tres_add_gres(struct tres *tres, const char *text);

/* What is counted of generic resources, in the order of `counted`; 0 stays. To be cleared. */
struct gres_list tres_counted(const struct tres *tres, const char *counted);

/* Appends the list in scontrol's order. */
void tres_format(const struct tres *tres, const char *counted, struct strbuf *out);

/* Appends the list in the order of the names, as sacct prints it; with the memory as this text, or
 * without. */
void tres_format_by_name(const struct tres *tres, const char *counted, const char *memory,
                         struct strbuf *out);
