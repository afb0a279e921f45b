/*
 * mail_events.h - the events of --mail-type and MailType=, as words and as bits. Pure.
 */
#pragma once

#include <stdint.h>

#include "common/base/strbuf.h"

/*
 * Reads words such as "BEGIN,END" or "ALL" and adds them to *events; NONE clears all. Fails with
 * EINVAL.
 */
int mail_events_read(const char *text, uint32_t *events);

/* Appends the events in Slurm's order and letters; nothing for no events. */
void mail_events_format(uint32_t events, struct strbuf *out);
