/* helper.c - the process that waits for mail programs, so that no loop has to. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/strbuf.h"
#include "common/mail/mailer.h"

static int receive(struct mail *ret)
{
    AUTO_FREE char *packet = xmalloc(MAILER_PACKET_MAX);
    ssize_t n;

    do
        n = recv(STDIN_FILENO, packet, MAILER_PACKET_MAX, 0);
    while (n < 0 && errno == EINTR);
    mail_init(ret);
    if (n <= 0)
        return -E_CLOSED;
    return schema_decode(mail_schema(), packet + 1, (size_t)n - 1, ret, NULL);
}

static NO_RETURN void run_program(const struct mail *mail)
{
    char *argv[] = { mail->program, "-s", mail->subject, mail->to, NULL };
    AUTO_FREE char **environment = xcalloc(mail->environment_n + 1, sizeof(*environment));
    int null = open("/dev/null", O_RDWR);

    for (uint32_t i = 0; i < mail->environment_n; i++)
        environment[i] = mail->environment[i];
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        (void)dup2(null, fd);
    alarm(MAILER_PROGRAM_S); /* outlives exec, and ends a program that hangs */
    execve(mail->program, argv, environment);
    _exit(127);
}

static bool reap(int flags)
{
    return waitpid(-1, NULL, flags) > 0;
}

int mailer_main(int argc, char **argv)
{
    uint32_t running = 0;

    (void)argc;
    (void)argv;
    signal(SIGALRM, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    for (;;) {
        AUTO(mail) struct mail mail;

        if (receive(&mail) < 0)
            return 0; /* our owner is gone */
        while (running && reap(running < MAILER_AT_ONCE ? WNOHANG : 0))
            running--;
        if (mail.program && fork() == 0)
            run_program(&mail);
        running++;
    }
}
