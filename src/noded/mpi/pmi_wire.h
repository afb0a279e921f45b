/*
 * pmi_wire.h - the text of PMI: lines of version 1, packets of version 2.
 *
 * Version 1 sends "cmd=put kvsname=k key=a value=b" and a newline. Version 2 begins with such a
 * line and then sends packets: the length in six characters, then "cmd=kvs-put;key=a;value=b;" with
 * a semicolon in a value doubled. Pure; the bytes come from the user's programs.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

/* Limits that clients are told of; MPICH reads lines of at most 1024 bytes. */
#define PMI_KEY_MAX   64
#define PMI_VALUE_MAX 1024
#define PMI_BYTES_MAX (64u << 10) /* of one line or packet */
#define PMI_PAIRS_MAX 64

enum pmi_version { PMI_1 = 1, PMI_2 = 2 };

struct pmi_pair {
    char *key, *value;
};

/* Owns its pairs; the first is "cmd". */
struct pmi_message {
    struct pmi_pair pairs[PMI_PAIRS_MAX];
    uint32_t n;
};

/*
 * Reads the message at the start of `bytes`. Returns how many bytes it takes, 0 when more are
 * needed. Fails with E_PROTO or E_TOO_BIG.
 */
int64_t pmi_decode(enum pmi_version version, const char *bytes, size_t n, struct pmi_message *ret,
                   struct err *err);
void pmi_message_clear(struct pmi_message *message);
void pmi_message_auto_(struct pmi_message *message);

/* Returns the value of a key, or NULL. */
const char *pmi_get(const struct pmi_message *message, const char *key);

/* An answer is made by begin, add and end; what is appended to `out` by then is one message. */
struct pmi_answer {
    enum pmi_version version;
    struct strbuf text;
};
void pmi_begin(struct pmi_answer *answer, enum pmi_version version, const char *command);
void pmi_add(struct pmi_answer *answer, const char *key, const char *fmt, ...) PRINTF_LIKE(3, 4);
void pmi_end(struct pmi_answer *answer, struct strbuf *out);
