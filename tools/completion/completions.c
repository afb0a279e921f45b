/*
 * completions TEMPLATE OUTPUT PROGRAMS-DIR COMMAND...: makes a shell's completion.
 *
 * In a line of the template "@commands" becomes the commands; a line "@rows" becomes one for each
 * option and verb that their --help tells:
 *
 *     COMMAND SHORT LONG VALUE MEANING...     "-" for no letter, "." for no value, else "=FILE" or
 *                                             "[=FILE]"
 *     COMMAND verb NAME ARGUMENTS MEANING...  ARGUMENTS without blanks, "." for none
 *     COMMAND-VERB SHORT LONG VALUE MEANING   options of a verb of `sluice`
 *     COMMAND entity NAME                     what scontrol shows
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/base/alloc.h"
#include "help_text.h"

struct rows {
    const char *command;
    struct strbuf *out;
};

static void add_word(struct strbuf *out, const char *text, size_t n, const char *otherwise)
{
    strbuf_addf(out, "%.*s ", n ? (int)n : (int)strlen(otherwise), n ? text : otherwise);
}

static void add_option(const char *typed, const char *meaning, void *ctx)
{
    const struct rows *rows = ctx;
    const char *name = strstr(typed, "--");
    const bool has_letter = typed[0] == '-' && typed[1] != '-';
    const char *value = name ? name + strcspn(name, "=[") : "";

    if (!name) { /* "-a FILE" */
        name = typed + 2;
        value = typed[2] == ' ' ? typed + 3 : "";
    }
    strbuf_addf(rows->out, "%s ", rows->command);
    add_word(rows->out, typed, has_letter ? 2 : 0, "-");
    add_word(rows->out, name, name[0] == '-' ? (size_t)(value - name) : 0, "-");
    strbuf_addf(rows->out, "%s%s %s\n", *value && *value != '=' && *value != '[' ? "=" : "",
                *value ? value : ".", meaning);
}

static void add_verb(const char *typed, const char *meaning, void *ctx)
{
    const struct rows *rows = ctx;
    const size_t n = strcspn(typed, " ");
    const char *arguments = typed + n + (typed[n] == ' ');

    strbuf_addf(rows->out, "%s verb %.*s ", rows->command, (int)n, typed);
    for (const char *at = arguments; *at; at++)
        strbuf_addc(rows->out, *at == ' ' ? '_' : *at);
    strbuf_addf(rows->out, "%s %s\n", *arguments ? "" : ".", meaning);
}

/* "[N] [--cpus C] [--fresh] --token TOKEN": a value is in capitals. */
static void add_verb_options(const char *verb, size_t n, const char *arguments, struct strbuf *out)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    for (const char *at = strstr(arguments, "--"); at; at = strstr(at, "--")) {
        const size_t length = strcspn(at, " ]");
        const char *value = at + length + (at[length] == ' ');
        const size_t value_n = at[length] == ' ' ? strspn(value, capitals) : 0;

        strbuf_addf(out, "sluice-%.*s - %.*s %s%.*s of %.*s\n", (int)n, verb, (int)length, at,
                    value_n ? "=" : ".", (int)value_n, value, (int)n, verb);
        at += length;
    }
}

static void add_sluice_verb(const char *typed, const char *meaning, void *ctx)
{
    const struct rows *rows = ctx;
    const size_t n = strcspn(typed, " ");

    add_verb(typed, meaning, ctx);
    add_verb_options(typed, n, typed + n, rows->out);
}

/* "Entities: NAME..." */
static void add_entities(const char *help, const struct rows *rows)
{
    static const char head[] = "\nEntities: ";
    const char *at = strstr(help, head);

    for (at = at ? at + strlen(head) : ""; *at && *at != '\n'; at += *at == ' ') {
        const size_t n = strcspn(at, " \n");

        strbuf_addf(rows->out, "%s entity %.*s\n", rows->command, (int)n, at);
        at += n;
    }
}

static int add_rows(const char *programs, const char *command, struct strbuf *out, struct err *err)
{
    AUTO_FREE char *line = xasprintf("'%s'/%s --help", programs, command);
    AUTO(strbuf) struct strbuf help = { 0 };
    struct rows rows = { command, out };
    int rc = help_text_read(line, &help, err);

    if (rc < 0)
        return rc;
    help_text_options(strbuf_text(&help), add_option, &rows);
    help_text_section(strbuf_text(&help), "Valid <COMMAND>", add_verb, &rows);
    add_entities(strbuf_text(&help), &rows);
    if (strcmp(command, "sluice") == 0)
        help_text_verbs(strbuf_text(&help), add_sluice_verb, &rows);
    return 0;
}

/* `sluice sim` has a help of its own, as a command has. */
static int add_sim_rows(const char *programs, struct strbuf *out, struct err *err)
{
    AUTO_FREE char *line = xasprintf("'%s'/sluice sim --help", programs);
    AUTO(strbuf) struct strbuf help = { 0 };
    struct rows rows = { "sluice-sim", out };
    int rc = help_text_read(line, &help, err);

    if (rc == 0)
        help_text_options(strbuf_text(&help), add_option, &rows);
    return rc;
}

static void add_commands(const char *before, char **commands, const char *after, struct strbuf *out)
{
    strbuf_adds(out, before);
    for (; *commands; commands++)
        strbuf_addf(out, "%s%s", *commands, commands[1] ? " " : "");
    strbuf_adds(out, after);
}

static int expand(char *line, const char *programs, char **commands, FILE *out, struct err *err)
{
    static const char all[] = "@commands";
    AUTO(strbuf) struct strbuf text = { 0 };
    const bool is_rows = strcmp(line, "@rows\n") == 0;
    char *at = strstr(line, all);

    for (; is_rows && *commands; commands++) {
        int rc = add_rows(programs, *commands, &text, err);

        if (rc == 0 && strcmp(*commands, "sluice") == 0)
            rc = add_sim_rows(programs, &text, err);
        if (rc < 0)
            return rc;
    }
    if (at) {
        *at = '\0';
        add_commands(line, commands, at + strlen(all), &text);
    } else if (!is_rows) {
        strbuf_adds(&text, line);
    }
    return fputs(strbuf_text(&text), out) < 0 ? err_set(err, EIO, "cannot write") : 0;
}

int main(int argc, char **argv)
{
    FILE *in = argc > 4 ? fopen(argv[1], "r") : NULL;
    FILE *out = in ? fopen(argv[2], "w") : NULL;
    struct err err = { 0 };
    char line[1024];
    int rc = 0;

    if (!out) {
        fprintf(stderr, "usage: completions TEMPLATE OUTPUT PROGRAMS-DIR COMMAND...\n");
        return 2;
    }
    while (rc == 0 && fgets(line, sizeof(line), in))
        rc = expand(line, argv[3], argv + 4, out, &err);
    fclose(in);
    if (fclose(out) != 0 && rc == 0)
        rc = err_set(&err, EIO, "cannot write %s", argv[2]);
    if (rc == 0)
        return 0;
    fprintf(stderr, "completions: %s: %s\n", argv[1], err.text);
    remove(argv[2]);
    return 1;
}
