#include "common/base/bytes.h"

struct bytes bytes_of(const void *data, size_t n)
{
    return (struct bytes){ .at = data, .left = n };
}

const uint8_t *bytes_take(struct bytes *in, size_t n)
{
    const uint8_t *taken = in->at;

    if (in->failed || n > in->left) {
        in->failed = true;
        return NULL;
    }
    in->at += n;
    in->left -= n;
    return taken;
}

static uint64_t take_number(struct bytes *in, size_t n)
{
    const uint8_t *part = bytes_take(in, n);
    uint64_t value = 0;

    for (size_t i = 0; part && i < n; i++)
        value = value << 8 | part[i];
    return value;
}

uint8_t bytes_u8(struct bytes *in)
{
    return (uint8_t)take_number(in, 1);
}

uint16_t bytes_u16(struct bytes *in)
{
    return (uint16_t)take_number(in, 2);
}

uint32_t bytes_u32(struct bytes *in)
{
    return (uint32_t)take_number(in, 4);
}

uint64_t bytes_u64(struct bytes *in)
{
    return take_number(in, 8);
}

uint64_t bytes_varint(struct bytes *in)
{
    uint64_t value = 0;

    if (!in->failed && in->left && *in->at < 0x80) { /* nearly all are that small */
        in->left--;
        return *in->at++;
    }
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = bytes_u8(in);

        if (shift == 63 && byte > 1)
            break; /* more than 64 bits */
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return in->failed ? 0 : value;
    }
    in->failed = true;
    return 0;
}

static void put_number(struct strbuf *out, uint64_t value, unsigned n)
{
    while (n-- > 0)
        strbuf_addc(out, (char)(value >> (8 * n)));
}

void bytes_put_u8(struct strbuf *out, uint8_t value)
{
    put_number(out, value, 1);
}

void bytes_put_u16(struct strbuf *out, uint16_t value)
{
    put_number(out, value, 2);
}

void bytes_put_u32(struct strbuf *out, uint32_t value)
{
    put_number(out, value, 4);
}

void bytes_put_u64(struct strbuf *out, uint64_t value)
{
    put_number(out, value, 8);
}

void bytes_put_varint(struct strbuf *out, uint64_t value)
{
    uint8_t *at = (uint8_t *)strbuf_reserve(out, BYTES_VARINT_MAX);

    strbuf_grown(out, bytes_write_varint(at, value));
}

size_t bytes_write_varint(uint8_t ret_bytes[BYTES_VARINT_MAX], uint64_t value)
{
    size_t n = 0;

    while (value >= 0x80) {
        ret_bytes[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    ret_bytes[n++] = (uint8_t)value;
    return n;
}
