/*
 * armor.h - a credential as text: "MUNGE:", base64, ":".
 *
 * White space before and inside is skipped and what follows the second colon is ignored, as munged
 * does, so that a credential survives mail and here-documents.
 */
#pragma once

#include "common/base/bytes.h"

void armor_put(struct strbuf *out, struct bytes raw);

/* Appends the bytes to `raw`. Fails with MUNGE_BAD_ARG (empty) or MUNGE_BAD_CRED. */
int armor_parse(const char *text, size_t n, struct strbuf *raw, struct err *err);
