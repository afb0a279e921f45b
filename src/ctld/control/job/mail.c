#include "ctld/control/job/mail.h"

#include <errno.h>
#include <sys/wait.h>
#include <utlist.h>

#include "common/base/plain.h"
#include "common/text/duration.h"
#include "common/text/words.h"
#include "ctld/control/act/jobenv.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"

/* What asks for the mail, and what the news is called, by enum job_news. */
static const struct {
    const char *type, *words;
} news_words[] = {
    [NEWS_BEGAN] = { "BEGIN", "Began" },
    [NEWS_ENDED] = { "END", "Ended" },
    [NEWS_REQUEUED] = { "REQUEUE", "Requeued" },
    [NEWS_INVALID_DEPEND] = { "INVALID_DEPEND", "Invalid dependency" },
    [NEWS_TIME_LIMIT] = { "TIME_LIMIT", "Reached time limit" },
    [NEWS_TIME_LIMIT_50] = { "TIME_LIMIT_50", "Reached 50% of time limit" },
    [NEWS_TIME_LIMIT_80] = { "TIME_LIMIT_80", "Reached 80% of time limit" },
    [NEWS_TIME_LIMIT_90] = { "TIME_LIMIT_90", "Reached 90% of time limit" },
};

static bool wants(const struct job *job, const char *type)
{
    AUTO(words) struct words types = words_split(job->rec.spec->mail_type, ",");

    return words_have(&types, type);
}

static bool has_failed(const struct job *job)
{
    return job->rec.state != JOB_COMPLETE && job->rec.state != JOB_CANCELLED;
}

static bool as_array(const struct job *job)
{
    return job->rec.array_job_id && !wants(job, "ARRAY_TASKS");
}

/* True if the news is the array's: no other task of it has begun yet, or all have ended. */
static bool stands_for_array(const struct job *job, enum job_news news)
{
    const struct job *other;

    if (!job->array)
        return true;
    DL_FOREACH2(job->array->jobs, other, array_next)
    {
        if (other == job)
            continue;
        if (news == NEWS_BEGAN ? job_runs(&other->rec) > 0 : !job_state_is_over(other->rec.state))
            return false;
    }
    return news == NEWS_ENDED || news == NEWS_BEGAN;
}

/* ---- the subject ---- */

static int exit_code(const struct job *job)
{
    return WIFEXITED(job->rec.exit_status) ? WEXITSTATUS(job->rec.exit_status) : 0;
}

static void add_time(struct strbuf *out, const char *what, int64_t seconds)
{
    strbuf_addf(out, ", %s ", what);
    duration_format(out, seconds > 0 ? seconds : 0);
}

/* Adds ", FAILED, ExitCode 3"; a signal has no code. */
static void add_outcome(struct strbuf *out, const struct job *job)
{
    strbuf_addf(out, ", %s", job_state_name(job->rec.state, 0));
    if (!has_failed(job) || WIFEXITED(job->rec.exit_status))
        strbuf_addf(out, ", ExitCode %d", exit_code(job));
}

/* Adds ", COMPLETED, ExitCode [0-0]", of all tasks whose records are still there. */
static void add_array_outcome(struct strbuf *out, const struct job *job)
{
    const struct job *other;
    int least = exit_code(job), most = least;
    bool mixed = false;

    if (job->array) {
        DL_FOREACH2(job->array->jobs, other, array_next)
        {
            least = exit_code(other) < least ? exit_code(other) : least;
            most = exit_code(other) > most ? exit_code(other) : most;
            mixed |= other->rec.state != job->rec.state;
        }
    }
    strbuf_addf(out, ", %s, ExitCode [%d-%d]", mixed ? "Mixed" : job_state_name(job->rec.state, 0),
                least, most);
}

static void add_name(struct strbuf *out, const struct job *job)
{
    const struct job_record *rec = &job->rec;
    AUTO_FREE char *name = plain_copy(rec->spec->name); /* a line break would end the subject */

    if (!rec->array_job_id)
        strbuf_addf(out, "Slurm Job_id=%u", rec->id);
    else if (as_array(job))
        strbuf_addf(out, "Slurm Array Summary Job_id=%u_* (%u)", rec->array_job_id,
                    rec->array_job_id);
    else
        strbuf_addf(out, "Slurm Array Task Job_id=%u_%u (%u)", rec->array_job_id, rec->array_task,
                    rec->id);
    strbuf_addf(out, " Name=%s ", name ? name : "");
}

static const char *words_of(const struct job *job, enum job_news news)
{
    return news == NEWS_ENDED && has_failed(job) ? "Failed" : news_words[news].words;
}

static int64_t run_time(const struct job *job, int64_t now_s)
{
    const int64_t end = job_state_is_over(job->rec.state) ? job->rec.end_time : now_s;

    return job->rec.start_time ? end - job->rec.start_time : 0;
}

static int64_t queued_time(const struct job *job)
{
    return job->rec.start_time - job->rec.submit_time;
}

static char *make_subject(const struct job *job, int64_t now_s, enum job_news news)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    add_name(&out, job);
    strbuf_adds(&out, words_of(job, news));
    if (as_array(job)) {
        if (news == NEWS_ENDED)
            add_array_outcome(&out, job);
        return strbuf_steal(&out);
    }
    if (news == NEWS_BEGAN)
        add_time(&out, "Queued time", queued_time(job));
    else if (news != NEWS_INVALID_DEPEND)
        add_time(&out, "Run time", run_time(job, now_s));
    if (news == NEWS_ENDED)
        add_outcome(&out, job);
    return strbuf_steal(&out);
}

/* ---- the program's environment ---- */

static void add_variable(struct mail *mail, const char *name, const char *value)
{
    *ARRAY_PUSH(mail->environment, mail->environment_n) =
        xasprintf("%s=%s", name, value ? value : "(null)");
}

static void add_duration(struct mail *mail, const char *name, int64_t seconds)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    duration_format(&text, seconds > 0 ? seconds : 0);
    add_variable(mail, name, strbuf_text(&text));
}

static void add_environment(struct mail *mail, const struct model *model, const struct job *job,
                            int64_t now_s, enum job_news news)
{
    add_variable(mail, "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    jobenv_make_mail(model, job, news == NEWS_ENDED, &mail->environment, &mail->environment_n);
    add_variable(mail, "SLURM_JOB_STATE", job_state_name(job->rec.state, 0));
    add_variable(mail, "SLURM_JOB_MAIL_TYPE", words_of(job, news));
    if (!as_array(job) && news == NEWS_BEGAN)
        add_duration(mail, "SLURM_JOB_QUEUED_TIME", queued_time(job));
    else if (!as_array(job) && news != NEWS_INVALID_DEPEND)
        add_duration(mail, "SLURM_JOB_RUN_TIME", run_time(job, now_s));
    if (news == NEWS_ENDED)
        *ARRAY_PUSH(mail->environment, mail->environment_n) =
            xasprintf("SLURM_JOB_EXIT_CODE_MAX=%u", (unsigned)exit_code(job));
}

/* ---- who is told what ---- */

int mail_check_user(const struct job_spec *spec, struct err *err)
{
    if (!spec->mail_user || spec->mail_user[0] != '-')
        return 0;
    return err_set(err, EINVAL, "mail user '%s': an address does not begin with '-'",
                   spec->mail_user);
}

static bool is_to_be_told(const struct job *job, enum job_news news)
{
    const char *type = news == NEWS_ENDED && has_failed(job) ? "FAIL" : news_words[news].type;

    if (!job->rec.spec->mail_type || !wants(job, type))
        return false;
    return !as_array(job) || stands_for_array(job, news);
}

void job_mail(struct act *act, const struct job *job, enum job_news news)
{
    const char *to = job->rec.spec->mail_user ? job->rec.spec->mail_user : job->rec.user_name;
    struct mail *mail;

    if (!to || !is_to_be_told(job, news))
        return;
    mail = ARRAY_PUSH(act->turn->mails, act->turn->mails_n);
    mail_init(mail);
    mail->to = xstrdup(to);
    mail->subject = make_subject(job, act->now.wall_s, news);
    add_environment(mail, act->control->model, job, act->now.wall_s, news);
}

/* ---- parts of the time limit ---- */

static const struct {
    uint32_t percent;
    enum job_news news;
    uint32_t told;
} parts[] = {
    { 50, NEWS_TIME_LIMIT_50, JOB_FLAG_TOLD_50 },
    { 80, NEWS_TIME_LIMIT_80, JOB_FLAG_TOLD_80 },
    { 90, NEWS_TIME_LIMIT_90, JOB_FLAG_TOLD_90 },
};

static int64_t part_ms(const struct job *job, size_t part)
{
    return job->rec.start_cluster_ms + job->rec.spec->time_limit * 10 * parts[part].percent;
}

static bool is_left(const struct job *job, size_t part)
{
    return job->rec.spec->mail_type && job->rec.spec->time_limit > 0 &&
           !(job->rec.flags & parts[part].told) && wants(job, news_words[parts[part].news].type);
}

int64_t job_mail_ms(const struct job *job)
{
    for (size_t i = 0; i < ARRAY_N(parts); i++)
        if (is_left(job, i))
            return part_ms(job, i);
    return INT64_MAX;
}

void job_mail_parts(struct act *act, struct job *job)
{
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        if (!is_left(job, i) || act->now.cluster_ms < part_ms(job, i))
            continue;
        job_mail(act, job, parts[i].news);
        job->rec.flags |= parts[i].told;
        turn_note_job(act->turn, &job->rec);
    }
}
