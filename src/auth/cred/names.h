/*
 * names.h - the ciphers, MACs and compressions of MUNGE by code and by name.
 *
 * Codes are those in credentials and on the wire; names are those that `munge --list-*` prints.
 * Tables only, no cryptography: also for commands that never open a key.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"

enum cred_cipher {
    CIPHER_NONE = 0,
    CIPHER_DEFAULT = 1,
    CIPHER_BLOWFISH = 2,
    CIPHER_CAST5 = 3,
    CIPHER_AES128 = 4,
    CIPHER_AES256 = 5,
    CIPHER_N,
};

enum cred_mac {
    MAC_NONE = 0, /* never valid */
    MAC_DEFAULT = 1,
    MAC_MD5 = 2,
    MAC_SHA1 = 3,
    MAC_RIPEMD160 = 4,
    MAC_SHA256 = 5,
    MAC_SHA512 = 6,
    MAC_N,
};

enum cred_zip {
    ZIP_NONE = 0,
    ZIP_DEFAULT = 1,
    ZIP_BZLIB = 2,
    ZIP_ZLIB = 3,
    ZIP_N,
};

enum cred_kind { KIND_CIPHER, KIND_MAC, KIND_ZIP };

/* Returns the name of a code; NULL for one that does not exist (and for MAC 0). */
const char *cred_name(enum cred_kind kind, unsigned code);

/* Takes a name in any case, or a number; -EINVAL for anything else. */
int cred_code_parse(enum cred_kind kind, const char *text, uint8_t *ret_code, struct err *err);
