/*
 * answer.h - turns what a caller asks for into requests, and replies into results or errors.
 *
 * Inside common/authc only; shared by the blocking and the asynchronous way.
 */
#pragma once

#include "common/authc/exchange.h"

/* Put a request into the exchange. Fail when it is too big for a message. */
int answer_ask_encode(struct exchange *exchange, const struct authc_what *what, struct err *err);
int answer_ask_decode(struct exchange *exchange, const char *cred, size_t cred_n, struct err *err);
void answer_ask_fingerprint(struct exchange *exchange);

/* Read the reply of a finished exchange. authc.h lists their errors. */
int answer_encoded(const struct exchange *exchange, char **ret_cred, struct err *err);
int answer_inspected(const struct exchange *exchange, struct authc_identity *ret,
                     unsigned *ret_status, struct err *err);
int answer_decoded(const struct exchange *exchange, struct authc_identity *ret, struct err *err);
int answer_fingerprint(const struct exchange *exchange, char ret[AUTHC_FINGERPRINT_SIZE],
                       struct err *err);
