#include "cli/seff/advice.h"

#include <inttypes.h>

#include "cli/seff/summary.h"
#include "common/text/duration.h"
#include "common/text/size.h"

#define LITTLE       50   /* per cent: below, something was asked for in vain */
#define NEARLY_ALL   95   /* per cent of the memory: the next run may not fit */
#define SPARE        20   /* per cent more than was used, to be safe */
#define NO_MATTER_MB 1024 /* memory below this takes nobody's place */
#define LONG_LIMIT_S 3600 /* below, a limit stands in nobody's way */

/* ---- memory ---- */

/* Returns the memory to ask for, for each node or each cpu, as the job asked; up to the next 100
   MB, or GB where there are many. */
static uint64_t fitting_mb(const struct seff_figures *figures, uint64_t kb)
{
    uint64_t parts = figures->per_node ? figures->nnodes : figures->ncpus;
    uint64_t mb = (kb / parts * (100 + SPARE) / 100 + 1023) / 1024;
    uint64_t step = mb >= 10240 ? 1024 : 100;

    return (mb + step - 1) / step * step;
}

static void add_request(const struct seff_figures *figures, uint64_t kb, struct strbuf *out)
{
    strbuf_adds(out, figures->per_node ? "--mem=" : "--mem-per-cpu=");
    size_format_mb(out, fitting_mb(figures, kb));
}

static void advise_memory(const struct seff_figures *figures, struct strbuf *out)
{
    uint64_t used = figures->memory_kb, asked = figures->asked_kb;

    if (figures->ran_out) {
        strbuf_adds(out, "Advice: the job ran out of memory. Ask for more, ");
        add_request(figures, asked > used ? asked : used, out);
        strbuf_adds(out, " or above.\n");
    } else if (asked && used * 100 > asked * NEARLY_ALL) {
        strbuf_adds(out, "Advice: nearly all of the memory was used. The next run is safer with ");
        add_request(figures, used, out);
        strbuf_adds(out, ".\n");
    } else if (used && asked / 1024 > NO_MATTER_MB && used * 100 < asked * LITTLE) {
        strbuf_adds(out, "Advice: most of the memory was not used. ");
        add_request(figures, used, out);
        strbuf_adds(out, " is enough for this one, and starts sooner.\n");
    }
}

/* ---- cpus ---- */

static void advise_cpus(const struct seff_figures *figures, struct strbuf *out)
{
    uint64_t had = (uint64_t)figures->elapsed_s * figures->ncpus;
    double busy = (double)figures->cpu_s / (double)figures->elapsed_s;

    if (figures->cpu_s * 100 >= had * LITTLE)
        return;
    if (figures->ncpus == 1)
        strbuf_adds(out, "Advice: the core was idle most of the time: the job waited, for files "
                         "or for others.\n");
    else
        strbuf_addf(out,
                    "Advice: of %" PRIu32 " cores %.1f were busy on average. Ask for fewer, or "
                    "see whether all tasks and threads were started.\n",
                    figures->ncpus, busy);
}

/* ---- time ---- */

static void advise_time(const struct job_record *job, const struct seff_figures *figures,
                        struct strbuf *out)
{
    if (job->state == JOB_TIMEOUT) {
        strbuf_adds(out, "Advice: the job was ended by its time limit, ");
        duration_format(out, figures->limit_s);
        strbuf_adds(out, ". Ask for a longer --time, or save what is done before it.\n");
    } else if (job->state == JOB_COMPLETE && figures->limit_s > LONG_LIMIT_S &&
               figures->elapsed_s * 100 < figures->limit_s * LITTLE / 2) {
        strbuf_adds(out, "Advice: the job took ");
        duration_format(out, figures->elapsed_s);
        strbuf_adds(out, " of ");
        duration_format(out, figures->limit_s);
        strbuf_adds(out, ". With a shorter --time it fits into gaps and starts sooner.\n");
    }
}

void seff_advise(const struct job_record *job, const struct seff_figures *figures,
                 struct strbuf *out)
{
    bool is_long = figures->elapsed_s >= ADVICE_LEAST_S;

    if (!job_state_is_over(job->state))
        return;
    if (is_long || figures->ran_out)
        advise_memory(figures, out);
    if (is_long && job->state != JOB_NODE_FAIL)
        advise_cpus(figures, out);
    if (is_long)
        advise_time(job, figures, out);
}
