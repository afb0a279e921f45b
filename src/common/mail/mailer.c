#include "common/mail/mailer.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/strbuf.h"
#include "common/proc/helper.h"

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

static int send_packet(struct mailer *mailer, const struct strbuf *packet)
{
    if (mailer->fd < 0 && proc_start_helper(MAILER_ROLE, &mailer->pid, &mailer->fd) < 0)
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
