/*
 * completion.h - JobCompType: tells others that a job has ended, beside the history.
 *
 * jobcomp/filetxt appends a line to JobCompLoc, jobcomp/script runs it. A run that ends in a
 * requeue is told too, as in Slurm. What fails is logged and stops nothing. Jobs are told of when
 * their turn is on disk: it reads the stream of committed changes.
 */
#pragma once

#include "common/base/log.h"
#include "common/conf/slurm_conf.h"
#include "common/msg/job.h"
#include "ctld/control/act/turn.h"

struct completion;
struct programs;
struct turn;
struct turn_stream;

/*
 * Makes the reader of ended jobs; its arguments are borrowed. It tells nobody before
 * completion_configure, which may come again: a receiver that was told of nothing before is told of
 * what ends in turns after `now_turn`.
 */
struct completion *completion_new(struct turn_stream *stream, struct programs *programs,
                                  struct log *log);
void completion_configure(struct completion *completion, const struct slurm_conf *conf,
                          uint64_t now_turn);
struct completion *completion_free(struct completion *completion);

/*
 * Returns the last turn whose jobs were told; 0: nobody is told. Turns keep it, so that a
 * controller that starts can tell of what ended since: after a crash the last ones may be told
 * twice, none is left out. completion_begin says that all that ended up to this turn was told, or
 * nobody asked then.
 */
uint64_t completion_told(const struct completion *completion);
void completion_note(struct completion *completion, struct turn *turn);
void completion_begin(struct completion *completion, uint64_t turn);
void completion_load_number(struct completion *completion, const char *name, int64_t number);
void completion_tell(struct completion *completion, const struct job_record *job,
                     const struct job_body *body, uint64_t turn);
