#include "cli/srun/program.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/sbcast/bcast.h"
#include "cli/sbcast/packing.h"
#include "cli/sbcast/subject.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

bool program_is_sent(const struct submit_options *options)
{
    return options->bcast != NULL;
}

/* ---- which file ---- */

/* Finds the program in $PATH, as execvp would; a name with a '/' is a path. */
static char *find_program(const char *name)
{
    const char *path = getenv("PATH");
    AUTO(words) struct words dirs = words_split(path ? path : "/bin:/usr/bin", ":");

    if (strchr(name, '/'))
        return xstrdup(name);
    for (uint32_t i = 0; i < dirs.n; i++) {
        AUTO_FREE char *file = xasprintf("%s/%s", dirs.at[i], name);

        if (access(file, X_OK) == 0)
            return STEAL(file);
    }
    return xstrdup(name);
}

/* ---- where to ---- */

static bool ends_in_slash(const char *path)
{
    size_t n = strlen(path);

    return n > 0 && path[n - 1] == '/';
}

/*
 * Returns where the copy goes. A directory gets a name that no other step uses, and that differs
 * from node to node, for it may be the same directory on all.
 */
static char *target_path(const struct submit_options *options, const struct slurm_conf *conf,
                         uint32_t job_id, const char *work_dir, bool *ret_by_node)
{
    AUTO_FREE char *preset = bcast_parameter(conf, "DestDir");
    const char *dest = options->bcast;
    const char *dir = *dest ? dest : preset ? preset : work_dir;
    AUTO_FREE char *path = NULL;

    *ret_by_node = !*dest || ends_in_slash(dest);
    if (*ret_by_node)
        path = xasprintf("%s%sslurm_bcast_%u.%d", dir, ends_in_slash(dir) ? "" : "/", job_id,
                         (int)getpid());
    else
        path = xstrdup(dest);
    return path[0] == '/' ? STEAL(path) : xasprintf("%s/%s", work_dir, path);
}

/* ---- how ---- */

static int check_libs(const struct command *command, const struct submit_options *options)
{
    const char *asked = options->send_libs;

    if (!asked || word_is(asked, "no"))
        return 0;
    log_error(command->log, "--send-libs is not supported yet: copy the libraries by sbcast");
    return -ENOTSUP;
}

static uint32_t choose_packing(const struct command *command, const struct submit_options *options)
{
    AUTO_FREE char *preset = bcast_parameter(command->cli.conf, "Compression");
    const char *name = options->compress ? options->compress : preset ? preset : "none";
    enum bcast_packing packing = BCAST_PLAIN;

    if (!packing_parse(name, &packing))
        log_error(command->log, "Compression type '%s' unknown, disabling compression support.",
                  name);
    return packing_is_there(packing) ? packing : BCAST_PLAIN;
}

static int send_file(struct command *command, uint32_t job_id, const struct step_spec *step, int fd,
                     const struct bcast_head *head)
{
    const struct job_ref job = { .job = job_id, .array_task = NO_VAL, .step = NO_VAL };
    AUTO_FREE char *nodes = NULL;
    struct err err = { 0 };

    if (bcast_find_nodes(command, &job, &nodes, &err) < 0) {
        command_report(command, "Unable to send the program", &err);
        return command_exit_error();
    }
    const struct bcast_request request = {
        .command = command,
        .job_id = job_id,
        .nodes = nodes,
        .nodes_n = hostlist_count_names(nodes, true),
        .work_dir = step->work_dir,
        .source = { .fd = fd, .head = head, .block = BCAST_BLOCK_MAX },
    };

    return bcast_run(&request) == 0 ? 0 : command_exit_error();
}

int program_send(struct command *command, const struct submit_options *options, uint32_t job_id,
                 struct step_spec *step)
{
    AUTO_FREE char *source = find_program(step->argv[0]);
    AUTO(bcast_head) struct bcast_head head;
    struct err err = { 0 };
    int fd = -1, status = command_exit_error();

    bcast_head_init(&head);
    if (check_libs(command, options) < 0)
        return status;
    if (bcast_open(source, &fd, &head, &err) < 0) {
        log_error(command->log, "Can't open `%s`: %s", source, err.text);
        return status;
    }
    head.path = target_path(options, command->cli.conf, job_id, step->work_dir, &head.by_node);
    head.mode = (head.mode & 0777u) | 0500u;
    head.force = true;
    head.packing = choose_packing(command, options);
    status = send_file(command, job_id, step, fd, &head);
    close(fd);
    if (status != 0)
        return status;
    xstrset(&step->argv[0], head.path);
    step->program_by_node = head.by_node;
    return 0;
}
