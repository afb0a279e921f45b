/*
 * digest.h - a hash that tells whether two texts are the same. It finds texts that were edited, not
 * texts that were forged.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define DIGEST_START UINT64_C(0xcbf29ce484222325)

/* Folds n more bytes into the digest (FNV-1a). */
static inline void digest_fold(uint64_t *digest, const void *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *digest = (*digest ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
}
