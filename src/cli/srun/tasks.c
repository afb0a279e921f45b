#include "cli/srun/tasks.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define TASKS_MAX (1u << 22) /* numbers that may come before the layout is known */

enum state { UNKNOWN, RUNNING, EXITED };

struct task {
    uint8_t state; /* enum state */
    bool unreported;
    bool lost; /* with its node: nobody has ended it */
    int status;
    uint32_t node; /* in names */
};

struct tasks {
    struct task *at;
    uint32_t n;
    uint32_t exited_n;
    bool any_unreported;
    bool has_layout;
    char **names; /* of nodes */
    uint32_t names_n;
};

struct tasks *tasks_new(void)
{
    return xcalloc(1, sizeof(struct tasks));
}

struct tasks *tasks_free(struct tasks *tasks)
{
    if (!tasks)
        return NULL;
    for (uint32_t i = 0; i < tasks->names_n; i++)
        free(tasks->names[i]);
    free(tasks->names);
    free(tasks->at);
    free(tasks);
    return NULL;
}

/* Returns the task of that number, making room for it; NULL when there cannot be one. */
static struct task *task_get(struct tasks *tasks, uint32_t task)
{
    if (task < tasks->n)
        return &tasks->at[task];
    if (task >= TASKS_MAX || tasks->has_layout)
        return NULL;
    tasks->at = xreallocarray(tasks->at, task + 1, sizeof(*tasks->at));
    memset(&tasks->at[tasks->n], 0, (task + 1 - tasks->n) * sizeof(*tasks->at));
    tasks->n = task + 1;
    return &tasks->at[task];
}

void tasks_set_layout(struct tasks *tasks, const struct step_node *nodes, uint32_t nodes_n,
                      uint32_t ntasks)
{
    if (tasks->has_layout || ntasks == 0 || ntasks > TASKS_MAX)
        return;
    task_get(tasks, ntasks - 1);
    tasks->has_layout = true;
    for (uint32_t i = 0; i < nodes_n; i++) {
        *ARRAY_PUSH(tasks->names, tasks->names_n) = xstrdup(nodes[i].name ? nodes[i].name : "?");
        for (uint32_t k = 0; k < nodes[i].tasks_n; k++) {
            struct task *task = task_get(tasks, nodes[i].tasks[k]);

            if (task)
                task->node = i;
        }
    }
}

const char *tasks_node(const struct tasks *tasks, uint32_t task)
{
    return task < tasks->n && tasks->at[task].node < tasks->names_n
               ? tasks->names[tasks->at[task].node]
               : "?";
}

void tasks_started(struct tasks *tasks, uint32_t task)
{
    struct task *it = task_get(tasks, task);

    if (it && it->state == UNKNOWN)
        it->state = RUNNING;
}

static bool set_exited(struct tasks *tasks, struct task *task, int status, bool report)
{
    if (!task || task->state == EXITED)
        return false;
    task->state = EXITED;
    task->status = status;
    task->unreported = report;
    task->lost = !report;
    tasks->any_unreported |= report;
    tasks->exited_n++;
    return true;
}

bool tasks_exited(struct tasks *tasks, uint32_t task, int status)
{
    return set_exited(tasks, task_get(tasks, task), status, true);
}

void tasks_lost(struct tasks *tasks, const char *node, int status)
{
    for (uint32_t i = 0; i < tasks->n; i++) {
        uint32_t name = tasks->at[i].node;

        if (name < tasks->names_n && strcmp(tasks->names[name], node) == 0)
            set_exited(tasks, &tasks->at[i], status, false);
    }
}

bool tasks_all_exited(const struct tasks *tasks)
{
    return tasks->has_layout && tasks->exited_n == tasks->n;
}

bool tasks_any_exited(const struct tasks *tasks)
{
    return tasks->exited_n > 0;
}

bool tasks_any_killed(const struct tasks *tasks)
{
    for (uint32_t i = 0; i < tasks->n; i++) {
        const int status = tasks->at[i].status;

        if (tasks->at[i].state == EXITED && !tasks->at[i].lost && WIFSIGNALED(status) &&
            (WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGKILL))
            return true;
    }
    return false;
}

/* Appends "0,2-3" for the tasks for which `want` says yes; returns how many. */
static uint32_t list_tasks(const struct tasks *tasks,
                           bool want(const struct task *task, const struct task *like),
                           const struct task *like, struct strbuf *out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < tasks->n; i++) {
        uint32_t last = i;

        if (!want(&tasks->at[i], like))
            continue;
        while (last + 1 < tasks->n && want(&tasks->at[last + 1], like))
            last++;
        strbuf_addf(out, "%s%u", out->len > 0 ? "," : "", i);
        if (last > i)
            strbuf_addf(out, "-%u", last);
        count += last - i + 1;
        i = last;
    }
    return count;
}

static bool is_reported_with(const struct task *task, const struct task *like)
{
    return task->unreported && task->node == like->node && task->status == like->status;
}

static void describe_status(int status, struct strbuf *out)
{
    if (status == OUT_OF_MEMORY_STATUS)
        strbuf_adds(out, "Out Of Memory");
    else if (WIFSIGNALED(status))
        strbuf_addf(out, "%s%s", strsignal(WTERMSIG(status)),
                    WCOREDUMP(status) ? " (core dumped)" : "");
    else if (WEXITSTATUS(status) != 0)
        strbuf_addf(out, "Exited with exit code %d", WEXITSTATUS(status));
    else
        strbuf_adds(out, "Completed");
}

static void report_like(struct tasks *tasks, struct task like, struct strbuf *out)
{
    AUTO(strbuf) struct strbuf numbers = { 0 };
    uint32_t count = list_tasks(tasks, is_reported_with, &like, &numbers);

    strbuf_addf(out, "%s: task%s %s: ", like.node < tasks->names_n ? tasks->names[like.node] : "?",
                count > 1 ? "s" : "", strbuf_text(&numbers));
    describe_status(like.status, out);
    strbuf_addc(out, '\n');
    for (uint32_t i = 0; i < tasks->n; i++) {
        if (is_reported_with(&tasks->at[i], &like))
            tasks->at[i].unreported = false;
    }
}

void tasks_report(struct tasks *tasks, struct strbuf *failed, struct strbuf *fine)
{
    if (!tasks->any_unreported || !tasks->has_layout)
        return;
    for (uint32_t i = 0; i < tasks->n; i++) {
        if (tasks->at[i].unreported)
            report_like(tasks, tasks->at[i], tasks->at[i].status == 0 ? fine : failed);
    }
    tasks->any_unreported = false;
}

static bool is_in_state(const struct task *task, const struct task *like)
{
    return task->state == like->state && (task->status == 0) == (like->status == 0);
}

void tasks_describe(const struct tasks *tasks, uint32_t job_id, uint32_t step_id,
                    struct strbuf *out)
{
    static const struct {
        struct task like;
        const char *word;
    } states[] = {
        { { .state = UNKNOWN }, "not started" },
        { { .state = RUNNING }, "running" },
        { { .state = EXITED }, "exited" },
        { { .state = EXITED, .status = 1 }, "exited abnormally" },
    };

    for (size_t i = 0; i < ARRAY_N(states); i++) {
        AUTO(strbuf) struct strbuf numbers = { 0 };
        uint32_t count = list_tasks(tasks, is_in_state, &states[i].like, &numbers);

        if (count > 0)
            strbuf_addf(out, "StepId=%u.%u task%s %s: %s\n", job_id, step_id, count > 1 ? "s" : "",
                        strbuf_text(&numbers), states[i].word);
    }
}

int tasks_code_of(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int tasks_exit_code(const struct tasks *tasks)
{
    int highest = 0;

    for (uint32_t i = 0; i < tasks->n; i++) {
        int code = tasks->at[i].state == EXITED ? tasks_code_of(tasks->at[i].status) : 0;

        if (code > highest)
            highest = code;
    }
    return highest;
}
