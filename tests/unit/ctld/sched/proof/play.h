/*
 * play.h - a copy of a cluster at one moment, with a planner of its own, that is played on.
 *
 * Borrows all but the job list, the running jobs' places and the planner from the snapshot.
 */
#pragma once

#include "common/base/strbuf.h"
#include "ctld/sched/planner.h"

struct fate {
    int64_t started_ms; /* in this play; PLAN_NEVER: not */
    int64_t leaves_ms;  /* when play_leave takes it away */
};

struct play {
    struct planner *planner;
    struct plan_snapshot now; /* its jobs are `jobs` */
    struct plan_job *jobs;
    struct fate *fates; /* of each job */
    uint32_t units;     /* of one step; 0: all in one */
    bool early;         /* jobs end before their limits, differently long; else exactly then */
};

/* The planner is rebuilt from the snapshot; nothing is planned yet. */
struct play play_new(const struct plan_snapshot *snapshot);
void play_clear(struct play *play);
void play_auto_(struct play *play);

/* One step; what starts, runs. True: there is more to do. */
bool play_step(struct play *play);

/* Steps until there is no more to do. */
void play_pass(struct play *play);

/* The answer to a question about a job that is not there; what starts meanwhile, runs. */
struct plan_decision play_ask(struct play *play, const struct plan_job *job);

/* The job is gone, from the planner too when it was told of it. */
void play_remove(struct play *play, uint64_t id);

/* Leaves jobs out and builds the planner anew. */
void play_without(struct play *play, const struct plan_job *const *jobs, uint32_t n);

/* The next moment at which a job leaves; PLAN_NEVER: none runs that will. */
int64_t play_next_leave(const struct play *play);

/* Takes away what has to leave by now. */
void play_leave(struct play *play);

struct plan_job *play_job(struct play *play, uint64_t id);

/* What became of the job: "starts 0 on 0:0-3 1:0" and so on, the words of decision_words. */
void play_tell(const struct play *play, uint64_t id, struct strbuf *out);

/* Everything that the planner says about its waiting jobs. */
void play_words(const struct play *play, struct strbuf *out);

/* A decision in words: verdict, moment, length, partition, and all that is held on each node. */
void decision_words(const struct plan_decision *decision, struct strbuf *out);
void places_words(const struct plan_place *places, uint32_t n, struct strbuf *out);

/* Reason, what is lacking and who is in the way, as words. */
void reason_words(const struct plan_decision *decision, struct strbuf *out);

/* Whether the words are the same; if not, tells the first line that becomes another one. */
bool words_are_same(const struct strbuf *before, const struct strbuf *after, const char *when,
                    struct strbuf *problem);
