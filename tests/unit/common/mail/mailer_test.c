/* The helper is this program once more: its main() serves as one when it is called so. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/mail/mailer.h"

#define main check_main
#include "unit/check_main.h"

#define PATIENCE_MS 20000

static char dir[] = "/tmp/mailer_test.XXXXXX";

/* A program that writes down how it was called, at once under its last name. */
static char *make_program(void)
{
    char *path = xasprintf("%s/program", dir);
    FILE *file = fopen(path, "we");

    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\necho \"$# $1|$2|$3|$NEWS\" >%s/new && mv %s/new %s/called\n", dir,
            dir, dir);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(path, 0700), 0);
    return path;
}

static bool read_called(char *ret, size_t n)
{
    AUTO_FREE char *path = xasprintf("%s/called", dir);
    FILE *file = fopen(path, "re");
    bool found = file && fgets(ret, (int)n, file);

    if (file)
        fclose(file);
    (void)unlink(path);
    return found;
}

static void await_call(const char *expected)
{
    const int64_t deadline = clock_mono_ms() + PATIENCE_MS;
    char line[256] = "";

    while (!read_called(line, sizeof(line)) && clock_mono_ms() < deadline)
        usleep(1000);
    ck_assert_str_eq(line, expected);
}

static void make_mail(struct mail *mail, char *program, const char *subject)
{
    mail_init(mail);
    mail->program = program;
    mail->to = xstrdup("ann");
    mail->subject = xstrdup(subject);
    *ARRAY_PUSH(mail->environment, mail->environment_n) = xstrdup("NEWS=good");
    *ARRAY_PUSH(mail->environment, mail->environment_n) = xstrdup("PATH=/usr/bin:/bin");
}

START_TEST(the_program_gets_subject_address_and_environment)
{
    struct mailer *mailer;
    AUTO(mail) struct mail mail;

    ck_assert_ptr_nonnull(mkdtemp(dir));
    mailer = mailer_new();
    make_mail(&mail, make_program(), "Slurm Job_id=1 'x'");

    ck_assert_int_eq(mailer_send(mailer, &mail, NULL), 0);
    await_call("3 -s|Slurm Job_id=1 'x'|ann|good\n");
    ck_assert_int_eq(mailer_send(mailer, &mail, NULL), 0);
    await_call("3 -s|Slurm Job_id=1 'x'|ann|good\n");

    unlink(mail.program);
    rmdir(dir);
    mailer_free(mailer);
}
END_TEST

START_TEST(what_is_too_long_is_refused)
{
    struct mailer *mailer = mailer_new();
    AUTO(mail) struct mail mail;
    struct err err = { 0 };

    make_mail(&mail, xstrdup("/bin/true"), "");
    free(mail.subject);
    mail.subject = xmalloc(MAILER_PACKET_MAX + 1);
    memset(mail.subject, 'x', MAILER_PACKET_MAX);
    mail.subject[MAILER_PACKET_MAX] = '\0';

    ck_assert_int_eq(mailer_send(mailer, &mail, &err), -E_TOO_BIG);
    ck_assert_ptr_nonnull(strstr(err.text, "mail to ann"));
    mailer_free(mailer);
}
END_TEST

CHECK_MAIN(mailer, CASE(the_program_gets_subject_address_and_environment),
           CASE(what_is_too_long_is_refused))

#undef main
int main(int argc, char **argv)
{
    return strcmp(argv[0], MAILER_ROLE) == 0 ? mailer_main(argc, argv) : check_main();
}
