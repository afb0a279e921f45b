#include "unit/ctld/sched/proof/story.h"

struct sim_job *story_job(struct sim *sim, const char *name, size_t n)
{
    for (uint32_t i = 0; i < sim->jobs_n; i++) {
        struct sim_job *job = &sim->jobs[i];

        if (!job->gone && strlen(job->name) == n && memcmp(job->name, name, n) == 0)
            return job;
    }
    return NULL;
}

/* Time passes before the planner looks: what ends then can be told first. */
static void tell_clock(struct sim *sim, const char *rest)
{
    const long long now_ms = strtoll(rest, NULL, 10);

    if (now_ms > sim->snapshot.now_ms)
        sim->snapshot.now_ms = now_ms;
}

static bool tell_step(struct sim *sim, const char *rest)
{
    const char *units;

    tell_clock(sim, rest);
    units = strstr(rest, "step ");
    return !sim_step(sim, units ? (uint32_t)strtoul(units + 5, NULL, 10) : UINT32_MAX);
}

static void tell_node(struct sim *sim, const char *rest)
{
    char *word;
    const unsigned long node = strtoul(rest, &word, 10);

    if (node >= sim->snapshot.nodes_n)
        return;
    if (*word == ':' && !sim->ready)
        sim_node(sim, rest);
    else if (*word == ' ')
        sim_set_usable(sim, (uint32_t)node, strcmp(word + 1, "up") == 0);
}

static void tell_partition(struct sim *sim, const char *rest)
{
    AUTO_FREE char *name = xstrndup(rest, strcspn(rest, ": "));
    const char *word = rest + strlen(name);

    if (*word == ':' && !sim->ready)
        sim_partition(sim, rest);
    else if (*word == ' ')
        sim_set_partition(sim, name, strcmp(word + 1, "up") == 0);
}

static void tell_switch(struct sim *sim, const char *rest)
{
    if (!sim->ready && sim->snapshot.switches_n < ARRAY_N(sim->switches))
        sim_switch(sim, rest);
}

static void tell_pool(struct sim *sim, const char *rest)
{
    if (!sim->ready && sim->snapshot.pools_n < SIM_POOLS)
        sim_pool(sim, rest);
}

static void tell_resize(struct sim *sim, const char *rest)
{
    char *word;
    const unsigned long pool = strtoul(rest, &word, 10);

    if (pool < sim->snapshot.pools_n)
        sim_resize(sim, (uint32_t)pool, strtoull(word, NULL, 10));
}

static void tell_reservation(struct sim *sim, const char *rest)
{
    if (sim->snapshot.reservations_n < ARRAY_N(sim->reservations))
        sim_reservation(sim, rest);
}

static void tell_limit(struct sim *sim, struct sim_job *job, long long seconds)
{
    if (!job->ask.runs)
        return;
    job->ask.end_ms = sim->snapshot.now_ms + seconds * 1000;
    sim->taken = true;
    sim_apply(sim, (struct plan_change){
                       .kind = PLAN_JOB_END, .id = job->ask.id, .end_ms = job->ask.end_ms });
}

static void tell_priority(struct sim *sim, struct sim_job *job, long long priority)
{
    const struct plan_priority one = { .id = job->ask.id, .priority = (uint64_t)priority };

    if (job->ask.runs)
        return;
    job->ask.priority = one.priority;
    sim->taken = true;
    sim_apply(sim, (struct plan_change){
                       .kind = PLAN_PRIORITIES, .priorities = &one, .priorities_n = 1 });
}

/* "VERB NAME" or "VERB NAME NUMBER" */
static void tell_about_job(struct sim *sim, const char *line)
{
    const char *name = line + strcspn(line, " ") + (strchr(line, ' ') != NULL);
    const size_t n = strcspn(name, " ");
    const long long number = strtoll(name + n, NULL, 10);
    struct sim_job *job = story_job(sim, name, n);

    if (!job)
        return;
    if (strncmp(line, "end ", 4) == 0)
        sim_end(sim, job->name);
    else if (strncmp(line, "release ", 8) == 0)
        sim_release(sim, job->name, (uint32_t)number);
    else if (strncmp(line, "limit ", 6) == 0)
        tell_limit(sim, job, number);
    else if (strncmp(line, "priority ", 9) == 0)
        tell_priority(sim, job, number);
}

bool story_is_step(const char *line)
{
    return strncmp(line, "now ", 4) == 0;
}

bool story_tell(struct sim **sim, const char *line)
{
    if (!*sim) {
        if (strncmp(line, "nodes=", 6) == 0)
            *sim = sim_new(line);
        return false;
    }
    if (story_is_step(line))
        return tell_step(*sim, line + 4);
    if (strncmp(line, "clock ", 6) == 0)
        tell_clock(*sim, line + 6);
    else if (strncmp(line, "node ", 5) == 0)
        tell_node(*sim, line + 5);
    else if (strncmp(line, "partition ", 10) == 0)
        tell_partition(*sim, line + 10);
    else if (strncmp(line, "switch ", 7) == 0)
        tell_switch(*sim, line + 7);
    else if (strncmp(line, "pool ", 5) == 0)
        tell_pool(*sim, line + 5);
    else if (strncmp(line, "resize ", 7) == 0)
        tell_resize(*sim, line + 7);
    else if (strncmp(line, "reservation ", 12) == 0)
        tell_reservation(*sim, line + 12);
    else if (strncmp(line, "job ", 4) == 0)
        sim_job(*sim, line + 4);
    else
        tell_about_job(*sim, line);
    return false;
}
