/* Decoding any text as a credential; the MAC is made right, so that inner layers are reached too.
 */
#include "auth/cred/armor.h"
#include "auth/cred/cred.h"
#include "auth/cred/zip.h"

#include <string.h>

static struct suite *suite;
static struct cred_keys keys;

static void decode(const char *text, size_t n)
{
    struct cred cred = { 0 };

    if (cred_decode(suite, &keys, text, n, &cred, NULL) == 0)
        cred_clear(&cred);
}

/* The input as what stands behind the MAC of an unencrypted credential. */
static void decode_inner(uint8_t zip, struct bytes inner)
{
    const uint8_t outer[] = { CRED_VERSION, CIPHER_NONE, MAC_SHA256, zip, 0 };
    const struct bytes pieces[2] = { bytes_of(outer, sizeof(outer)), inner };
    uint8_t mac[SUITE_DIGEST_MAX];
    AUTO(strbuf) struct strbuf raw = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    suite_hmac(suite, MAC_SHA256, keys.mac, CRED_SUBKEY_SIZE, pieces, mac);
    strbuf_add(&raw, outer, sizeof(outer));
    strbuf_add(&raw, mac, 32);
    strbuf_add(&raw, inner.at, inner.left);
    armor_put(&text, bytes_of(raw.data, raw.len));
    decode(text.data, text.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!suite) {
        suite = suite_new();
        cred_keys_derive("a key of thirty-two bytes or more", 33, &keys);
    }
    decode((const char *)data, size);
    if (size > 0)
        decode_inner(data[0] % ZIP_N, bytes_of(data + 1, size - 1));
    return 0;
}
