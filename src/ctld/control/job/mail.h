/*
 * mail.h - what a job's owner asked to be told by mail (--mail-type), in Slurm's words.
 *
 * Pure: a mail is noted in the turn, and goes out with its effects. It may be lost with a
 * controller that dies at that moment.
 */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

enum job_news {
    NEWS_BEGAN,
    NEWS_ENDED, /* or failed: the job's state says which */
    NEWS_REQUEUED,
    NEWS_INVALID_DEPEND, /* it waits for what cannot come any more */
    NEWS_TIME_LIMIT,     /* reached */
    NEWS_TIME_LIMIT_50,
    NEWS_TIME_LIMIT_80,
    NEWS_TIME_LIMIT_90,
};

/* Fails for an address that begins with '-', which MailProg would take as an option. */
int mail_check_user(const struct job_spec *spec, struct err *err);

/*
 * Notes the mail, if the job's owner wants it. Of a job array, unless ARRAY_TASKS is asked for,
 * only the first begin and the last end are told.
 */
void job_mail(struct act *act, const struct job *job, enum job_news news);

/* Cluster time at which the next part of the job's time limit is to be told; INT64_MAX: none is
 * left. */
int64_t job_mail_ms(const struct job *job);

/* Tells the parts of the job's time limit that are over, once. */
void job_mail_parts(struct act *act, struct job *job);
