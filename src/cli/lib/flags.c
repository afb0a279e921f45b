#include "cli/lib/flags.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/document.h"
#include "common/base/version.h"
#include "common/text/words.h"

#define HELP_COLUMN 30
#define USAGE_WIDTH 78

static bool has_optional_value(const struct flag *flag)
{
    return flag->action == FLAG_LIST || flag->action == FLAG_ATTACHED ||
           flag->action == FLAG_DOCUMENT;
}

/* ---- texts ---- */

static void add_flag(const struct flag *flag, struct strbuf *out)
{
    size_t begin = out->len, width;

    if (flag->letter)
        strbuf_addf(out, "  -%c, --%s", flag->letter, flag->name);
    else
        strbuf_addf(out, "      --%s", flag->name);
    if (flag->value && has_optional_value(flag))
        strbuf_addf(out, "[=%s]", flag->value);
    else if (flag->value)
        strbuf_addf(out, "=%s", flag->value);
    width = out->len - begin;
    if (width >= HELP_COLUMN)
        strbuf_addf(out, "\n%*s%s\n", HELP_COLUMN, "", flag->help);
    else
        strbuf_addf(out, "%*s%s\n", (int)(HELP_COLUMN - width), "", flag->help);
}

static void add_variables(const struct flag_table *table, struct strbuf *out)
{
    bool begun = false;

    for (uint32_t i = 0; i < table->flags_n; i++) {
        const struct flag *flag = &table->flags[i];

        if (!flag->variable)
            continue;
        if (!begun)
            strbuf_adds(out, "\nVariables that stand for options:\n");
        begun = true;
        if (flag->name)
            strbuf_addf(out, "  %-26s  --%s\n", flag->variable, flag->name);
        else
            strbuf_addf(out, "  %-26s  %s\n", flag->variable, flag->help);
    }
}

/* True if the option is listed under the heading that Slurm's help has for help options. */
static bool is_about_help(const struct flag *flag)
{
    return strcmp(flag->name, "help") == 0 || strcmp(flag->name, "usage") == 0;
}

static void add_flags(const struct flag_table *table, bool about_help, const char *title,
                      struct strbuf *out)
{
    const size_t begin = out->len;
    size_t titled;

    strbuf_addf(out, "\n%s:\n", title);
    titled = out->len;
    for (uint32_t i = 0; i < table->flags_n; i++) {
        const struct flag *flag = &table->flags[i];

        if (flag->help && flag->name && is_about_help(flag) == about_help)
            add_flag(flag, out);
    }
    if (out->len == titled)
        strbuf_truncate(out, begin);
}

void flags_help(const struct flag_table *table, const char *program, struct strbuf *out)
{
    const bool in_angles = table->heading && strstr(table->heading, "<OPTION>");

    strbuf_addf(out, "Usage: %s [%s]", program, in_angles ? "<OPTION>" : "OPTION");
    if (table->needed)
        strbuf_addf(out, " %s\n", table->needed);
    else
        strbuf_addf(out, "...%s%s\n", table->operands ? " " : "",
                    table->operands ? table->operands : "");
    strbuf_addf(out, "%s\n", table->purpose);
    add_flags(table, false, table->heading ? table->heading : "Options", out);
    add_flags(table, true, "Help options", out);
    add_variables(table, out);
    if (table->commands)
        strbuf_addf(out, "\nCommands:\n%s", table->commands);
    for (const char *const *line = table->more_help; line && *line; line++)
        strbuf_addf(out, "%s\n", *line);
}

static void add_folded(const char *word, size_t *width, struct strbuf *out)
{
    if (*width + strlen(word) + 1 > USAGE_WIDTH) {
        strbuf_adds(out, "\n       ");
        *width = 7;
    }
    strbuf_addf(out, " %s", word);
    *width += strlen(word) + 1;
}

size_t flags_usage_begin(const char *program, struct strbuf *out)
{
    strbuf_addf(out, "Usage: %s", program);
    return strlen(program) + 7;
}

void flags_usage_add(char letter, const char *name, const char *value, size_t *width,
                     struct strbuf *out)
{
    AUTO_FREE char *option = letter ? xasprintf("-%c", letter) : xasprintf("--%s", name);
    AUTO_FREE char *word = value ? xasprintf("[%s %s]", option, value) : xasprintf("[%s]", option);

    for (char *at = word + strlen(option) + 1; *at; at++)
        *at = (char)tolower((unsigned char)*at); /* values, as Slurm writes them there */
    add_folded(word, width, out);
}

void flags_usage_end(const char *operands, size_t *width, struct strbuf *out)
{
    if (operands)
        add_folded(operands, width, out);
    strbuf_addc(out, '\n');
}

void flags_usage(const struct flag_table *table, const char *program, struct strbuf *out)
{
    size_t width;

    if (table->usage) {
        strbuf_adds(out, table->usage);
        return;
    }
    width = flags_usage_begin(program, out);
    if (table->needed) {
        strbuf_addf(out, " [options] %s\n       Use --help for help\n", table->needed);
        return;
    }
    for (uint32_t i = 0; i < table->flags_n; i++) {
        const struct flag *flag = &table->flags[i];

        if (flag->help && flag->name)
            flags_usage_add(flag->letter, flag->name, flag->value, &width, out);
    }
    flags_usage_end(table->operands, &width, out);
}

static int print_text(const struct flag_table *table, const char *program, uint8_t action)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (action == FLAG_HELP) {
        flags_help(table, program, &text);
        strbuf_adds(&text, "\n" VERSION_OURS);
    } else if (action == FLAG_USAGE)
        flags_usage(table, program, &text);
    else
        strbuf_adds(&text, VERSION_TEXT);
    fputs(strbuf_text(&text), stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}

/* ---- values ---- */

static int apply(const struct flag *flag, const struct command *command, const char *value,
                 void *options)
{
    void *member = (char *)options + flag->at;

    switch (flag->action) {
    case FLAG_SET:
        *(bool *)member = true;
        break;
    case FLAG_WORDS:
        words_add(member, value, ",");
        break;
    case FLAG_MORE:
        ++*(uint32_t *)member;
        break;
    case FLAG_LIST: /* a list with nothing in it is not the same as none */
        *(const char **)member = !value ? "" : *value ? value : ",";
        break;
    case FLAG_TEXT:
    case FLAG_ATTACHED:
    case FLAG_VARIABLE:
        *(const char **)member = value ? value : "";
        break;
    case FLAG_DOCUMENT:
        *(const char **)member = value ? value : "";
        return document_check(command, *(const char **)member);
    case FLAG_IGNORED:
        log_info(command->log, "--%s has no effect here", flag->name);
        break;
    case FLAG_REFUSED:
        log_error(command->log, "--%s is not supported", flag->name);
        return command_exit_error();
    default:
        break;
    }
    return -1;
}

static int read_variables(const struct flag_table *table, const struct command *command,
                          void *options)
{
    int status = -1;

    for (uint32_t i = 0; i < table->flags_n && status < 0; i++) {
        const struct flag *flag = &table->flags[i];
        const char *value = flag->variable ? getenv(flag->variable) : NULL;

        if (value)
            status = apply(flag, command, value, options);
    }
    return status;
}

static struct arg_option *make_options(const struct flag_table *table)
{
    struct arg_option *options = xcalloc(table->flags_n, sizeof(*options));

    for (uint32_t i = 0; i < table->flags_n; i++) {
        const struct flag *flag = &table->flags[i];

        options[i] = (struct arg_option){ .name = flag->name,
                                          .letter = flag->letter,
                                          .need = flag->value ? ARG_REQUIRED : ARG_NONE,
                                          .id = (int)i };
        if (has_optional_value(flag))
            options[i].need = ARG_OPTIONAL;
        for (uint32_t j = i; j > 0 && !table->flags[j].help; j--)
            options[i].id = (int)j - 1; /* one option under several names */
    }
    return options;
}

/* Returns the next argument as a value that was left out, when it is not an option; else NULL. */
static const char *take_list(struct arg_reader *reader)
{
    if (reader->at < reader->argc && reader->argv[reader->at][0] != '-')
        return reader->argv[reader->at++];
    return NULL;
}

static int read_options(const struct flag_table *table, const struct command *command,
                        struct arg_reader *reader, void *options)
{
    struct err err = { 0 };
    const char *value;
    int id, rc, status;

    while ((rc = arg_next(reader, &id, &value, &err)) > 0) {
        const struct flag *flag = &table->flags[id];
        bool has_letters_left = reader->letters && *reader->letters;

        if (flag->action >= FLAG_HELP)
            return print_text(table, command->name, flag->action);
        if (flag->action == FLAG_LIST && !value && !has_letters_left)
            value = take_list(reader);
        status = apply(flag, command, value, options);
        if (status >= 0)
            return status;
    }
    if (rc == 0)
        return -1;
    fprintf(stderr, "%s: %s\nTry \"%s --help\" for more information\n", command->name, err.text,
            command->name);
    return 1;
}

int flags_read(const struct flag_table *table, const struct command *command, int argc,
               char *const *argv, void *options, const char ***ret_operands,
               uint32_t *ret_operands_n)
{
    AUTO_FREE struct arg_option *known = make_options(table);
    AUTO(arg_reader)
    struct arg_reader reader = { .options = known,
                                 .options_n = table->flags_n,
                                 .argv = argv,
                                 .argc = argc,
                                 .mixed = true,
                                 .ending = table->ending,
                                 .at = 1 };
    int status = read_variables(table, command, options);

    if (status < 0)
        status = read_options(table, command, &reader, options);
    if (status >= 0)
        return status;
    if (reader.operands_n && !table->operands && !table->drops_operands) {
        log_error(command->log, "Unrecognized option: %s", reader.operands[0]);
        return 1;
    }
    if (ret_operands) {
        *ret_operands = STEAL(reader.operands);
        *ret_operands_n = reader.operands_n;
    }
    return -1;
}

/* ---- what was asked for ---- */

static void add_value(const struct flag *flag, const void *options, struct strbuf *out)
{
    const void *member = (const char *)options + flag->at;
    const char *text;

    if (flag->action == FLAG_SET) {
        strbuf_adds(out, *(const bool *)member ? "true" : "false");
    } else if (flag->action == FLAG_MORE) {
        strbuf_addu(out, *(const uint32_t *)member);
    } else {
        text = *(const char *const *)member;
        strbuf_adds(out, text ? text : "(null)");
    }
}

static bool is_plain(const struct flag *flag)
{
    return flag->name && flag->help && flag->action <= FLAG_MORE && flag->action != FLAG_WORDS;
}

void flags_say(const struct flag_table *table, const void *options, struct log *log)
{
    for (uint32_t i = 0; i < table->flags_n; i++) {
        AUTO(strbuf) struct strbuf value = { 0 };

        if (!is_plain(&table->flags[i]))
            continue;
        add_value(&table->flags[i], options, &value);
        log_verbose(log, "%-12s = %s", table->flags[i].name, strbuf_text(&value));
    }
}
