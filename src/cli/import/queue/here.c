#include "cli/import/queue/here.h"

#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/records.h"
#include "cli/sbatch/send.h"
#include "cli/submit/environment.h"
#include "cli/submit/request.h"
#include "cli/submit/script.h"
#include "common/msg/alter.h"
#include "common/msg/types.h"
#include "common/base/file_io.h"
#include "common/proc/apart.h"
#include "common/text/words.h"

#define LOGIN_TIMEOUT_S 30
#define UMASK           022             /* Slurm does not show that of a job */
#define LIMIT_VARIABLE  "SLURM_RLIMIT_" /* a limit of the submitting shell, as sbatch keeps it */

struct login {
    uint32_t uid;
    struct strbuf environment;
};

void here_init(struct here *here)
{
    *here = (struct here){ 0 };
    command_init(&here->command, "sluice");
}

int here_open(struct here *here, struct err *err)
{
    return cli_open(&here->command.cli, RPC_ROLE_CLIENT, err);
}

void here_clear(struct here *here)
{
    for (uint32_t i = 0; i < here->logins_n; i++)
        strbuf_clear(&here->logins[i].environment);
    free(here->logins);
    command_clear(&here->command);
    *here = (struct here){ 0 };
}

/* ---- what is here ---- */

static void find_unit(struct units *units, const struct job_record *job)
{
    const char *origin = job->spec ? job->spec->origin : NULL;

    for (uint32_t i = 0; origin && i < units->n; i++) {
        struct unit *unit = &units->at[i];

        if (unit->jobs[0]->uid != job->uid || strcmp(unit->origin, origin) != 0)
            continue;
        unit->job_id = job->array_job_id ? job->array_job_id : job->id;
        unit->state = job->state == JOB_PENDING && job->spec->arriving ? UNIT_ARRIVING : UNIT_HERE;
    }
}

static int find_among(struct here *here, uint32_t type, const void *ask, uint32_t record_type,
                      struct units *units, struct err *err)
{
    AUTO(records) struct records records = { 0 };
    int rc = records_load(here->command.cli.client, type, ask, record_type, &records, err);

    for (uint32_t i = 0; rc == 0 && i < records.n; i++) {
        const void *record = record_at(&records, i);

        find_unit(units, record_type == MSG_JOB_INFO ? ((const struct job_info *)record)->job
                                                     : ((const struct history_job *)record)->job);
    }
    return rc;
}

int here_find(struct here *here, struct units *units, struct err *err)
{
    AUTO(history_list) struct history_list past;
    AUTO(job_list) struct job_list now;
    int rc;

    history_list_init(&past);
    job_list_init(&now);
    past.from = units->saved->head.saved;
    rc = find_among(here, MSG_HISTORY_LIST, &past, MSG_HISTORY_JOB, units, err);
    return rc < 0 ? rc : find_among(here, MSG_JOB_LIST, &now, MSG_JOB_INFO, units, err);
}

/* ---- in the name of a user ---- */

/* What a process that becomes a user is to do, and what it answers. */
struct errand {
    const struct here *here;
    const struct unit *unit;
    const struct strbuf *login;
    bool test_only;
};

struct answer {
    int32_t rc;
    uint32_t job_id;
    char text[ERR_TEXT_MAX];
};

static int become(const struct queue_job *job, struct err *err)
{
    if (initgroups(job->user_name, job->gid) < 0 || setresgid(job->gid, job->gid, job->gid) < 0 ||
        setresuid(job->uid, job->uid, job->uid) < 0)
        return err_set(err, errno, "cannot become user %s, gid %u: %s", job->user_name, job->gid,
                       strerror(errno));
    if (job->uid != 0 && setresuid(0, 0, 0) == 0)
        return err_set(err, EPERM, "user %s could become root again", job->user_name);
    return chdir("/") < 0 ? err_set(err, errno, "/: %s", strerror(errno)) : 0;
}

static void copy_environment(const char *bytes, size_t n, struct environment *ret)
{
    for (size_t at = 0; at < n;) {
        AUTO_FREE char *text = xstrndup(bytes + at, n - at);
        char *equals = strchr(text, '=');

        at += strlen(text) + 1;
        if (!equals)
            continue;
        *equals = '\0';
        environment_set(ret, text, "%s", equals + 1);
    }
}

static void leave_limits(const struct environment *had, struct environment *environment)
{
    for (uint32_t i = 0; i < had->n; i++) {
        AUTO_FREE char *name = xstrndup(had->at[i], strcspn(had->at[i], "="));

        if (word_starts(name, LIMIT_VARIABLE, NULL))
            environment_unset(environment, name);
    }
}

/* Makes the job's variables of those that it had, or of a login, and of what it asks for. Root's
 * are never among them. */
static int make_environment(const struct errand *errand, const struct submit_options *options,
                            struct strbuf *out, struct err *err)
{
    static const char *const of_submission[] = { "SLURM_SUBMIT_DIR", "SLURM_SUBMIT_HOST",
                                                 "SLURM_PRIO_PROCESS", "SLURM_UMASK" };
    const struct blob *kept = &errand->unit->jobs[0]->environment;
    AUTO(environment) struct environment had = { 0 };
    AUTO(environment) struct environment environment = { 0 };

    if (kept->n)
        copy_environment((const char *)kept->data, kept->n, &had);
    else if (errand->login->len)
        copy_environment(errand->login->data, errand->login->len, &had);
    environment_add_missing(&environment, &had);
    environment_leave_job(&environment);
    environment_unset(&environment, "SLURM_CONF"); /* it may name the other cluster's */
    leave_limits(&had, &environment);
    environment_describe(&environment, options);
    submit_environment(&environment, options, errand->here->command.cli.conf);
    if (errand->unit->wish.begin_host)
        environment_set(&environment, "SLURM_SUBMIT_HOST", "%s", errand->unit->wish.begin_host);
    for (size_t i = 0; i < ARRAY_N(of_submission); i++) {
        const char *value = environment_get(&had, of_submission[i]);

        if (value)
            environment_set(&environment, of_submission[i], "%s", value);
    }
    return environment_encode(&environment, out, err);
}

/* Takes over the umask and the limits of the submitting shell, which Slurm keeps as variables. */
static void take_shell(const struct unit *unit, struct job_body *body)
{
    const struct blob *kept = &unit->jobs[0]->environment;
    AUTO(environment) struct environment had = { 0 };
    const char *text, *rest;
    uint64_t soft;

    copy_environment((const char *)kept->data, kept->n, &had);
    text = environment_get(&had, "SLURM_UMASK");
    body->umask = text ? (uint32_t)(strtoul(text, NULL, 8) & 0777) : UMASK;
    for (uint32_t i = 0; i < had.n; i++) {
        AUTO_FREE char *name = NULL;
        int resource;

        if (!word_starts(had.at[i], LIMIT_VARIABLE, &rest))
            continue;
        name = xstrndup(rest, strcspn(rest, "="));
        resource = submit_limit_resource(name);
        text = strchr(had.at[i], '=') + 1;
        if (resource >= 0 && number_parse(text, 0, UINT64_MAX, &soft, NULL) == 0)
            *ARRAY_PUSH(body->limits, body->limits_n) =
                (struct rlimit_spec){ (uint32_t)resource, soft };
    }
}

static void fill_job(const struct unit *unit, struct submit_options *options)
{
    struct job_spec *job = &options->job;

    job->hold = job->arriving = true;
    xstrset(&job->origin, unit->origin);
    free(job->token);
    job->token = xasprintf("import %s", unit->origin);
    xstrset(&job->array, unit->tasks);
    xstrset(&job->dependency, unit->dependency);
    xstrset(&job->submit_host, unit->wish.begin_host);
    take_shell(unit, &options->body);
    if (!options->body.work_dir)
        options->body.work_dir = xstrdup("/");
}

static int send(const struct errand *errand, struct command *command,
                struct submit_options *options, struct job_submitted *done, struct err *err)
{
    const struct blob *script = &errand->unit->jobs[0]->script;
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(strbuf) struct strbuf environment = { 0 };
    struct job_submit request;
    int rc;

    strbuf_add(&text, script->data, script->n);
    rc = script_check(strbuf_text(&text), text.len, err);
    if (rc == 0)
        rc = make_environment(errand, options, &environment, err);
    if (rc < 0)
        return rc;
    job_submit_init(&request);
    request.spec = &options->job;
    request.body = &options->body;
    request.test_only = errand->test_only;
    return sbatch_send(command, &text, &environment, &request, done, err);
}

static int submit_as_user(const struct errand *errand, uint32_t *ret_job_id, struct err *err)
{
    const struct queue_job *job = errand->unit->jobs[0];
    AUTO(submit_options) struct submit_options options;
    AUTO(command) struct command command;
    struct clock clock = clock_from_env();
    struct job_submitted done;
    int rc = become(job, err);

    submit_options_init(&options, SUBMIT_SBATCH);
    command_init(&command, "sluice");
    job_submitted_init(&done);
    if (rc == 0)
        rc = wish_options(&errand->unit->wish, job, clock_wall_s(&clock), &options, err);
    if (rc == 0)
        rc = cli_load(&command.cli, err);
    if (rc == 0) {
        fill_job(errand->unit, &options);
        rc = send(errand, &command, &options, &done, err);
    }
    if (rc == 0)
        *ret_job_id = done.job_id;
    job_submitted_clear(&done);
    return rc;
}

static void do_submit(const void *arg, int fd)
{
    struct answer answer = { 0 };
    struct err err = { 0 };

    answer.rc = submit_as_user(arg, &answer.job_id, &err);
    memcpy(answer.text, err.text, sizeof(answer.text));
    (void)write_all(fd, &answer, sizeof(answer));
}

static void do_login(const void *arg, int fd)
{
    const struct queue_job *job = arg;
    AUTO(environment) struct environment login = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };

    if (become(job, &err) < 0)
        return;
    if (environment_login(&login, LOGIN_TIMEOUT_S, &err) < 0)
        fprintf(stderr, "sluice: %s: %s; jobs get HOME, USER and PATH only\n", job->user_name,
                err.text);
    if (environment_encode(&login, &text, NULL) == 0)
        (void)write_all(fd, text.data, text.len);
}

/* Returns what a login shell of the job's owner has, which is asked once. */
static int login_of(struct here *here, const struct queue_job *job, const struct strbuf **ret,
                    struct err *err)
{
    struct login *login;
    int rc;

    for (uint32_t i = 0; i < here->logins_n; i++) {
        *ret = &here->logins[i].environment;
        if (here->logins[i].uid == job->uid)
            return 0;
    }
    login = ARRAY_PUSH(here->logins, here->logins_n);
    *login = (struct login){ .uid = job->uid };
    *ret = &login->environment;
    rc = proc_apart(do_login, job, (LOGIN_TIMEOUT_S + 5) * 1000, &login->environment, err);
    return rc;
}

/* Refuses a uid that is somebody else here than it was there. */
static int check_user(const struct queue_job *job, struct err *err)
{
    const struct passwd *user = getpwuid(job->uid);

    if (!user)
        return err_set(err, E_USER_ID, "uid %u, %s there, has no name here", job->uid,
                       job->user_name);
    if (strcmp(user->pw_name, job->user_name) != 0)
        return err_set(err, E_USER_ID, "uid %u was %s there and is %s here", job->uid,
                       job->user_name, user->pw_name);
    return 0;
}

static int run_errand(struct here *here, const struct unit *unit, bool test_only,
                      uint32_t *ret_job_id, struct err *err)
{
    static const struct strbuf none = { 0 };
    struct errand errand = { here, unit, &none, test_only };
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct answer answer;
    int rc = check_user(unit->jobs[0], err);

    if (rc == 0 && !unit->jobs[0]->environment.n && !test_only)
        rc = login_of(here, unit->jobs[0], &errand.login, err);
    if (rc == 0)
        rc = proc_apart(do_submit, &errand, -1, &bytes, err);
    if (rc < 0)
        return rc;
    if (bytes.len != sizeof(answer))
        return err_set(err, EIO, "the process that submits it was killed");
    memcpy(&answer, bytes.data, sizeof(answer));
    answer.text[sizeof(answer.text) - 1] = '\0';
    if (answer.rc < 0)
        return err_set(err, -answer.rc, "%s", answer.text);
    *ret_job_id = answer.job_id;
    return 0;
}

int here_try(struct here *here, const struct unit *unit, struct err *err)
{
    uint32_t ignored;

    return run_errand(here, unit, true, &ignored, err);
}

int here_submit(struct here *here, struct unit *unit, struct err *err)
{
    int rc = run_errand(here, unit, false, &unit->job_id, err);

    if (rc == 0)
        unit->state = UNIT_ARRIVING;
    return rc;
}

/* ---- as root ---- */

static int alter(struct here *here, const struct job_update *request, struct err *err)
{
    AUTO(job_altered) struct job_altered altered;
    int rc;

    job_altered_init(&altered);
    rc = client_call(here->command.cli.client, MSG_JOB_UPDATE, request, MSG_JOB_ALTERED, &altered,
                     err);
    if (rc == 0 && altered.refused_n)
        rc = err_set(err, err_code_from(altered.refused[0].code), "%s",
                     altered.refused[0].text ? altered.refused[0].text : "it was refused");
    return rc;
}

static void set(struct job_update *request, uint32_t tag)
{
    *ARRAY_PUSH(request->set, request->set_n) = tag;
}

int here_finish(struct here *here, struct unit *unit, struct err *err)
{
    const struct queue_job *job = unit->jobs[0];
    AUTO(job_update) struct job_update request;
    int rc;

    job_update_init(&request);
    request.job_id = unit->job_id;
    request.spec = xmalloc(sizeof(*request.spec));
    job_spec_init(request.spec);
    set(&request, SPEC_TAG_arriving);
    if (job->nice) {
        request.spec->nice = job->nice;
        set(&request, SPEC_TAG_nice);
    }
    if (unit->wish.admin_comment) {
        request.spec->admin_comment = xstrdup(unit->wish.admin_comment);
        set(&request, SPEC_TAG_admin_comment);
    }
    request.hold = HOLD_RELEASE;
    if (job->hold == QUEUE_HOLD_ADMIN)
        request.hold = HOLD;
    else if (job->hold == QUEUE_HOLD_USER || unit->dependency_lacks)
        request.hold = HOLD_AS_USER;
    rc = alter(here, &request, err);
    if (rc == 0)
        unit->state = UNIT_HERE;
    return rc;
}

int here_cancel(struct here *here, const struct unit *unit, struct err *err)
{
    const struct job_signal request = { .job_id = unit->job_id,
                                        .step_id = COUNT_UNSET,
                                        .flags = SIGNAL_CANCEL };

    return client_call(here->command.cli.client, MSG_JOB_SIGNAL, &request, MSG_OK, NULL, err);
}
