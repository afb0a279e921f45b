/* look_users.c - whether this node knows the users who have jobs, and their homes, as the
 * controller does. */
#include <errno.h>
#include <pwd.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/reach.h"
#include "common/msg/job.h"
#include "common/msg/types.h"

#define USERS_MAX        256 /* that are looked at */
#define HOME_PATIENCE_MS 5000

static void check_user(struct doctor *doctor, const struct job_record *job)
{
    const struct passwd *entry = getpwnam(job->user_name);

    if (!entry)
        doctor_find(doctor,
                    xasprintf("useradd -u %u %s, or let both hosts ask one directory service",
                              job->uid, job->user_name),
                    "user %s (uid %u) has jobs, and this host has no such user", job->user_name,
                    job->uid);
    else if (entry->pw_uid != job->uid)
        doctor_find(
            doctor,
            xasprintf("usermod -u %u %s, and chown what is theirs here", job->uid, job->user_name),
            "user %s is uid %u to the controller and %u here", job->user_name, job->uid,
            (unsigned)entry->pw_uid);
}

/* Returns false when no more homes are to be looked at: others may lie on the same server. */
static bool check_home(struct doctor *doctor, const struct job_record *job)
{
    const char *home = job->home;
    const struct passwd *entry = home ? NULL : getpwnam(job->user_name);
    int rc;

    if (entry)
        home = entry->pw_dir;
    rc = home ? reach(home, reach_stat, HOME_PATIENCE_MS) : 0;
    if (rc == -ETIMEDOUT)
        doctor_find(doctor,
                    xasprintf("is its file server up, and reached from here? findmnt -T %s "
                              "names it",
                              home),
                    "home %s of %s, who has jobs, does not answer within %d s", home,
                    job->user_name, HOME_PATIENCE_MS / 1000);
    else if (rc < 0)
        doctor_find(doctor,
                    xasprintf("mount it here as on the controller: findmnt -T %s tells how", home),
                    "home %s of %s, who has jobs, cannot be reached: %s", home, job->user_name,
                    strerror(-rc));
    return rc != -ETIMEDOUT;
}

static bool is_new(uint32_t *seen, uint32_t *seen_n, uint32_t uid)
{
    for (uint32_t i = 0; i < *seen_n; i++)
        if (seen[i] == uid)
            return false;
    if (*seen_n == USERS_MAX)
        return false;
    seen[(*seen_n)++] = uid;
    return true;
}

void look_at_users(struct doctor *doctor)
{
    static const uint32_t states[] = { JOB_PENDING, JOB_RUNNING, JOB_SUSPENDED };
    AUTO(records) struct records jobs = { .schema = job_info_schema() };
    AUTO(job_list) struct job_list list;
    uint32_t seen[USERS_MAX], seen_n = 0;
    bool homes_answer = true;

    job_list_init(&list);
    if (!doctor->node || doctor->is_controller)
        return;
    for (size_t i = 0; i < ARRAY_N(states); i++)
        *ARRAY_PUSH(list.states, list.states_n) = states[i];
    if (records_load(doctor->cli->client, MSG_JOB_LIST, &list, MSG_JOB_INFO, &jobs, NULL) < 0)
        return;
    for (uint32_t i = 0; i < jobs.n; i++) {
        const struct job_record *job = ((const struct job_info *)record_at(&jobs, i))->job;

        if (!job || !job->user_name || !is_new(seen, &seen_n, job->uid))
            continue;
        check_user(doctor, job);
        homes_answer = homes_answer && check_home(doctor, job);
    }
}
