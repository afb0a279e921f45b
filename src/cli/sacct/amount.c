#include "cli/sacct/amount.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/duration.h"

#define MEGABYTE (1024.0 * 1024)

static const char units[] = "BKMGTP";

static int rank_of(char unit)
{
    return (int)(strchr(units, unit) - units);
}

static bool loses_nothing(double amount)
{
    return amount >= 1024 && (uint64_t)amount % 512 == 0;
}

void amount_format(double amount, char from, const struct amount_manner *manner, struct strbuf *out)
{
    int rank = rank_of(from), last = (int)sizeof(units) - 2;

    if ((uint64_t)amount == 0) {
        strbuf_addc(out, '0');
        return;
    }
    for (; manner->unit && rank > rank_of(manner->unit); rank--)
        amount *= 1024;
    for (; manner->unit && rank < rank_of(manner->unit); rank++)
        amount /= 1024;
    for (; !manner->unit && !manner->exact && rank < last && loses_nothing(amount); rank++)
        amount /= 1024;
    if (amount == (double)(uint64_t)amount)
        strbuf_addf(out, "%" PRIu64, (uint64_t)amount);
    else
        strbuf_addf(out, "%.2f", amount);
    if (rank)
        strbuf_addc(out, units[rank]);
}

void amount_format_small(uint64_t bytes, const struct amount_manner *manner, struct strbuf *out)
{
    double megabytes = (double)bytes / MEGABYTE;

    if (megabytes > 1)
        amount_format(megabytes, 'M', manner, out);
    else if (bytes)
        strbuf_addf(out, "%.2fM", megabytes);
    else
        strbuf_addc(out, '0');
}

void amount_format_cpu(uint64_t us, struct strbuf *out)
{
    uint64_t seconds = us / 1000000, ms = us / 1000 % 1000;

    if (seconds < 3600 && ms)
        strbuf_addf(out, "%02" PRIu64 ":%02" PRIu64 ".%03" PRIu64, seconds / 60, seconds % 60, ms);
    else
        duration_format(out, (int64_t)seconds);
}
