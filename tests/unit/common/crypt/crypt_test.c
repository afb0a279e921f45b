/* Test vectors of RFC 4231, 5869, 6234, 7748, 8032 and of NIST's GCM validation. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/crypt/crypt.h"
#include "unit/check_main.h"

static size_t unhex(const char *hex, uint8_t *out)
{
    size_t n = 0;
    unsigned byte;

    for (; hex[0] && sscanf(hex, "%2x", &byte) == 1; hex += 2)
        out[n++] = (uint8_t)byte;
    return n;
}

static void assert_hex(const uint8_t *bytes, size_t n, const char *hex)
{
    char got[512] = "";

    for (size_t i = 0; i < n; i++)
        snprintf(got + 2 * i, 3, "%02x", bytes[i]);
    ck_assert_str_eq(got, hex);
}

START_TEST(sha256_is_sha256)
{
    uint8_t hash[CRYPT_SHA256_N], parts[CRYPT_SHA256_N];
    struct crypt_hash state;

    crypt_sha256("abc", 3, hash);
    crypt_hash_init(&state);
    crypt_hash_add(&state, "a", 1);
    crypt_hash_add(&state, "", 0);
    crypt_hash_add(&state, "bc", 2);
    crypt_hash_end(&state, parts);

    assert_hex(hash, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ck_assert_mem_eq(hash, parts, 32);
    crypt_sha256(NULL, 0, hash);
    assert_hex(hash, 32, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
END_TEST

/* Each length around one and two blocks, in pieces of every size; the standard's long message. */
START_TEST(sha256_does_not_care_how_the_bytes_are_cut)
{
    uint8_t bytes[200], whole[CRYPT_SHA256_N], parts[CRYPT_SHA256_N];
    struct crypt_hash state;

    memset(bytes, 'a', sizeof(bytes));
    for (size_t n = 0; n <= 130; n++) {
        crypt_sha256(bytes, n, whole);
        for (size_t part = 1; part <= 70; part += 3) {
            crypt_hash_init(&state);
            for (size_t at = 0; at < n; at += part)
                crypt_hash_add(&state, bytes + at, part < n - at ? part : n - at);
            crypt_hash_end(&state, parts);
            ck_assert_mem_eq(whole, parts, CRYPT_SHA256_N);
        }
    }
    crypt_hash_init(&state);
    for (unsigned i = 0; i < 1000000 / sizeof(bytes); i++)
        crypt_hash_add(&state, bytes, sizeof(bytes));
    crypt_hash_end(&state, parts);
    assert_hex(parts, 32, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

START_TEST(hmac_is_hmac)
{
    uint8_t mac[CRYPT_SHA256_N];

    crypt_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, mac);

    assert_hex(mac, 32, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}
END_TEST

START_TEST(hmac_takes_a_key_longer_than_a_block)
{
    uint8_t key[131], mac[CRYPT_SHA256_N];

    memset(key, 0xaa, sizeof(key));
    crypt_hmac_sha256(key, sizeof(key), "Test Using Larger Than Block-Size Key - Hash Key First",
                      54, mac);
    assert_hex(mac, sizeof(mac),
               "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}
END_TEST

START_TEST(sha1_is_sha1)
{
    uint8_t hash[CRYPT_SHA1_N];

    crypt_sha1("abc", 3, hash);
    assert_hex(hash, sizeof(hash), "a9993e364706816aba3e25717850c26c9cd0d89d");
}
END_TEST

START_TEST(hkdf_is_hkdf)
{
    uint8_t secret[32], salt[32], info[32], key[32], out[42];
    size_t secret_n = unhex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", secret);
    size_t salt_n = unhex("000102030405060708090a0b0c", salt);
    size_t info_n = unhex("f0f1f2f3f4f5f6f7f8f9", info);

    crypt_hkdf_extract(salt, salt_n, secret, secret_n, key);
    crypt_hkdf_expand(key, info, info_n, out, sizeof(out));

    assert_hex(key, 32, "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
    assert_hex(
        out, 42,
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
}
END_TEST

START_TEST(x25519_is_x25519)
{
    uint8_t secret[32], other[32], shared[32], shared_again[32];
    struct crypt_x25519 a, b;

    unhex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4", secret);
    unhex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c", other);
    crypt_x25519_from_secret(&a, secret);
    ck_assert_int_eq(crypt_x25519_shared(&a, other, shared, NULL), 0);
    assert_hex(shared, 32, "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552");

    unhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb", secret);
    crypt_x25519_from_secret(&b, secret);
    assert_hex(b.public, 32, "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");

    crypt_x25519_new(&a);
    ck_assert_int_eq(crypt_x25519_shared(&a, b.public, shared, NULL), 0);
    ck_assert_int_eq(crypt_x25519_shared(&b, a.public, shared_again, NULL), 0);
    ck_assert_mem_eq(shared, shared_again, 32);
}
END_TEST

START_TEST(a_key_of_small_order_is_refused)
{
    static const uint8_t zero[32];
    struct crypt_x25519 own;
    uint8_t shared[32];
    struct err err = { 0 };

    crypt_x25519_new(&own);
    ck_assert_int_eq(crypt_x25519_shared(&own, zero, shared, &err), -E_PROTO);
}
END_TEST

START_TEST(sealing_is_aes_256_gcm)
{
    static const uint8_t key[32];
    uint8_t plain[16] = { 0 }, sealed[32];
    struct crypt_aead *aead = crypt_aead_new(key);

    crypt_aead_seal(aead, 0, "", 0, plain, 16, sealed);

    assert_hex(sealed, 32, "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919");
    crypt_aead_free(aead);
}
END_TEST

START_TEST(what_is_sealed_opens_only_unaltered)
{
    uint8_t key[32], box[5 + CRYPT_TAG_N], plain[5];
    struct crypt_aead *aead;

    crypt_random(key, sizeof(key));
    aead = crypt_aead_new(key);
    crypt_aead_seal(aead, 7, "head", 4, "hello", 5, box);

    ck_assert_int_eq(crypt_aead_open(aead, 7, "head", 4, box, sizeof(box), plain, NULL), 0);
    ck_assert_mem_eq(plain, "hello", 5);
    ck_assert_int_eq(crypt_aead_open(aead, 8, "head", 4, box, sizeof(box), plain, NULL), -E_PROTO);
    ck_assert_int_eq(crypt_aead_open(aead, 7, "Head", 4, box, sizeof(box), plain, NULL), -E_PROTO);
    ck_assert_int_eq(crypt_aead_open(aead, 7, "head", 4, box, 3, plain, NULL), -E_PROTO);
    for (size_t i = 0; i < sizeof(box); i++) {
        box[i] ^= 1;
        ck_assert_int_eq(crypt_aead_open(aead, 7, "head", 4, box, sizeof(box), plain, NULL),
                         -E_PROTO);
        box[i] ^= 1;
    }
    crypt_aead_free(aead);
}
END_TEST

START_TEST(signing_is_ed25519)
{
    uint8_t seed[32], signature[64];
    AUTO(crypt_sign_key) struct crypt_sign_key key;

    unhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", seed);
    crypt_sign_key_from_seed(&key, seed);
    crypt_sign(&key, NULL, 0, signature);

    assert_hex(key.public, 32, "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    assert_hex(signature, 64,
               "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
               "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
    ck_assert(crypt_verify(key.public, NULL, 0, signature));
}
END_TEST

START_TEST(a_signature_is_good_for_one_text_and_one_key)
{
    AUTO(crypt_sign_key) struct crypt_sign_key key, other;
    uint8_t signature[CRYPT_SIGN_N];

    crypt_sign_key_new(&key);
    crypt_sign_key_new(&other);
    crypt_sign(&key, "order", 5, signature);

    ck_assert(crypt_verify(key.public, "order", 5, signature));
    ck_assert(!crypt_verify(key.public, "other", 5, signature));
    ck_assert(!crypt_verify(other.public, "order", 5, signature));
    signature[0] ^= 1;
    ck_assert(!crypt_verify(key.public, "order", 5, signature));
}
END_TEST

START_TEST(a_key_file_is_kept_private)
{
    char path[] = "/tmp/crypt_test.XXXXXX";
    AUTO(crypt_sign_key) struct crypt_sign_key key, again;
    struct stat stat_key;
    struct err err = { 0 };

    close(mkstemp(path));
    crypt_sign_key_new(&key);
    ck_assert_int_eq(crypt_sign_key_store(path, &key, &err), -EEXIST);
    unlink(path);
    ck_assert_msg(crypt_sign_key_store(path, &key, &err) == 0, "%s", err.text);
    ck_assert_int_eq(stat(path, &stat_key), 0);
    ck_assert_uint_eq(stat_key.st_mode & 0777, 0600);
    ck_assert_int_eq(crypt_sign_key_load(path, &again, &err), 0);
    ck_assert_mem_eq(key.seed, again.seed, CRYPT_SEED_N);
    ck_assert_mem_eq(key.public, again.public, CRYPT_PUBLIC_N);

    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert_int_eq(crypt_sign_key_load(path, &again, &err), -EPERM);
    ck_assert_ptr_nonnull(strstr(err.text, "mode 0640 lets others in"));
    ck_assert_int_eq(chmod(path, 0600), 0);
    ck_assert_int_eq(truncate(path, 31), 0);
    ck_assert_int_eq(crypt_sign_key_load(path, &again, &err), -EINVAL);
    unlink(path);
    ck_assert_int_eq(crypt_sign_key_load(path, &again, &err), -ENOENT);
}
END_TEST

CHECK_MAIN(crypt, CASE(sha256_is_sha256), CASE(sha256_does_not_care_how_the_bytes_are_cut),
           CASE(hmac_is_hmac), CASE(hmac_takes_a_key_longer_than_a_block), CASE(sha1_is_sha1),
           CASE(hkdf_is_hkdf), CASE(x25519_is_x25519), CASE(a_key_of_small_order_is_refused),
           CASE(sealing_is_aes_256_gcm), CASE(what_is_sealed_opens_only_unaltered),
           CASE(signing_is_ed25519), CASE(a_signature_is_good_for_one_text_and_one_key),
           CASE(a_key_file_is_kept_private))
