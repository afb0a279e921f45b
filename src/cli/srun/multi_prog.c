#include "cli/srun/multi_prog.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/base/bitset.h"
#include "common/text/words.h"

#define FILE_MAX  (256u << 10) /* it travels in the request, whose frame is bounded */
#define TASKS_MAX (1u << 20)
#define BLANKS    " \t\r"

struct parser {
    struct multi_prog *file;
    struct step_spec *step;
    struct bitset named; /* tasks that have a program; as large as tasks are allowed */
    uint32_t highest;    /* task, and one */
    bool others_named;   /* by "*" */
};

/* ---- one line ---- */

static int add_tasks(struct parser *parser, uint64_t first, uint64_t last,
                     struct step_program *program, struct err *err)
{
    if (first > last)
        return err_set(err, E_SYNTAX, "Invalid task range, %u-%u", (unsigned)first, (unsigned)last);
    if (last >= parser->named.size)
        return err_set(err, E_SYNTAX, "Invalid task id, %u >= ntasks", (unsigned)last);
    for (uint32_t task = (uint32_t)first; task <= last; task++) {
        if (bitset_has(&parser->named, task))
            return err_set(err, E_SYNTAX, "Duplicate record for task %u", task);
        bitset_add(&parser->named, task);
        *ARRAY_PUSH(program->tasks, program->tasks_n) = task;
    }
    if (last >= parser->highest)
        parser->highest = (uint32_t)last + 1;
    return 0;
}

/* Reads "3" or "0-7". */
static int parse_range(struct parser *parser, char *text, struct step_program *program,
                       struct err *err)
{
    char *dash = strchr(text, '-');
    uint64_t first, last;

    if (dash)
        *dash = '\0';
    if (number_parse(text, 0, UINT32_MAX, &first, NULL) < 0 ||
        number_parse(dash ? dash + 1 : text, 0, UINT32_MAX, &last, NULL) < 0) {
        if (dash)
            *dash = '-';
        return err_set(err, E_SYNTAX, "Invalid task range specification (%.100s)", text);
    }
    return add_tasks(parser, first, last, program, err);
}

static int parse_tasks(struct parser *parser, const char *text, struct step_program *program,
                       struct err *err)
{
    AUTO(words) struct words ranges = words_split(text, ",");
    int rc = 0;

    if (parser->others_named)
        return err_set(err, E_SYNTAX, "Task range specification with asterisk must be last");
    if (strcmp(text, "*") == 0) {
        parser->others_named = true;
        program->others = true;
        return 0;
    }
    if (ranges.n == 0)
        return err_set(err, E_SYNTAX, "Invalid task range specification (%.100s)", text);
    for (uint32_t i = 0; i < ranges.n && rc == 0; i++)
        rc = parse_range(parser, ranges.at[i], program, err);
    return rc;
}

/* Adds a '%'. Only "%t" and "%o" outside of quotes mean something: any other '%' is doubled. */
static void add_percent(struct strbuf *word, const char *at, bool quoted)
{
    const bool means = !quoted && (at[1] == 't' || at[1] == 'o');

    strbuf_adds(word, means ? "%" : "%%");
}

/* Returns the next word, to be freed; NULL at the end. *at moves on. */
static char *next_word(const char **at)
{
    AUTO(strbuf) struct strbuf word = { 0 };
    bool quoted = false;

    *at += strspn(*at, BLANKS);
    if (!**at)
        return NULL;
    for (; **at && (quoted || !strchr(BLANKS, **at)); (*at)++) {
        if (**at == '\'')
            quoted = !quoted;
        else if (**at == '%')
            add_percent(&word, *at, quoted);
        else
            strbuf_addc(&word, **at);
    }
    return strbuf_steal(&word);
}

/* Returns an argument of the command line with each '%' doubled, so that it is taken as it is. */
static char *literally(const char *text)
{
    AUTO(strbuf) struct strbuf word = { 0 };

    for (; *text; text++)
        strbuf_adds(&word, *text == '%' ? "%%" : (char[]){ *text, '\0' });
    return strbuf_steal(&word);
}

static int parse_line(struct parser *parser, const char *line, struct err *err)
{
    const char *at = line;
    AUTO_FREE char *tasks = next_word(&at);
    struct step_program *program;
    char *word;
    int rc;

    if (!tasks || tasks[0] == '#')
        return 0;
    program = ARRAY_PUSH(parser->step->programs, parser->step->programs_n);
    step_program_init(program);
    rc = parse_tasks(parser, tasks, program, err);
    if (rc < 0)
        return rc;
    while ((word = next_word(&at)))
        *ARRAY_PUSH(program->argv, program->argv_n) = word;
    if (program->argv_n == 0)
        return err_set(err, E_SYNTAX, "No program for task %s", tasks);
    for (uint32_t i = 0; i < parser->file->extra_n; i++)
        *ARRAY_PUSH(program->argv, program->argv_n) = literally(parser->file->extra[i]);
    return 0;
}

/* ---- the file ---- */

/* Takes a line with those that continue it; *number counts the lines that were taken. */
static void take_line(const char **at, struct strbuf *line, uint32_t *number)
{
    bool more = true;

    while (more && **at) {
        size_t n = strcspn(*at, "\n");

        more = n > 0 && (*at)[n - 1] == '\\';
        strbuf_add(line, *at, more ? n - 1 : n);
        *at += (*at)[n] ? n + 1 : n;
        (*number)++;
    }
}

static int parse_lines(struct parser *parser, const char *text, struct err *err)
{
    uint32_t number = 0;
    int rc = 0;

    for (const char *at = text; *at && rc == 0;) {
        AUTO(strbuf) struct strbuf line = { 0 };
        struct err why = { 0 };

        take_line(&at, &line, &number);
        rc = parse_line(parser, strbuf_text(&line), &why);
        if (rc < 0)
            err_set(err, why.code, "%s\nLine %u of configuration file %s invalid", why.text, number,
                    parser->file->name);
    }
    return rc;
}

/* Gives the tasks that no line named to the line of "*". */
static int check_others(struct parser *parser, struct err *err)
{
    struct step_spec *step = parser->step;
    struct step_program *others = NULL;

    if (parser->others_named)
        others = &step->programs[step->programs_n - 1];
    for (uint32_t task = 0; task < parser->file->ntasks; task++) {
        if (bitset_has(&parser->named, task))
            continue;
        if (!others)
            return err_set(err, E_SYNTAX, "Configuration file %s invalid, no record for task id %u",
                           parser->file->name, task);
        *ARRAY_PUSH(others->tasks, others->tasks_n) = task;
    }
    return 0;
}

int multi_prog_parse(struct multi_prog *file, const char *text, struct step_spec *step,
                     struct err *err)
{
    struct parser parser = { .file = file, .step = step };
    int rc;

    if (file->ntasks != COUNT_UNSET && file->ntasks > TASKS_MAX)
        return err_set(err, ERANGE, "%u tasks are more than %u", file->ntasks, TASKS_MAX);
    bitset_init(&parser.named, file->ntasks == COUNT_UNSET ? TASKS_MAX : file->ntasks);
    rc = parse_lines(&parser, text, err);
    if (rc == 0 && file->ntasks == COUNT_UNSET)
        file->ntasks = parser.highest ? parser.highest : 1;
    if (rc == 0)
        rc = check_others(&parser, err);
    bitset_clear(&parser.named);
    return rc;
}

int multi_prog_read(struct multi_prog *file, struct step_spec *step, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_CLOSE int fd = open(file->name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 1;

    while (n > 0 && text.len <= FILE_MAX) {
        n = read(fd, strbuf_reserve(&text, FILE_MAX), FILE_MAX);
        if (n > 0)
            strbuf_grown(&text, (size_t)n);
    }
    if (n < 0)
        return err_set(err, errno, "Could not open multi_prog config file %s: %s", file->name,
                       strerror(errno));
    if (text.len > FILE_MAX)
        return err_set(err, E_TOO_BIG, "multi_prog config file %s has more than %u bytes",
                       file->name, FILE_MAX);
    if (memchr(strbuf_text(&text), '\0', text.len))
        return err_set(err, E_SYNTAX, "multi_prog config file %s holds a zero byte", file->name);
    return multi_prog_parse(file, strbuf_text(&text), step, err);
}
