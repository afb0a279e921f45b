#include "common/mail/mailer.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/strbuf.h"

extern char **environ;

struct mailer {
    int fd; /* to the helper, -1: none */
    pid_t pid;
};

struct mailer *mailer_new(void)
{
    struct mailer *mailer = xcalloc(1, sizeof(*mailer));

    mailer->fd = -1;
    return mailer;
}

/* It ends by itself once it has read what is left; until then it is nobody's zombie but ours. */
static void leave_helper(struct mailer *mailer)
{
    if (mailer->fd < 0)
        return;
    close(mailer->fd);
    mailer->fd = -1;
    (void)waitpid(mailer->pid, NULL, WNOHANG);
}

struct mailer *mailer_free(struct mailer *mailer)
{
    if (mailer)
        leave_helper(mailer);
    free(mailer);
    return NULL;
}

static int spawn_helper(struct mailer *mailer, int child_fd)
{
    char *argv[] = { (char *)(uintptr_t)MAILER_ROLE, NULL };
    posix_spawn_file_actions_t actions;
    int rc;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, child_fd, STDIN_FILENO);
    rc = posix_spawn(&mailer->pid, "/proc/self/exe", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return -rc;
}

static int start_helper(struct mailer *mailer)
{
    int pair[2], rc;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    rc = spawn_helper(mailer, pair[1]);
    close(pair[1]);
    if (rc < 0) {
        close(pair[0]);
        return rc;
    }
    mailer->fd = pair[0];
    return 0;
}

static int send_packet(struct mailer *mailer, const struct strbuf *packet)
{
    if (mailer->fd < 0 && start_helper(mailer) < 0)
        return -EAGAIN;
    if (send(mailer->fd, packet->data, packet->len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        return -errno;
    return 0;
}

int mailer_send(struct mailer *mailer, const struct mail *mail, struct err *err)
{
    AUTO(strbuf) struct strbuf packet = { 0 };
    int rc;

    strbuf_addc(&packet, 0); /* a packet is never empty, so that 0 bytes mean the end */
    schema_encode(mail_schema(), mail, &packet);
    if (packet.len > MAILER_PACKET_MAX)
        return err_set(err, E_TOO_BIG, "mail to %s: '%.80s...' is longer than %u bytes", mail->to,
                       mail->subject, MAILER_PACKET_MAX);
    rc = send_packet(mailer, &packet);
    if (rc < 0 && rc != -EAGAIN) { /* the helper is gone */
        leave_helper(mailer);
        rc = send_packet(mailer, &packet);
    }
    if (rc < 0)
        return err_set(err, EAGAIN, "mail to %s is dropped: '%s': %s", mail->to, mail->subject,
                       strerror(-rc));
    return 0;
}
