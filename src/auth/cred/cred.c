#include "auth/cred/cred.h"

#include <openssl/rand.h>
#include <string.h>

#include "auth/cred/armor.h"
#include "auth/cred/zip.h"
#include "common/authc/wire.h"
#include "common/crypt/crypt.h"

static void derive(const void *key, size_t key_n, char digit, uint8_t subkey[CRED_SUBKEY_SIZE])
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    strbuf_add(&bytes, key, key_n);
    strbuf_addc(&bytes, digit);
    crypt_sha1(bytes.data, bytes.len, subkey);
    wipe(bytes.data, bytes.cap);
}

void cred_keys_derive(const void *key, size_t key_n, struct cred_keys *ret)
{
    derive(key, key_n, '1', ret->dek);
    derive(key, key_n, '2', ret->mac);
}

void cred_clear(struct cred *cred)
{
    if (cred->payload)
        wipe(cred->payload, cred->payload_n);
    free(cred->payload);
    *cred = (struct cred){ 0 };
}

void cred_auto_(struct cred *cred)
{
    cred_clear(cred);
}

int cred_randomize(struct cred *cred, struct err *err)
{
    uint8_t bytes[sizeof(cred->salt) + sizeof(cred->iv)];

    if (RAND_bytes(bytes, sizeof(bytes)) != 1)
        return err_set(err, MUNGE_INTERNAL, "No random bytes from OpenSSL");
    memcpy(cred->salt, bytes, sizeof(cred->salt));
    memcpy(cred->iv, bytes + sizeof(cred->salt), sizeof(cred->iv));
    return 0;
}

/* Values that the steps hand to each other, in either direction. */
struct work {
    struct suite *suite;
    const struct cred_keys *keys;
    struct cred *cred;
    struct strbuf raw;   /* the whole credential without its armor */
    struct strbuf inner; /* the inner layer, as it is at this step */
    struct bytes outer;  /* decoding: the part of raw before the MAC */
    struct bytes rest;   /* decoding: what is not read yet */
    bool padding_ok;
};

static void work_auto_(struct work *work)
{
    if (work->inner.data)
        wipe(work->inner.data, work->inner.cap);
    strbuf_clear(&work->inner);
    strbuf_clear(&work->raw);
}

static struct bytes bytes_in(const struct strbuf *buf)
{
    return bytes_of(strbuf_text(buf), buf->len);
}

static void replace(struct strbuf *old, struct strbuf *by)
{
    if (old->data)
        wipe(old->data, old->cap);
    strbuf_clear(old);
    *old = *by;
    *by = (struct strbuf){ 0 };
}

/* The MAC covers OUTER and the compressed, not yet encrypted INNER. */
static int compute_mac(const struct work *work, struct bytes outer, uint8_t mac[SUITE_DIGEST_MAX])
{
    const struct bytes pieces[2] = { outer, bytes_in(&work->inner) };

    return suite_hmac(work->suite, work->cred->mac, work->keys->mac, CRED_SUBKEY_SIZE, pieces, mac);
}

/* The data encryption key is the HMAC of the MAC, cut to what the cipher takes. */
static int compute_dek(const struct work *work, uint8_t dek[SUITE_DIGEST_MAX])
{
    const struct cred *cred = work->cred;
    const struct bytes pieces[2] = { bytes_of(cred->digest, cred->digest_n), bytes_of("", 0) };

    return suite_hmac(work->suite, cred->mac, work->keys->dek, CRED_SUBKEY_SIZE, pieces, dek);
}

/* ENCODING */

static int check_what_is_asked(const struct work *work, struct err *err)
{
    const struct cred *cred = work->cred;
    int rc = suite_check(work->suite, cred->cipher, cred->mac, err);

    if (rc == 0)
        rc = zip_check(cred->zip, err);
    if (rc == 0 && cred->payload_n > CRED_INNER_MAX - 512)
        return err_set(err, MUNGE_BAD_LENGTH, "Payload of %u bytes; the limit is %d",
                       cred->payload_n, CRED_INNER_MAX - 512);
    return rc;
}

static void put_inner(struct work *work)
{
    const struct cred *cred = work->cred;
    struct strbuf *out = &work->inner;

    strbuf_add(out, cred->salt, CRED_SALT_SIZE);
    bytes_put_u8(out, cred->addr_n);
    strbuf_add(out, cred->addr, cred->addr_n);
    bytes_put_u32(out, cred->encoded_at);
    bytes_put_u32(out, cred->ttl);
    bytes_put_u32(out, cred->uid);
    bytes_put_u32(out, cred->gid);
    bytes_put_u32(out, cred->only_uid);
    bytes_put_u32(out, cred->only_gid);
    bytes_put_u32(out, cred->payload_n);
    strbuf_add(out, cred->payload, cred->payload_n);
}

/* Compresses before the outer layer is written, which tells whether compression was worth it. */
static void compress_inner(struct work *work)
{
    struct strbuf packed = { 0 };

    if (zip_pack(work->cred->zip, bytes_in(&work->inner), &packed)) {
        replace(&work->inner, &packed);
    } else {
        strbuf_clear(&packed);
        work->cred->zip = ZIP_NONE;
    }
}

static void put_outer(struct work *work)
{
    const struct cred *cred = work->cred;

    bytes_put_u8(&work->raw, CRED_VERSION);
    bytes_put_u8(&work->raw, cred->cipher);
    bytes_put_u8(&work->raw, cred->mac);
    bytes_put_u8(&work->raw, cred->zip);
    bytes_put_u8(&work->raw, cred->realm_n);
    strbuf_add(&work->raw, cred->realm, cred->realm_n);
    strbuf_add(&work->raw, cred->iv, suite_iv_size(work->suite, cred->cipher));
}

static int put_mac(struct work *work)
{
    struct cred *cred = work->cred;
    int rc = compute_mac(work, bytes_in(&work->raw), cred->digest);

    if (rc < 0)
        return rc;
    cred->digest_n = (uint8_t)suite_digest_size(work->suite, cred->mac);
    strbuf_add(&work->raw, cred->digest, cred->digest_n);
    return 0;
}

static int encrypt_inner(struct work *work)
{
    struct suite_cipher_job job = { .cipher = work->cred->cipher,
                                    .iv = work->cred->iv,
                                    .in = bytes_in(&work->inner) };
    uint8_t dek[SUITE_DIGEST_MAX];

    if (job.cipher == CIPHER_NONE) {
        strbuf_add(&work->raw, work->inner.data, work->inner.len);
        return 0;
    }

    int rc = compute_dek(work, dek);

    job.key = dek;
    if (rc == 0)
        rc = suite_encrypt(work->suite, &job, &work->raw);
    wipe(dek, sizeof(dek));
    return rc;
}

int cred_encode(struct suite *suite, const struct cred_keys *keys, struct cred *cred,
                struct strbuf *out, struct err *err)
{
    AUTO(work) struct work work = { .suite = suite, .keys = keys, .cred = cred };
    int rc = check_what_is_asked(&work, err);

    if (rc < 0)
        return rc;
    put_inner(&work);
    compress_inner(&work);
    put_outer(&work);
    rc = put_mac(&work);
    if (rc == 0)
        rc = encrypt_inner(&work);
    if (rc < 0)
        return err_set(err, MUNGE_INTERNAL, "OpenSSL failed to encrypt");
    armor_put(out, bytes_in(&work.raw));
    return 0;
}

/* DECODING */

static int lacks(const char *what, struct err *err)
{
    return err_set(err, MUNGE_BAD_CRED, "Truncated %s", what);
}

static int read_version(struct work *work, struct err *err)
{
    uint8_t version = bytes_u8(&work->rest);

    if (work->rest.failed)
        return lacks("credential version", err);
    if (version != CRED_VERSION)
        return err_set(err, MUNGE_BAD_VERSION, "Invalid credential version %u", version);
    return 0;
}

static int read_algorithms(struct work *work, struct err *err)
{
    struct cred *cred = work->cred;

    cred->cipher = bytes_u8(&work->rest);
    if (work->rest.failed)
        return lacks("cipher type", err);
    cred->mac = bytes_u8(&work->rest);
    if (work->rest.failed)
        return lacks("MAC type", err);
    cred->zip = bytes_u8(&work->rest);
    if (work->rest.failed)
        return lacks("compression type", err);

    int rc = suite_check(work->suite, cred->cipher, cred->mac, err);

    return rc < 0 ? rc : zip_check(cred->zip, err);
}

static int read_realm(struct work *work, struct err *err)
{
    uint8_t n = bytes_u8(&work->rest);

    if (work->rest.failed)
        return lacks("security realm length", err);

    const uint8_t *realm = bytes_take(&work->rest, n);

    if (!realm)
        return lacks("security realm", err);
    memcpy(work->cred->realm, realm, n);
    work->cred->realm_n = n;
    return 0;
}

static int read_iv(struct work *work, struct err *err)
{
    size_t n = suite_iv_size(work->suite, work->cred->cipher);
    const uint8_t *iv = bytes_take(&work->rest, n);

    if (!iv)
        return lacks("cipher IV", err);
    memcpy(work->cred->iv, iv, n);
    work->outer = bytes_of(work->raw.data, work->raw.len - work->rest.left);
    return 0;
}

static int read_mac(struct work *work, struct err *err)
{
    size_t n = suite_digest_size(work->suite, work->cred->mac);
    const uint8_t *mac = bytes_take(&work->rest, n);

    if (!mac)
        return lacks("MAC", err);
    memcpy(work->cred->digest, mac, n);
    work->cred->digest_n = (uint8_t)n;
    return 0;
}

/* Fails with one answer for all that another key, or an altered byte, brings about. */
static int invalid(struct err *err)
{
    return err_set(err, MUNGE_CRED_INVALID, "Invalid credential");
}

static int decrypt_inner(struct work *work, struct err *err)
{
    struct suite_cipher_job job = { .cipher = work->cred->cipher,
                                    .iv = work->cred->iv,
                                    .in = work->rest };
    uint8_t dek[SUITE_DIGEST_MAX];

    work->padding_ok = true;
    if (job.cipher == CIPHER_NONE) {
        strbuf_add(&work->inner, work->rest.at, work->rest.left);
        return 0;
    }

    int rc = compute_dek(work, dek);

    job.key = dek;
    if (rc == 0)
        rc = suite_decrypt(work->suite, &job, &work->inner, &work->padding_ok);
    wipe(dek, sizeof(dek));
    if (rc == -MUNGE_INTERNAL)
        return err_set(err, MUNGE_INTERNAL, "OpenSSL failed to decrypt");
    return rc < 0 ? invalid(err) : 0;
}

static int verify_mac(struct work *work, struct err *err)
{
    const struct cred *cred = work->cred;
    uint8_t mac[SUITE_DIGEST_MAX];
    int rc = compute_mac(work, work->outer, mac);

    if (rc < 0)
        return err_set(err, MUNGE_INTERNAL, "OpenSSL failed to compute a MAC");
    if (!crypt_equal(mac, cred->digest, cred->digest_n) || !work->padding_ok)
        return invalid(err);
    return 0;
}

static int decompress_inner(struct work *work, struct err *err)
{
    struct strbuf plain = { 0 };

    if (work->cred->zip == ZIP_NONE)
        return 0;

    int rc = zip_unpack(work->cred->zip, bytes_in(&work->inner), CRED_INNER_MAX, &plain, err);

    if (rc < 0)
        strbuf_clear(&plain);
    else
        replace(&work->inner, &plain);
    return rc;
}

/*
 * Reads the inner layer. The MAC was right: an error here is a fault of the encoder, not of the
 * way.
 */
static int read_inner(struct work *work, struct err *err)
{
    struct bytes in = bytes_in(&work->inner);
    struct cred *cred = work->cred;
    const uint8_t *salt = bytes_take(&in, CRED_SALT_SIZE);
    uint8_t addr_n = bytes_u8(&in);
    const uint8_t *addr = bytes_take(&in, addr_n);

    cred->encoded_at = bytes_u32(&in);
    cred->ttl = bytes_u32(&in);
    cred->uid = bytes_u32(&in);
    cred->gid = bytes_u32(&in);
    cred->only_uid = bytes_u32(&in);
    cred->only_gid = bytes_u32(&in);

    uint32_t payload_n = bytes_u32(&in);
    const uint8_t *payload = bytes_take(&in, payload_n);

    if (in.failed)
        return err_set(err, MUNGE_BAD_CRED, "Truncated credential data");
    if (addr_n > CRED_ADDR_MAX)
        return err_set(err, MUNGE_BAD_CRED, "Origin address of %u bytes; the limit is %d", addr_n,
                       CRED_ADDR_MAX);
    memcpy(cred->salt, salt, CRED_SALT_SIZE);
    memcpy(cred->addr, addr, addr_n);
    cred->addr_n = addr_n;
    cred->payload = xmemdup(payload, payload_n);
    cred->payload_n = payload_n;
    return 0;
}

int cred_decode(struct suite *suite, const struct cred_keys *keys, const char *text, size_t n,
                struct cred *ret, struct err *err)
{
    static int (*const steps[])(struct work *, struct err *) = {
        read_version,  read_algorithms, read_realm,       read_iv,    read_mac,
        decrypt_inner, verify_mac,      decompress_inner, read_inner,
    };
    AUTO(cred) struct cred cred = { 0 };
    AUTO(work) struct work work = { .suite = suite, .keys = keys, .cred = &cred };
    int rc = armor_parse(text, n, &work.raw, err);

    work.rest = bytes_in(&work.raw);
    for (size_t i = 0; rc == 0 && i < ARRAY_N(steps); i++)
        rc = steps[i](&work, err);
    if (rc < 0)
        return rc;
    *ret = cred;
    cred.payload = NULL; /* handed over */
    return 0;
}
