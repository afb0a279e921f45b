#include "cli/import/queue/shown.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/base/alloc.h"

void shown_clear(struct shown *shown)
{
    free(shown->text);
    *shown = (struct shown){ 0 };
}

void shown_auto_(struct shown *shown)
{
    shown_clear(shown);
}

const char *shown_find(const struct shown *shown, const char *key)
{
    for (uint32_t i = 0; i < shown->n; i++) {
        if (strcmp(shown->keys[i], key) == 0)
            return shown->values[i];
    }
    return NULL;
}

const char *shown_get(const struct shown *shown, const char *key)
{
    static const char *const nothing[] = { "", "(null)", "N/A", "*", "Unknown", "None" };
    const char *value = shown_find(shown, key);

    for (size_t i = 0; value && i < ARRAY_N(nothing); i++) {
        if (strcmp(value, nothing[i]) == 0)
            return NULL;
    }
    return value;
}

/* True for a key whose value may have blanks: it is the last one of its line. */
static bool takes_line(const char *key)
{
    static const char *const keys[] = { "JobName", "Command",      "WorkDir",       "Comment",
                                        "StdErr",  "AdminComment", "SystemComment", "Extra",
                                        "StdIn",   "StdOut",       "SubmitLine" };

    for (size_t i = 0; i < ARRAY_N(keys); i++) {
        if (strcmp(keys[i], key) == 0)
            return true;
    }
    return false;
}

/* Notes a key, which ends where its value begins, in place. */
static void note(struct shown *shown, char *key, char *value)
{
    if (shown->n == SHOWN_MAX || shown_find(shown, key))
        return;
    shown->keys[shown->n] = key;
    shown->values[shown->n++] = value;
}

static void cut_blanks(char *line)
{
    size_t n = strlen(line);

    while (n && line[n - 1] == ' ')
        line[--n] = '\0';
}

/* Reads "KEY=VALUE KEY=VALUE", in place. */
static void read_line(struct shown *shown, char *line)
{
    while (*line) {
        char *key = line + strspn(line, " "), *equals = strchr(key, '=');

        if (!equals || memchr(key, ' ', (size_t)(equals - key))) {
            line = key + strcspn(key, " ");
            line += *line == ' ';
            continue;
        }
        *equals = '\0';
        line = equals + 1;
        if (takes_line(key)) {
            /* Slurm 22.05 puts a blank behind a comment. */
            if (strcmp(key, "JobName") != 0)
                cut_blanks(line);
            note(shown, key, line);
            return;
        }
        line += strcspn(line, " ");
        if (*line)
            *line++ = '\0';
        note(shown, key, equals + 1);
    }
}

/* Returns where the job's record begins, or NULL. */
static char *find_record(char *text, uint32_t job_id)
{
    AUTO_FREE char *head = xasprintf("JobId=%u ", job_id);
    char *at = text;

    while (at && strncmp(at, head, strlen(head)) != 0) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at;
}

void shown_read(const char *text, uint32_t job_id, struct shown *ret)
{
    char *at;

    *ret = (struct shown){ .text = xstrdup(text) };
    at = find_record(ret->text, job_id);
    for (bool is_first = true; at && *at; is_first = false) {
        char *end = strchr(at, '\n');

        if (end)
            *end = '\0';
        if (!is_first && strncmp(at, "JobId=", 6) == 0)
            return;
        read_line(ret, at);
        at = end ? end + 1 : NULL;
    }
}
