#include "cli/sbcast/subject.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/lib/records.h"
#include "common/msg/job.h"
#include "common/msg/types.h"
#include "common/text/words.h"

char *bcast_parameter(const struct slurm_conf *conf, const char *name)
{
    AUTO(words) struct words words = words_split(conf->bcast_params ? conf->bcast_params : "", ",");

    for (uint32_t i = 0; i < words.n; i++) {
        const char *value;

        if (word_starts(words.at[i], name, &value) && *value == '=')
            return xstrdup(value + 1);
    }
    return NULL;
}

static int64_t nanoseconds(const struct timespec *time)
{
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

int bcast_open(const char *path, int *ret_fd, struct bcast_head *head, struct err *err)
{
    struct stat file;
    int code = 0;

    *ret_fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*ret_fd < 0 || fstat(*ret_fd, &file) < 0)
        code = errno;
    else if (!S_ISREG(file.st_mode))
        code = S_ISDIR(file.st_mode) ? EISDIR : EINVAL;
    if (code)
        return err_set(err, code, "%s", strerror(code));
    head->mode = (uint32_t)file.st_mode & 07777u;
    head->access_ns = nanoseconds(&file.st_atim);
    head->modify_ns = nanoseconds(&file.st_mtim);
    head->size = (uint64_t)file.st_size;
    return 0;
}

int bcast_find_nodes(struct command *command, const struct job_ref *job, char **ret_nodes,
                     struct err *err)
{
    AUTO(records) struct records found = { 0 };
    const bool is_step = job->step != NO_VAL;
    uint32_t id = job->job;
    const struct job_list list = { .job_ids = &id, .job_ids_n = 1 };
    int rc = records_load(command->cli.client, is_step ? MSG_STEP_LIST : MSG_JOB_LIST, &list,
                          is_step ? MSG_STEP_INFO : MSG_JOB_INFO, &found, err);

    for (uint32_t i = 0; rc == 0 && i < found.n; i++) {
        const struct step_record *step = record_at(&found, i);
        const struct job_info *info = record_at(&found, i);

        if (is_step && step->step_id == job->step && step->state != STEP_ENDED)
            xstrset(ret_nodes, step->node_list);
        else if (!is_step && info->job->id == id)
            xstrset(ret_nodes, info->job->node_list);
    }
    if (rc == 0 && !*ret_nodes)
        rc = err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    return rc;
}
