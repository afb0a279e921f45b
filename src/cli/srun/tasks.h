/*
 * tasks.h - what srun knows of the tasks of its step, and the lines it says about them.
 *
 * An exit may be told twice, by the node's step daemon and by the controller; the first one counts.
 * Owns its copies. Pure.
 */
#pragma once

#include "common/msg/step.h"

struct tasks;

/*
 * Returns an empty list. Its size is bounded by what the controller grants; the layout may come
 * later.
 */
struct tasks *tasks_new(void);
struct tasks *tasks_free(struct tasks *tasks);

/* Sets which tasks run where. Keeps exits that came before. */
void tasks_set_layout(struct tasks *tasks, const struct step_node *nodes, uint32_t nodes_n,
                      uint32_t ntasks);

void tasks_started(struct tasks *tasks, uint32_t task);

/* Notes a task's exit; returns true if it is news. Ignores a number that no task can have. */
bool tasks_exited(struct tasks *tasks, uint32_t task, int status);

/* Counts all tasks of that node that have not exited as ended so, without a line of their own. */
void tasks_lost(struct tasks *tasks, const char *node, int status);

/* Returns the node where the task runs; "?" while that is not known. */
const char *tasks_node(const struct tasks *tasks, uint32_t task);
bool tasks_all_exited(const struct tasks *tasks);
bool tasks_any_exited(const struct tasks *tasks);

/* True if a task was ended by TERM or KILL. */
bool tasks_any_killed(const struct tasks *tasks);

/*
 * Appends lines for exits since the last call, exits of one node with one status in one line:
 * "worker-1: tasks 0-3: Exited with exit code 3". Those that ended well go to `fine` as "worker-1:
 * task 4: Completed".
 */
void tasks_report(struct tasks *tasks, struct strbuf *failed, struct strbuf *fine);

/* Appends "StepId=5.0 tasks 0,2-3: running" and so on, a line for each state that occurs. */
void tasks_describe(const struct tasks *tasks, uint32_t job_id, uint32_t step_id,
                    struct strbuf *out);

/* Returns what srun exits with: the highest exit code, a signal counting as 128 and its number. */
int tasks_exit_code(const struct tasks *tasks);

/* Returns the exit code of one wait status, a signal counting as 128 and its number. */
int tasks_code_of(int status);
