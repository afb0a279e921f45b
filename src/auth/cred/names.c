#include "auth/cred/names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const cipher_names[CIPHER_N] = { "none",  "default", "blowfish",
                                                    "cast5", "aes128",  "aes256" };
static const char *const mac_names[MAC_N] = { NULL,        "default", "md5",   "sha1",
                                              "ripemd160", "sha256",  "sha512" };
static const char *const zip_names[ZIP_N] = { "none", "default", "bzlib", "zlib" };

static const struct {
    const char *const *names;
    unsigned n;
    const char *what;
} kinds[] = {
    [KIND_CIPHER] = { cipher_names, CIPHER_N, "cipher" },
    [KIND_MAC] = { mac_names, MAC_N, "MAC" },
    [KIND_ZIP] = { zip_names, ZIP_N, "compression" },
};

const char *cred_name(enum cred_kind kind, unsigned code)
{
    return code < kinds[kind].n ? kinds[kind].names[code] : NULL;
}

int cred_code_parse(enum cred_kind kind, const char *text, uint8_t *ret_code, struct err *err)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    bool is_number = *text >= '0' && *text <= '9' && *end == '\0';

    for (unsigned code = 0; code < kinds[kind].n; code++) {
        const char *name = cred_name(kind, code);

        if (name && (is_number ? number == code : strcasecmp(name, text) == 0)) {
            *ret_code = (uint8_t)code;
            return 0;
        }
    }
    return err_set(err, EINVAL, "Invalid %s type \"%s\"", kinds[kind].what, text);
}
