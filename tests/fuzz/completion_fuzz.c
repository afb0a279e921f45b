/* Lines of jobcomp/filetxt on bytes. What is a line has a job's id, what is none says why. */
#include <stdlib.h>

#include "cli/sacct/completion.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *line = xstrndup((const char *)data, size);
    AUTO(history_job) struct history_job history;
    struct err err = { 0 };

    history_job_init(&history);
    if (completion_read(line, &history, &err) < 0) {
        if (!err.text[0])
            abort();
    } else if (history.job->id == 0 || !history.job->spec) {
        abort();
    }
    return 0;
}
