/* payload.h - reading the launch body, environment and script, and holding them to their hashes. */
#pragma once

#include "common/msg/step.h"

/*
 * Appends all of `fd` from its beginning, at most `max` bytes, when its SHA-256 is `sha256`.
 * Fails with E_TOO_BIG or E_PROTO, naming `what`.
 */
int payload_read(int fd, const char *what, const struct blob *sha256, size_t max,
                 struct strbuf *bytes, struct err *err);

/* Decodes the body as the credential means it: the same job and step, a layout with this node in
 * it. */
int payload_decode_body(const struct strbuf *bytes, const struct launch_cred *cred,
                        struct launch_body *ret, struct err *err);
