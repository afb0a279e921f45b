/*
 * request_text.h - what a user asks for, in words: for events and the log.
 */
#pragma once

#include <stdint.h>

#include "common/base/strbuf.h"

/* Adds "job update" of JOB_UPDATE, "job cancel" of the JOB_SIGNAL of scancel. `msg` is NULL where
 * it could not be decoded. */
void request_name(uint32_t type, const void *msg, struct strbuf *out);

/* Adds "hold time_limit=300", "signal=10": what is not in the request's name, nor a job or node
 * that it names. Nothing is added where there is no more. */
void request_details(uint32_t type, const void *msg, struct strbuf *out);
