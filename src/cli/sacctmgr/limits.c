#include "cli/sacctmgr/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/report/column.h"
#include "common/text/duration.h"

#define BOTH (LIMIT_OF_ASSOC | LIMIT_OF_QOS)

/* Of two that a word may be short for, the first is meant. */
static const struct limit_row rows[] = {
    { "GrpCPUMins", 7, BOTH, "grp_tres_mins", "grp_tres_mins", false, "cpu", NULL },
    { "GrpCPURunMins", 7, BOTH, "grp_tres_run_mins", "grp_tres_run_mins", false, "cpu", NULL },
    { "GrpCPUs", 7, BOTH, "grp_tres", "grp_tres", false, "cpu", NULL },
    { "GrpJobsAccrue", 8, BOTH, "grp_jobs_accrue", "grp_jobs_accrue", false, NULL, NULL },
    { "GrpJobs", 4, BOTH, "grp_jobs", "grp_jobs", false, NULL, NULL },
    { "GrpMemory", 4, BOTH, "grp_tres", "grp_tres", false, "mem", NULL },
    { "GrpNodes", 4, BOTH, "grp_tres", "grp_tres", false, "node", NULL },
    { "GrpSubmitJobs", 4, BOTH, "grp_submit_jobs", "grp_submit_jobs", false, NULL, NULL },
    { "GrpTRESMins", 8, BOTH, "grp_tres_mins", "grp_tres_mins", false, NULL, NULL },
    { "GrpTRESRunMins", 8, BOTH, "grp_tres_run_mins", "grp_tres_run_mins", false, NULL, NULL },
    { "GrpTRES", 7, BOTH, "grp_tres", "grp_tres", false, NULL, NULL },
    { "GrpWall", 4, BOTH, "grp_wall", "grp_wall", true, NULL, NULL },
    { "MaxCPUMinsPerJob", 7, BOTH, "max_tres_mins_per_job", "max_tres_mins_per_job", false, "cpu",
      NULL },
    { "MaxCPUsPerUser", 11, LIMIT_OF_QOS, NULL, "max_tres_per_user", false, "cpu", NULL },
    { "MaxCPUsPU", 9, LIMIT_OF_QOS, NULL, "max_tres_per_user", false, "cpu", NULL },
    { "MaxCPUsPerJob", 7, BOTH, "max_tres_per_job", "max_tres_per_job", false, "cpu", NULL },
    { "MaxJobsAccruePerUser", 17, LIMIT_OF_QOS, NULL, "max_jobs_accrue_per_user", false, NULL,
      "MaxJobsAccruePU" },
    { "MaxJobsAccruePU", 15, LIMIT_OF_QOS, NULL, "max_jobs_accrue_per_user", false, NULL, "" },
    { "MaxJobsAccruePerAccount", 17, LIMIT_OF_QOS, NULL, "max_jobs_accrue_per_account", false, NULL,
      "MaxJobsAccruePA" },
    { "MaxJobsAccruePA", 15, LIMIT_OF_QOS, NULL, "max_jobs_accrue_per_account", false, NULL, "" },
    { "MaxJobsAccrue", 8, LIMIT_OF_ASSOC, "max_jobs_accrue", NULL, false, NULL, NULL },
    { "MaxJobsPerAccount", 11, LIMIT_OF_QOS, NULL, "max_jobs_per_account", false, NULL,
      "MaxJobsPA" },
    { "MaxJobsPA", 9, LIMIT_OF_QOS, NULL, "max_jobs_per_account", false, NULL, "" },
    { "MaxJobsPerUser", 4, LIMIT_OF_QOS, NULL, "max_jobs_per_user", false, NULL, "MaxJobsPU" },
    { "MaxJobsPU", 9, LIMIT_OF_QOS, NULL, "max_jobs_per_user", false, NULL, "" },
    { "MaxJobs", 4, LIMIT_OF_ASSOC, "max_jobs", NULL, false, NULL, NULL },
    { "MaxNodesPerUser", 12, LIMIT_OF_QOS, NULL, "max_tres_per_user", false, "node", NULL },
    { "MaxNodesPU", 10, LIMIT_OF_QOS, NULL, "max_tres_per_user", false, "node", NULL },
    { "MaxNodesPerJob", 4, BOTH, "max_tres_per_job", "max_tres_per_job", false, "node", NULL },
    { "MaxSubmitJobsPerAccount", 17, LIMIT_OF_QOS, NULL, "max_submit_per_account", false, NULL,
      "MaxSubmitPA" },
    { "MaxSubmitJobsPA", 15, LIMIT_OF_QOS, NULL, "max_submit_per_account", false, NULL, "" },
    { "MaxSubmitPA", 11, LIMIT_OF_QOS, NULL, "max_submit_per_account", false, NULL, "" },
    { "MaxSubmitJobsPerUser", 4, LIMIT_OF_QOS, NULL, "max_submit_per_user", false, NULL,
      "MaxSubmitPU" },
    { "MaxSubmitJobsPU", 15, LIMIT_OF_QOS, NULL, "max_submit_per_user", false, NULL, "" },
    { "MaxSubmitPU", 11, LIMIT_OF_QOS, NULL, "max_submit_per_user", false, NULL, "" },
    { "MaxSubmitJobs", 4, LIMIT_OF_ASSOC, "max_submit_jobs", NULL, false, NULL, NULL },
    { "MaxTRESMinsPerJob", 8, BOTH, "max_tres_mins_per_job", "max_tres_mins_per_job", false, NULL,
      "MaxTRESMins" },
    { "MaxTRESMinsPJ", 13, BOTH, "max_tres_mins_per_job", "max_tres_mins_per_job", false, NULL,
      "" },
    { "MaxTRESPerAccount", 11, LIMIT_OF_QOS, NULL, "max_tres_per_account", false, NULL,
      "MaxTRESPA" },
    { "MaxTRESPA", 9, LIMIT_OF_QOS, NULL, "max_tres_per_account", false, NULL, "" },
    { "MaxTRESPerNode", 11, BOTH, "max_tres_per_node", "max_tres_per_node", false, NULL, NULL },
    { "MaxTRESPN", 9, BOTH, "max_tres_per_node", "max_tres_per_node", false, NULL, "" },
    { "MaxTRESPerUser", 11, LIMIT_OF_QOS, NULL, "max_tres_per_user", false, NULL, "MaxTRESPU" },
    { "MaxTRESPU", 9, LIMIT_OF_QOS, NULL, "max_tres_per_user", false, NULL, "" },
    { "MaxTRESRunMinsPerAccount", 18, LIMIT_OF_QOS, NULL, "max_tres_run_mins_per_account", false,
      NULL, "MaxTRESRunMinsPA" },
    { "MaxTRESRunMinsPA", 16, LIMIT_OF_QOS, NULL, "max_tres_run_mins_per_account", false, NULL,
      "" },
    { "MaxTRESRunMinsPerUser", 8, LIMIT_OF_QOS, NULL, "max_tres_run_mins_per_user", false, NULL,
      "MaxTRESRunMinsPU" },
    { "MaxTRESRunMinsPU", 16, LIMIT_OF_QOS, NULL, "max_tres_run_mins_per_user", false, NULL, "" },
    { "MaxTRESPerJob", 7, BOTH, "max_tres_per_job", "max_tres_per_job", false, NULL, "MaxTRES" },
    { "MaxTRESPJ", 9, BOTH, "max_tres_per_job", "max_tres_per_job", false, NULL, "" },
    { "MaxWallDurationPerJob", 4, BOTH, "max_wall_per_job", "max_wall_per_job", true, NULL,
      "MaxWall" },
    { "MinPrioThreshold", 4, BOTH, "min_prio_threshold", "min_prio_threshold", false, NULL, NULL },
    { "MinCPUsPerJob", 7, LIMIT_OF_QOS, NULL, "min_tres_per_job", false, "cpu", NULL },
    { "MinTRESPerJob", 7, LIMIT_OF_QOS, NULL, "min_tres_per_job", false, NULL, NULL },
};

const struct limit_row *limit_find(const char *word, enum limit_of of)
{
    const size_t n = strlen(word);

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if ((rows[i].of & of) &&
            strncasecmp(word, rows[i].name, n > rows[i].least ? n : rows[i].least) == 0)
            return &rows[i];
    }
    return NULL;
}

static const struct schema_field *field_of(const struct limit_row *row, enum limit_of of)
{
    return of == LIMIT_OF_ASSOC ? schema_find(assoc_record_schema(), row->assoc)
                                : schema_find(qos_record_schema(), row->qos);
}

bool limit_is_list(const struct limit_row *row, enum limit_of of)
{
    return field_of(row, of)->kind == KIND_LIST;
}

/* ---- amounts ---- */

static int parse_amount(const char *name, const char *text, bool *ret_gone, uint64_t *ret,
                        struct err *err)
{
    static const char units[] = "kmgtp";
    const bool is_memory = word_is(name, "mem");
    char *end;
    const char *unit;

    *ret_gone = strcmp(text, "-1") == 0;
    if (*ret_gone)
        return 0;
    errno = 0;
    *ret = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || errno)
        return err_set(err, EINVAL, "'%s' is no amount of %s", text, name);
    if (!*end)
        return 0;
    unit = strchr(units, *end | 0x20);
    if (!unit || end[1])
        return err_set(err, EINVAL, "'%s' is no amount of %s", text, name);
    /* Memory is counted in megabytes, everything else in ones. */
    for (long power = unit - units + (is_memory ? -1 : 1); power > 0; power--) {
        if (*ret > UINT64_MAX / 1024)
            return err_set(err, EINVAL, "'%s' is too much of %s", text, name);
        *ret *= 1024;
    }
    if (is_memory && unit == units)
        *ret /= 1024;
    return 0;
}

static void put_amount(struct acct_amount **amounts, uint32_t *n, const char *name, bool gone,
                       uint64_t amount)
{
    uint32_t i = 0;

    while (i < *n && !word_is((*amounts)[i].tres, name))
        i++;
    if (gone && i < *n) {
        acct_amount_clear(&(*amounts)[i]);
        memmove(&(*amounts)[i], &(*amounts)[i + 1], (--*n - i) * sizeof(**amounts));
    }
    if (gone)
        return;
    if (i == *n) {
        acct_amount_init(ARRAY_PUSH(*amounts, *n));
        (*amounts)[i].tres = xstrdup(name);
    }
    (*amounts)[i].amount = amount;
}

int tres_names_compare(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (*a ? (unsigned char)*a : '=') - (*b ? (unsigned char)*b : '=');
}

/* Sorts by name, as Slurm shows them. */
static void sort_amounts(struct acct_amount *amounts, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const struct acct_amount one = amounts[i];
        uint32_t at = i;

        for (; at > 0 && tres_names_compare(amounts[at - 1].tres, one.tres) > 0; at--)
            amounts[at] = amounts[at - 1];
        amounts[at] = one;
    }
}

static int refuse_tres(const char *name, struct err *err)
{
    return err_set(
        err, EINVAL,
        "there is no TRES '%.100s': beside cpu, mem, node, billing and the like those are "
        "there that slurm.conf names in AccountingStorageTRES%s",
        name, strncasecmp(name, "gres/", 5) == 0 ? ", with GresTypes" : "");
}

int amounts_parse(const struct book *book, const char *text, struct acct_amount **amounts,
                  uint32_t *n, struct err *err)
{
    AUTO(words) struct words parts = words_split(text, ",");

    if (parts.n == 0)
        return err_set(err, EINVAL, "no NAME=AMOUNT is given");
    for (uint32_t i = 0; i < parts.n; i++) {
        char *equals = strchr(parts.at[i], '=');
        const char *name = parts.at[i];
        uint64_t amount = 0;
        bool gone;
        int rc;

        if (!equals)
            return err_set(err, EINVAL, "'%s' is not NAME=AMOUNT", parts.at[i]);
        *equals = '\0';
        if (*name >= '0' && *name <= '9')
            name = book_tres_name(book, (uint32_t)strtoul(name, NULL, 10));
        if (!name || !book_tres_id(book, name))
            return refuse_tres(parts.at[i], err);
        rc = parse_amount(name, equals + 1, &gone, &amount, err);
        if (rc < 0)
            return rc;
        put_amount(amounts, n, book_tres_name(book, book_tres_id(book, name)), gone, amount);
    }
    sort_amounts(*amounts, *n);
    return 0;
}

void amounts_format(const struct book *book, const struct acct_amount *amounts, uint32_t n,
                    bool raw, struct strbuf *out)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *comma = i ? "," : "";

        if (raw) {
            strbuf_addf(out, "%s%u=%" PRIu64, comma, book_tres_id(book, amounts[i].tres),
                        amounts[i].amount);
            continue;
        }
        strbuf_addf(out, "%s%s=", comma, amounts[i].tres);
        if (word_is(amounts[i].tres, "mem"))
            report_format_mb(amounts[i].amount, false, out);
        else
            strbuf_addf(out, "%" PRIu64, amounts[i].amount);
    }
}

/* ---- setting ---- */

bool limit_is_cleared(const char *value)
{
    return *value == '-' && value[1] && !value[1 + strspn(value + 1, "0123456789")];
}

static int set_time(const struct limit_row *row, const struct acct_word *word, uint32_t *ret,
                    struct err *err)
{
    int64_t seconds;

    if (duration_parse(word->value, &seconds, NULL) < 0)
        return err_set(err, EINVAL, " Bad %s time format: %s", row->shown ? row->shown : row->name,
                       word->text);
    *ret = seconds == DURATION_INFINITE ? COUNT_UNSET : (uint32_t)duration_minutes(seconds);
    return 0;
}

static int set_count(const struct limit_row *row, const struct acct_word *word, uint32_t *ret,
                     struct err *err)
{
    uint64_t number;

    if (limit_is_cleared(word->value)) {
        *ret = COUNT_UNSET;
        return 0;
    }
    if (row->is_time)
        return set_time(row, word, ret, err);
    if (number_parse(word->value, 0, COUNT_UNSET - 1, &number, NULL) < 0)
        return err_set(err, EINVAL, "Invalid value for %s (%s)",
                       row->shown ? row->shown : row->name, word->value);
    *ret = (uint32_t)number;
    return 0;
}

int limit_set(const struct book *book, const struct limit_row *row, enum limit_of of,
              const struct acct_word *word, void *record, struct err *err)
{
    const struct schema_field *field = field_of(row, of);
    char *base = record;

    if (field->kind == KIND_LIST) {
        AUTO_FREE char *whole = row->single ? xasprintf("%s=%s", row->single, word->value) : NULL;

        return amounts_parse(book, whole ? whole : word->value,
                             (struct acct_amount **)(void *)(base + field->offset),
                             (uint32_t *)(void *)(base + field->count_offset), err);
    }
    return set_count(row, word, (uint32_t *)(void *)(base + field->offset), err);
}

static bool is_set(const struct schema_field *field, const void *record)
{
    const char *base = record;

    if (field->kind == KIND_LIST)
        return *(const uint32_t *)(const void *)(base + field->count_offset) > 0;
    return *(const uint32_t *)(const void *)(base + field->offset) != COUNT_UNSET;
}

int acct_forget_usage(const char *value, uint32_t *resets, struct err *err)
{
    uint64_t number;

    if (number_parse(value, 0, UINT64_MAX, &number, NULL) < 0)
        return err_set(err, EINVAL, "Invalid value for RawUsage (%.100s)", value);
    if (number)
        return err_set(err, EINVAL, "Raw usage can only be set to 0 (zero)");
    ++*resets;
    return 0;
}

bool limits_are_new(enum limit_of of, const void *was, const void *record)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const struct schema_field *field = rows[i].of & of ? field_of(&rows[i], of) : NULL;

        if (field && is_set(field, record) && !(was && schema_equal_field(field, was, record)))
            return true;
    }
    return false;
}

/* ---- showing ---- */

bool limit_format(const struct book *book, const struct schema_field *field, bool is_time,
                  const void *record, struct strbuf *out)
{
    const char *base = record;
    uint32_t count;

    if (field->kind == KIND_LIST) {
        const uint32_t n = *(const uint32_t *)(const void *)(base + field->count_offset);

        amounts_format(book, *(struct acct_amount *const *)(const void *)(base + field->offset), n,
                       false, out);
        return n > 0;
    }
    count = *(const uint32_t *)(const void *)(base + field->offset);
    if (count == COUNT_UNSET)
        return false;
    if (is_time)
        duration_format(out, (int64_t)count * 60);
    else
        strbuf_addf(out, "%u", count);
    return true;
}

/* A limit in "Settings": `format` has its name and its value. */
struct shown_limit {
    const char *format, *member;
    bool is_time;
};

static void show_limits(const struct book *book, const struct schema *schema,
                        const struct shown_limit *limits, size_t n, const void *record,
                        struct strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        AUTO(strbuf) struct strbuf value = { 0 };

        if (limit_format(book, schema_find(schema, limits[i].member), limits[i].is_time, record,
                         &value))
            strbuf_addf(out, "  %s= %s\n", limits[i].format, strbuf_text(&value));
    }
}

/* Settings have names, widths and an order of their own; who reads the output knows them so. */
static const struct shown_limit of_assoc[] = {
    { "GrpJobs       ", "grp_jobs", false },
    { "GrpJobsAccrue            ", "grp_jobs_accrue", false },
    { "GrpSubmitJobs ", "grp_submit_jobs", false },
    { "GrpTRES       ", "grp_tres", false },
    { "GrpTRESMins   ", "grp_tres_mins", false },
    { "GrpTRESRunMins", "grp_tres_run_mins", false },
    { "GrpWall       ", "grp_wall", true },
    { "MaxJobs       ", "max_jobs", false },
    { "MaxJobsPrioAcc", "max_jobs_accrue", false },
    { "MaxSubmitJobs ", "max_submit_jobs", false },
    { "MaxTRES       ", "max_tres_per_job", false },
    { "MaxTRESPerNode", "max_tres_per_node", false },
    { "MaxTRESMins   ", "max_tres_mins_per_job", false },
    { "MaxWall       ", "max_wall_per_job", true },
    { "MinPrioThresh ", "min_prio_threshold", false },
};

static const struct shown_limit of_qos[] = {
    { "GrpJobs                  ", "grp_jobs", false },
    { "GrpJobsAccrue            ", "grp_jobs_accrue", false },
    { "GrpSubmitJobs            ", "grp_submit_jobs", false },
    { "GrpTRES                  ", "grp_tres", false },
    { "GrpTRESMins              ", "grp_tres_mins", false },
    { "GrpTRESRunMins           ", "grp_tres_run_mins", false },
    { "GrpWall                  ", "grp_wall", true },
    { "MaxJobsAccruePerAccount  ", "max_jobs_accrue_per_account", false },
    { "MaxJobsAccruePerUser     ", "max_jobs_accrue_per_user", false },
    { "MaxJobsPerAccount        ", "max_jobs_per_account", false },
    { "MaxJobsPerUser ", "max_jobs_per_user", false },
    { "MaxSubmitJobsPerAccount  ", "max_submit_per_account", false },
    { "MaxSubmitJobsPerUser     ", "max_submit_per_user", false },
    { "MaxTRESPerAccount        ", "max_tres_per_account", false },
    { "MaxTRESPerJob            ", "max_tres_per_job", false },
    { "MaxTRESPerNode           ", "max_tres_per_node", false },
    { "MaxTRESPerUser           ", "max_tres_per_user", false },
    { "MaxTRESRunMinsPerAccount ", "max_tres_run_mins_per_account", false },
    { "MaxTRESRunMinsPerUser    ", "max_tres_run_mins_per_user", false },
    { "MinTRESPerJob            ", "min_tres_per_job", false },
    { "MinPrioThreshold         ", "min_prio_threshold", false },
    { "MaxTRESMins              ", "max_tres_mins_per_job", false },
    { "MaxWall                  ", "max_wall_per_job", true },
};

void limits_show(const struct book *book, enum limit_of of, const void *record, struct strbuf *out)
{
    if (of == LIMIT_OF_ASSOC)
        show_limits(book, assoc_record_schema(), of_assoc, ARRAY_N(of_assoc), record, out);
    else
        show_limits(book, qos_record_schema(), of_qos, ARRAY_N(of_qos), record, out);
}
