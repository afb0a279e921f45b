/*
 * mailer.h - runs MailProg in a helper process, so that a slow mail system stops nobody.
 *
 * The helper is this executable again, under the role MAILER_ROLE. It takes one mail a packet, runs
 * so many programs at once, and ends each after a while. What it cannot take at once is dropped: a
 * mail is news, and the job's record says the same.
 */
#pragma once

#include "common/base/err.h"
#include "common/msg/mail.h"

#define MAILER_ROLE       "sluice-mail"
#define MAILER_AT_ONCE    8
#define MAILER_PROGRAM_S  60
#define MAILER_PACKET_MAX (64u << 10)

struct mailer;

struct mailer *mailer_new(void);

/* Mails that the helper has taken still go out. NULL is fine. */
struct mailer *mailer_free(struct mailer *mailer);

/* Never waits. Fails with EAGAIN when too many mails wait, or when there is no helper to be had. */
int mailer_send(struct mailer *mailer, const struct mail *mail, struct err *err);

/* The helper's main(): serves the socket on descriptor 0 until it closes. */
int mailer_main(int argc, char **argv);
