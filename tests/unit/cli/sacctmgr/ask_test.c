/* Questions, as Slurm's sacctmgr asks them: answers that come by a pipe, and none. */
#include "unit/check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/sacctmgr/ask.h"

#define LONG_MS 60000

static int answers; /* where what is answered is written */

/* Lets the question be read from a pipe, and its words go to a file. */
static FILE *begin(void)
{
    FILE *said = tmpfile();
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    answers = ends[1];
    fflush(stdout);
    dup2(fileno(said), STDOUT_FILENO);
    return said;
}

static void answer(const char *text)
{
    ck_assert_int_eq(write(answers, text, strlen(text)), (ssize_t)strlen(text));
}

static void ck_said(FILE *said, const char *expected)
{
    char text[256] = "";

    fflush(stdout);
    rewind(said);
    text[fread(text, 1, sizeof(text) - 1, said)] = '\0';
    ck_assert_str_eq(text, expected);
    fclose(said);
}

START_TEST(who_answers_nothing_for_a_while_has_said_no)
{
    FILE *said = begin();

    ck_assert(!ask_yes(20));

    ck_said(said, "(N/y): timeout\n");
}
END_TEST

START_TEST(a_y_is_yes)
{
    FILE *said = begin();

    answer("y\n");

    ck_assert(ask_yes(LONG_MS));
    ck_said(said, "(N/y): \n");
}
END_TEST

START_TEST(an_n_and_an_empty_line_are_no)
{
    FILE *said = begin();

    answer("n\n\n");

    ck_assert(!ask_yes(LONG_MS));
    ck_assert(!ask_yes(LONG_MS));
    ck_said(said, "(N/y): \n(N/y): \n");
}
END_TEST

START_TEST(what_is_neither_is_asked_again)
{
    FILE *said = begin();

    answer("x");
    close(answers);

    ck_assert(!ask_yes(LONG_MS));
    ck_said(said, "(N/y): \nY or N please\n(N/y): \n");
}
END_TEST

START_TEST(what_is_behind_the_answer_stays)
{
    char rest[16] = "";
    FILE *said = begin();

    answer("y\nlist");

    ck_assert(ask_yes(LONG_MS));
    ck_assert_int_eq(read(STDIN_FILENO, rest, sizeof(rest) - 1), 4);
    ck_assert_str_eq(rest, "list");
    fclose(said);
}
END_TEST

CHECK_MAIN(ask, CASE(who_answers_nothing_for_a_while_has_said_no), CASE(a_y_is_yes),
           CASE(an_n_and_an_empty_line_are_no), CASE(what_is_neither_is_asked_again),
           CASE(what_is_behind_the_answer_stays))
