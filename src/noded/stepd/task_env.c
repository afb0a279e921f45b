#include "noded/stepd/task_env.h"

#include <stdarg.h>
#include <string.h>
#include <sys/types.h>

/* Returns where the setting of the name that `string` begins with is, or NULL. */
static char **find(const struct task_env *env, const char *string, size_t name_n)
{
    for (uint32_t i = 0; i < env->strings_n; i++) {
        if (strncmp(env->strings[i], string, name_n) == 0 && env->strings[i][name_n] == '=')
            return &env->strings[i];
    }
    return NULL;
}

void task_env_add(struct task_env *env, const char *string)
{
    size_t name_n = strcspn(string, "=");
    char **there;

    if (name_n == 0 || string[name_n] != '=')
        return;
    there = find(env, string, name_n);
    if (there)
        xstrset(there, string);
    else
        *ARRAY_PUSH(env->strings, env->strings_n) = xstrdup(string);
}

void task_env_add_blob(struct task_env *env, const void *blob, size_t n)
{
    const char *at = blob, *end = at + n;

    while (at < end) {
        size_t length = strnlen(at, (size_t)(end - at));
        AUTO_FREE char *string = xstrndup(at, length);

        task_env_add(env, string);
        at += length + 1;
    }
}

void task_env_set(struct task_env *env, const char *name, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf string = { 0 };
    va_list args;

    strbuf_addf(&string, "%s=", name);
    va_start(args, fmt);
    strbuf_vaddf(&string, fmt, args);
    va_end(args);
    task_env_add(env, strbuf_text(&string));
}

void task_env_unset(struct task_env *env, const char *name)
{
    char **there = find(env, name, strlen(name));

    if (!there)
        return;
    free(*there);
    *there = env->strings[--env->strings_n];
}

char *task_env_get(const struct task_env *env, const char *name)
{
    char **there = find(env, name, strlen(name));

    return there ? *there + strlen(name) + 1 : NULL;
}

void task_env_copy(struct task_env *to, const struct task_env *from)
{
    *to = (struct task_env){ 0 };
    for (uint32_t i = 0; i < from->strings_n; i++)
        *ARRAY_PUSH(to->strings, to->strings_n) = xstrdup(from->strings[i]);
}

void task_env_clear(struct task_env *env)
{
    for (uint32_t i = 0; i < env->strings_n; i++)
        free(env->strings[i]);
    free(env->strings);
    *env = (struct task_env){ 0 };
}

void task_env_auto_(struct task_env *env)
{
    task_env_clear(env);
}

char **task_env_array(const struct task_env *env)
{
    char **array = xcalloc((size_t)env->strings_n + 1, sizeof(*array));

    for (uint32_t i = 0; i < env->strings_n; i++)
        array[i] = env->strings[i];
    return array;
}

static void add_variable(void *env, const char *name, const char *value)
{
    task_env_set(env, name, "%s", value);
}

void task_env_make(struct task_env *env, unsigned in, const struct job_env_facts *facts)
{
    job_env_make(in, facts, add_variable, env);
}

void task_env_set_node(struct task_env *env, const struct task_env_node *node)
{
    const struct step_node *here = &node->body->nodes[node->node_index];
    const bool is_batch = node->body->step_id == STEP_BATCH;
    const struct job_env_task task = { .node = here, .node_index = node->node_index };
    AUTO_FREE char *port = xasprintf("%u", node->launcher_port);
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    facts.task = &task;
    facts.node = here->name;
    facts.launcher_host = node->launcher_host;
    facts.launcher_port = node->launcher_host ? port : NULL;
    if (is_batch)
        facts.batch = here->name;
    else /* the controller told the script */
        facts.cpus_on_node = here->cpus_n ? here->cpus_n : 1;
    if (!task_env_get(env, "SLURM_CONF"))
        facts.conf_path = node->conf_path;
    task_env_make(env, JOB_ENV_NODE, &facts);
    if (!task_env_get(env, "TMPDIR"))
        task_env_set(env, "TMPDIR", "/tmp");
}

void task_env_set_task(struct task_env *env, const struct task_env_node *node, uint32_t local,
                       pid_t pid)
{
    const struct job_env_task task = { .node = &node->body->nodes[node->node_index],
                                       .node_index = node->node_index,
                                       .local = local,
                                       .pid = pid };
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    facts.task = &task;
    task_env_make(env, JOB_ENV_TASK, &facts);
}
