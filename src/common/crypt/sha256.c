/*
 * SHA-256 as FIPS 180-4 describes it. It is here because every command that sends a script needs
 * it, and opening OpenSSL takes longer than all else that such a command does.
 */
#include <string.h>

#include "common/base/alloc.h"
#include "common/crypt/crypt.h"

enum {
    BLOCK_N = sizeof(((struct crypt_hash *)NULL)->block),
    LENGTH_N = 8, /* at the end of the last block: how many bits were hashed */
};

static const uint32_t round_constants[BLOCK_N] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint32_t first_state[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t rotate(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static uint32_t read_word(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Section 6.2.2, step 1. */
static void make_schedule(const uint8_t block[BLOCK_N], uint32_t schedule[BLOCK_N])
{
    for (unsigned i = 0; i < 16; i++)
        schedule[i] = read_word(block + 4 * i);
    for (unsigned i = 16; i < BLOCK_N; i++) {
        uint32_t two = schedule[i - 2], fifteen = schedule[i - 15];
        uint32_t sigma0 = rotate(fifteen, 7) ^ rotate(fifteen, 18) ^ fifteen >> 3;
        uint32_t sigma1 = rotate(two, 17) ^ rotate(two, 19) ^ two >> 10;

        schedule[i] = sigma1 + schedule[i - 7] + sigma0 + schedule[i - 16];
    }
}

/* Steps 2 to 4; the letters are the standard's. */
static void hash_block(uint32_t state[8], const uint8_t block[BLOCK_N])
{
    uint32_t schedule[BLOCK_N];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

    make_schedule(block, schedule);
    for (unsigned i = 0; i < BLOCK_N; i++) {
        uint32_t sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
        uint32_t choice = (e & f) ^ (~e & g);
        uint32_t t1 = h + sum1 + choice + round_constants[i] + schedule[i];
        uint32_t sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
        uint32_t majority = (a & b) ^ (a & c) ^ (b & c);

        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + majority;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
    wipe(schedule, sizeof(schedule));
}

void crypt_hash_init(struct crypt_hash *hash)
{
    memcpy(hash->state, first_state, sizeof(first_state));
    hash->n = 0;
}

void crypt_hash_add(struct crypt_hash *hash, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;

    while (n > 0) {
        size_t held = hash->n % BLOCK_N;
        size_t part = n < BLOCK_N - held ? n : BLOCK_N - held;

        if (part == BLOCK_N) {
            hash_block(hash->state, at);
        } else {
            memcpy(hash->block + held, at, part);
            if (held + part == BLOCK_N)
                hash_block(hash->state, hash->block);
        }
        hash->n += part;
        at += part;
        n -= part;
    }
}

void crypt_hash_end(struct crypt_hash *hash, uint8_t ret_hash[CRYPT_SHA256_N])
{
    uint8_t padding[BLOCK_N + LENGTH_N] = { 0x80 };
    uint64_t bits = hash->n * 8;
    size_t zeros_end = BLOCK_N - (hash->n + LENGTH_N) % BLOCK_N; /* the 0x80 counted */

    for (unsigned i = 0; i < LENGTH_N; i++)
        padding[zeros_end + i] = (uint8_t)(bits >> (56 - 8 * i));
    crypt_hash_add(hash, padding, zeros_end + LENGTH_N);
    for (unsigned i = 0; i < CRYPT_SHA256_N; i++)
        ret_hash[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
    wipe(hash, sizeof(*hash));
}
