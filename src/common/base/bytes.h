/*
 * bytes.h - reading bytes that came from outside, and writing bytes for others, big-endian.
 *
 * A reader never runs past its end: the first read that would sets `failed`, and from then on every
 * read yields zero. So a decoder reads all its parts and checks once. Borrows the bytes.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strbuf.h"

struct bytes {
    const uint8_t *at;
    size_t left;
    bool failed;
};

struct bytes bytes_of(const void *data, size_t n);
uint8_t bytes_u8(struct bytes *in);
uint16_t bytes_u16(struct bytes *in);
uint32_t bytes_u32(struct bytes *in);
uint64_t bytes_u64(struct bytes *in);

/* Returns the next n bytes, borrowed. With fewer left it fails and returns NULL. */
const uint8_t *bytes_take(struct bytes *in, size_t n);

/* Reads a number in unsigned LEB128, which takes at most BYTES_VARINT_MAX bytes. */
enum { BYTES_VARINT_MAX = 10 };
uint64_t bytes_varint(struct bytes *in);

void bytes_put_u8(struct strbuf *out, uint8_t value);
void bytes_put_u16(struct strbuf *out, uint16_t value);
void bytes_put_u32(struct strbuf *out, uint32_t value);
void bytes_put_u64(struct strbuf *out, uint64_t value);
void bytes_put_varint(struct strbuf *out, uint64_t value);

/* Returns how many bytes were written. */
size_t bytes_write_varint(uint8_t ret_bytes[BYTES_VARINT_MAX], uint64_t value);
