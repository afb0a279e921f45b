#include "noded/stepd/ending.h"

#include <sys/wait.h>

#define KINDS_MAX 4 /* ways to end that are told */

struct kind {
    int32_t status;
    uint32_t n;
};

void task_ending_format(int32_t status, struct strbuf *out)
{
    if (WIFSIGNALED(status))
        strbuf_addf(out, "signal %d", WTERMSIG(status));
    else
        strbuf_addf(out, "exit code %d", WEXITSTATUS(status));
}

/* Returns how many tasks ended in ways for which there is no room. */
static uint32_t count_kinds(const struct step_report *report, struct kind kinds[KINDS_MAX],
                            uint32_t *ret_n)
{
    uint32_t n = 0, others = 0;

    for (uint32_t i = 0; i < report->exits_n; i++) {
        uint32_t kind = 0;

        while (kind < n && kinds[kind].status != report->exits[i].status)
            kind++;
        if (kind == KINDS_MAX) {
            others++;
            continue;
        }
        if (kind == n)
            kinds[n++] = (struct kind){ .status = report->exits[i].status };
        kinds[kind].n++;
    }
    *ret_n = n;
    return others;
}

void step_ending_format(const struct step_report *report, struct strbuf *out)
{
    struct kind kinds[KINDS_MAX];
    uint32_t n, others;

    if (report->code) {
        strbuf_addf(out, "failed: %s", report->error ? report->error : err_string(report->code));
        return;
    }
    others = count_kinds(report, kinds, &n);
    for (uint32_t i = 0; i < n; i++) {
        strbuf_adds(out, i ? ", " : "");
        if (report->exits_n > 1)
            strbuf_addf(out, "%u task%s: ", kinds[i].n, kinds[i].n == 1 ? "" : "s");
        task_ending_format(kinds[i].status, out);
    }
    if (others)
        strbuf_addf(out, ", %u in other ways", others);
    if (report->out_of_memory)
        strbuf_adds(out, ", out of memory");
}
