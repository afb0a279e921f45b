/*
 * tres.h - amounts of what jobs hold, as one word: "cpu=3,mem=4000M,node=2,billing=3,gres/gpu=4".
 *
 * Of generic resources those are told that AccountingStorageTRES names: `counted`, "gres/gpu" for
 * all types together, "gres/gpu:a" for one; NULL names none. Pure.
 */
#pragma once

#include "common/msg/amount.h"
#include "common/msg/job.h"
#include "common/text/gres.h"

/*
 * Amounts of each resource. Amounts of 0, and memory that is not known, are left out of texts. Owns
 * its list: `AUTO(tres) struct tres tres = tres_requested(job);`
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

/* Returns what a job asks for. */
struct tres tres_requested(const struct job_record *job);

/* Returns what the job holds, or held before it ended; nothing while it waits. */
struct tres tres_allocated(const struct job_record *job);

struct tres tres_of_step(const struct step_record *step);

/*
 * Adds resources written as Gres= of a node says them: "gpu:a:4(S:0),bandwidth:1K". A text that is
 * no such list adds nothing.
 */
void tres_add_gres(struct tres *tres, const char *text);

/*
 * Returns the generic resources that `counted` names, in its order; amounts of 0 stay. To be
 * cleared.
 */
struct gres_list tres_counted(const struct tres *tres, const char *counted);

/*
 * Appends generic resources, of all types together and of each type ("gres/gpu", "gres/gpu:a100"),
 * and licenses. The caller clears and frees the list.
 */
void tres_list_more(const struct tres *tres, struct acct_amount **list, uint32_t *n);

/* Returns the amount of the TRES of that name ("gres/gpu:a100", "license/matlab"); 0 of one that is
 * unknown. */
uint64_t tres_amount(const struct tres *tres, const char *name);

/* Appends the list in scontrol's order. */
void tres_format(const struct tres *tres, const char *counted, struct strbuf *out);

/*
 * Appends the list in the order of the names, as sacct prints it. `memory` is the text for memory;
 * with NULL memory is left out.
 */
void tres_format_by_name(const struct tres *tres, const char *counted, const char *memory,
                         struct strbuf *out);
