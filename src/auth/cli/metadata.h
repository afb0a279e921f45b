/*
 * metadata.h - what unmunge prints about a credential: one "KEY: value" line each.
 */
#pragma once

#include <stdbool.h>

#include "common/authc/authc.h"
#include "common/base/strbuf.h"

enum metadata_key {
    META_STATUS,
    META_ENCODE_HOST,
    META_ENCODE_TIME,
    META_DECODE_TIME,
    META_TTL,
    META_CIPHER,
    META_MAC,
    META_ZIP,
    META_UID,
    META_GID,
    META_UID_RESTRICTION,
    META_GID_RESTRICTION,
    META_LENGTH,
    META_N,
};

#define METADATA_ALL ((1U << META_N) - 1)

const char *metadata_name(enum metadata_key key);

/* Reads a list like "uid, gid" as a set of keys; ignores other words, as unmunge does. */
unsigned metadata_parse_keys(const char *text);

struct metadata {
    const struct authc_identity *identity;
    unsigned status;
    unsigned keys; /* a set */
    bool numeric;  /* no names: for scripts, and without asking the name service */
};

/* Appends a line for each key asked for; leaves restrictions out when there are none. */
void metadata_format(const struct metadata *metadata, struct strbuf *out);
