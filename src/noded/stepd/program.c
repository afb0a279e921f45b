#include "noded/stepd/program.h"

/* Returns where the task stands among the program's; -1: it is not one of them. */
static int64_t place_of(const struct step_program *program, uint32_t task)
{
    for (uint32_t i = 0; i < program->tasks_n; i++) {
        if (program->tasks[i] == task)
            return i;
    }
    return -1;
}

static char *fill_in(const char *text, uint32_t task, uint32_t offset)
{
    AUTO(strbuf) struct strbuf word = { 0 };

    for (; *text; text++) {
        if (*text != '%') {
            strbuf_addc(&word, *text);
            continue;
        }
        text++;
        if (*text == 't' || *text == 'o')
            strbuf_addf(&word, "%u", *text == 't' ? task : offset);
        else
            strbuf_addc(&word, '%');
        if (!*text)
            break;
    }
    return strbuf_steal(&word);
}

static char **make_argv(const struct step_program *program, uint32_t task, uint32_t offset)
{
    char **argv = xcalloc((size_t)program->argv_n + 1, sizeof(*argv));

    for (uint32_t i = 0; i < program->argv_n; i++)
        argv[i] = fill_in(program->argv[i], task, offset);
    return argv;
}

char **program_argv(const struct launch_body *body, uint32_t task)
{
    for (uint32_t i = 0; i < body->programs_n; i++) {
        const struct step_program *program = &body->programs[i];
        const int64_t place = place_of(program, task);

        if (place >= 0 && program->argv_n > 0)
            return make_argv(program, task, program->others ? task : (uint32_t)place);
    }
    return NULL;
}

char **program_free(char **argv)
{
    for (char **at = argv; at && *at; at++)
        free(*at);
    free(argv);
    return NULL;
}
