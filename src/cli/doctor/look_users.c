/* look_users.c - whether hosts agree about the users who have jobs: numbers, groups, homes. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"
#include "cli/doctor/reach.h"
#include "common/msg/job.h"
#include "common/msg/types.h"

#define HOME_PATIENCE_MS 5000

/* ---- who they are ---- */

static bool is_new(const struct doctor *doctor, uint32_t uid)
{
    for (uint32_t i = 0; i < doctor->users_n; i++)
        if (doctor->users[i].uid == uid)
            return false;
    return doctor->users_n < USER_MAPS_MAX;
}

static void add_job_user(struct doctor *doctor, const struct job_record *job)
{
    if (!job || !job->user_name || !is_new(doctor, job->uid))
        return;
    *ARRAY_PUSH(doctor->users, doctor->users_n) =
        (struct job_user){ .uid = job->uid,
                           .gid = job->gid,
                           .name = xstrdup(job->user_name),
                           .group_name = xstrdup(job->group_name),
                           .home = xstrdup(job->home),
                           .what = "has jobs",
                           .has_jobs = true };
}

/* Adds SlurmUser, by whose name nodes know who may be their controller. Only the controller's host
   knows the number. */
static void add_slurm_user(struct doctor *doctor)
{
    const struct passwd *entry = getpwnam(doctor->conf->slurm_user);
    const struct group *group = entry ? getgrgid(entry->pw_gid) : NULL;

    if (!doctor->is_controller || !entry || entry->pw_uid == 0 || !is_new(doctor, entry->pw_uid))
        return;
    *ARRAY_PUSH(doctor->users, doctor->users_n) =
        (struct job_user){ .uid = entry->pw_uid,
                           .gid = entry->pw_gid,
                           .name = xstrdup(doctor->conf->slurm_user),
                           .group_name = group ? xstrdup(group->gr_name) : NULL,
                           .what = "is SlurmUser" };
}

void load_users(struct doctor *doctor)
{
    static const uint32_t states[] = { JOB_PENDING, JOB_RUNNING, JOB_SUSPENDED };
    AUTO(records) struct records jobs = { .schema = job_info_schema() };
    AUTO(job_list) struct job_list list;

    job_list_init(&list);
    for (size_t i = 0; i < ARRAY_N(states); i++)
        *ARRAY_PUSH(list.states, list.states_n) = states[i];
    add_slurm_user(doctor);
    if (records_load(doctor->cli->client, MSG_JOB_LIST, &list, MSG_JOB_INFO, &jobs, NULL) < 0)
        return;
    for (uint32_t i = 0; i < jobs.n; i++)
        add_job_user(doctor, ((const struct job_info *)record_at(&jobs, i))->job);
}

/* ---- whether a host knows them ---- */

/* A host's name service and what it said. */
struct view {
    struct doctor *doctor;
    const char *node; /* NULL: this host */
    const struct job_user *user;
    const struct user_map *map;
};

/*
 * Tells that the host does not know the user; the number may be somebody else's there, and then
 * nobody can have it.
 */
static void find_missing(const struct view *view, const char *place)
{
    const struct job_user *user = view->user;
    AUTO_FREE char *on = mend_place(view->doctor, view->node);
    const char *other = view->map->uid_name;

    doctor_find(view->doctor,
                other ? xasprintf("%suid %u is %s's: let all hosts ask one directory service, or "
                                  "give %s another number first: usermod -u NUMBER %s; useradd -u "
                                  "%u %s",
                                  on, user->uid, other, other, other, user->uid, user->name)
                      : xasprintf("%suseradd -u %u %s, or let both hosts ask one directory service",
                                  on, user->uid, user->name),
                "user %s (uid %u) %s, and %s has no such user", user->name, user->uid, user->what,
                place);
}

static void check_uid(const struct view *view, const char *place)
{
    const struct job_user *user = view->user;
    const char *there = view->node ? view->node : "here";
    AUTO_FREE char *on = mend_place(view->doctor, view->node);

    if (view->map->name_uid == COUNT_UNSET)
        find_missing(view, place);
    else if (view->map->name_uid != user->uid)
        doctor_find(view->doctor,
                    xasprintf("%susermod -u %u %s, and chown what is theirs there", on, user->uid,
                              user->name),
                    "user %s is uid %u to the controller and %u %s%s", user->name, user->uid,
                    view->map->name_uid, view->node ? "on " : "", there);
    else if (view->map->uid_name && strcmp(view->map->uid_name, user->name) != 0)
        doctor_find(view->doctor,
                    xasprintf("%susermod -u NUMBER %s: two names have uid %u", on,
                              view->map->uid_name, user->uid),
                    "uid %u is %s to the controller and %s %s%s", user->uid, user->name,
                    view->map->uid_name, view->node ? "on " : "", there);
}

static void check_gid(const struct view *view, const char *place)
{
    const struct job_user *user = view->user;
    const char *name = view->map->gid_name;
    AUTO_FREE char *on = mend_place(view->doctor, view->node);

    if (!user->group_name || (name && strcmp(name, user->group_name) == 0))
        return;
    if (name)
        doctor_find(view->doctor,
                    xasprintf("%sgroupmod -g NUMBER %s; groupmod -g %u %s", on, name, user->gid,
                              user->group_name),
                    "gid %u of user %s is group %s to the controller and %s to %s", user->gid,
                    user->name, user->group_name, name, place);
    else
        doctor_find(view->doctor,
                    xasprintf("%sgroupadd -g %u %s, or, if the group is there by another number: "
                              "groupmod -g %u %s",
                              on, user->gid, user->group_name, user->gid, user->group_name),
                    "gid %u of user %s is group %s to the controller, and %s has no such group",
                    user->gid, user->name, user->group_name, place);
}

/* Checks the first group, with which a user's files are made. */
static void check_first_group(const struct view *view, const char *place)
{
    const struct passwd *here = getpwnam(view->user->name);
    AUTO_FREE char *on = mend_place(view->doctor, view->node);

    if (view->doctor->is_controller && view->node && here && view->map->name_gid != COUNT_UNSET &&
        view->map->name_gid != here->pw_gid)
        doctor_find(view->doctor,
                    xasprintf("%susermod -g %u %s", on, (unsigned)here->pw_gid, view->user->name),
                    "the first group of user %s is gid %u here and %u to %s", view->user->name,
                    (unsigned)here->pw_gid, view->map->name_gid, place);
}

static void check_user(const struct view *view)
{
    AUTO_FREE char *place = view->node ? xasprintf("node %s", view->node) : xstrdup("this host");

    if (view->map->trouble) {
        AUTO_FREE char *on = mend_place(view->doctor, view->node);

        doctor_find(view->doctor, xasprintf("%stime getent passwd %s", on, view->user->name),
                    "%s could not look up user %s: %s", place, view->user->name,
                    view->map->trouble);
        return;
    }
    check_uid(view, place);
    check_gid(view, place);
    check_first_group(view, place);
}

static void check_here(struct doctor *doctor, const struct job_user *user)
{
    AUTO(user_map) struct user_map map;
    const struct view view = { doctor, NULL, user, &map };
    const struct passwd *entry;
    const struct group *group;

    user_map_init(&map);
    entry = getpwuid(user->uid);
    map.uid_name = entry ? xstrdup(entry->pw_name) : NULL;
    entry = getpwnam(user->name);
    map.name_uid = entry ? entry->pw_uid : COUNT_UNSET;
    map.name_gid = entry ? entry->pw_gid : COUNT_UNSET;
    group = getgrgid(user->gid);
    map.gid_name = group ? xstrdup(group->gr_name) : NULL;
    check_user(&view);
}

static void check_there(struct doctor *doctor, const struct sight *sight)
{
    for (uint32_t i = 0; i < sight->info.users_n && i < doctor->users_n; i++)
        check_user(&(struct view){ doctor, sight->node, &doctor->users[i], &sight->info.users[i] });
}

/* Compares the hosts; those of a cluster of `sluice up` are all one host. */
void look_at_users(struct doctor *doctor)
{
    uint32_t told = 0;

    for (uint32_t i = 0; i < doctor->users_n; i++)
        check_here(doctor, &doctor->users[i]);
    for (uint32_t i = 0; doctor->users_n && !doctor->is_up && i < doctor->sights_n; i++) {
        const struct sight *sight = &doctor->sights[i];
        const bool mine = doctor->node && strcmp(sight->node, doctor->node->name) == 0;

        told += mine || sight->info.users_n == doctor->asked_n;
        if (!mine)
            check_there(doctor, sight);
    }
    if (!doctor->users_n)
        doctor_skip(doctor, "nobody has jobs");
    else if (!doctor->is_up && told < doctor->sights_n)
        doctor_skip(doctor, "%u of %u nodes did not tell%s", doctor->sights_n - told,
                    doctor->sights_n, doctor->is_root ? "" : ": only root is told");
}

/* ---- homes ---- */

/* Returns false when no more homes are to be looked at: others may lie on the same server. */
static bool check_home(struct doctor *doctor, const struct job_user *user)
{
    const char *home = user->home;
    const struct passwd *entry = home ? NULL : getpwnam(user->name);
    int rc;

    if (entry)
        home = entry->pw_dir;
    rc = home ? reach(home, reach_stat, HOME_PATIENCE_MS) : 0;
    if (rc == -ETIMEDOUT)
        doctor_find(doctor,
                    xasprintf("is its file server up, and reached from here? findmnt -T %s "
                              "names it",
                              home),
                    "home %s of %s, who has jobs, does not answer within %d s", home, user->name,
                    HOME_PATIENCE_MS / 1000);
    else if (rc < 0)
        doctor_find(
            doctor, xasprintf("mount it here as on the controller: findmnt -T %s tells how", home),
            "home %s of %s, who has jobs, cannot be reached: %s", home, user->name, strerror(-rc));
    return rc != -ETIMEDOUT;
}

void look_at_homes(struct doctor *doctor)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < doctor->users_n; i++) {
        if (!doctor->users[i].has_jobs)
            continue;
        n++;
        if (!check_home(doctor, &doctor->users[i])) {
            doctor_skip(doctor, "a file server hangs");
            return;
        }
    }
    if (!n)
        doctor_skip(doctor, "nobody has jobs");
}
