#include "cli/sbcast/packing.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "common/base/library.h"

/* The two calls that are needed of each library; the interfaces are stable since version 1. */
struct lz4 {
    int (*pack)(const char *from, char *to, int from_n, int to_n);
    int (*unpack)(const char *from, char *to, int from_n, int to_n);
};

struct zlib {
    int (*pack)(unsigned char *to, unsigned long *to_n, const unsigned char *from,
                unsigned long from_n, int level);
    int (*unpack)(unsigned char *to, unsigned long *to_n, const unsigned char *from,
                  unsigned long from_n);
};

#define ZLIB_OK   0
#define ZLIB_FAST 1

static const char *const names[] = {
    [BCAST_PLAIN] = "none",
    [BCAST_LZ4] = "lz4",
    [BCAST_ZLIB] = "zlib",
};

/* Opens a library, if the host has it; neither is linked, nor needed. */
static bool open_library(const char *file, const char *pack, const char *unpack, void *ret_pack,
                         void *ret_unpack)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *first = library ? dlsym(library, pack) : NULL;
    void *second = library ? dlsym(library, unpack) : NULL;

    if (!first || !second)
        return false;
    memcpy(ret_pack, &first, sizeof(first));
    memcpy(ret_unpack, &second, sizeof(second));
    return true;
}

#define LZ4_SONAME "liblz4.so.1"
LIBRARY_NOTE(suggested, liblz4, LZ4_SONAME, "sbcast --compress=lz4");

static bool open_lz4(struct lz4 *ret)
{
    return open_library(LZ4_SONAME, "LZ4_compress_default", "LZ4_decompress_safe", &ret->pack,
                        &ret->unpack);
}

static bool open_zlib(struct zlib *ret)
{
    return open_library("libz.so.1", "compress2", "uncompress", &ret->pack, &ret->unpack);
}

bool packing_is_there(enum bcast_packing packing)
{
    struct lz4 lz4;
    struct zlib zlib;

    if (packing == BCAST_LZ4)
        return open_lz4(&lz4);
    return packing != BCAST_ZLIB || open_zlib(&zlib);
}

bool packing_parse(const char *text, enum bcast_packing *ret)
{
    if (!text || !*text) {
        *ret = packing_is_there(BCAST_LZ4) ? BCAST_LZ4 : BCAST_ZLIB;
        return true;
    }
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (strcasecmp(text, names[i]) != 0)
            continue;
        *ret = (enum bcast_packing)i;
        return true;
    }
    return false;
}

const char *packing_name(enum bcast_packing packing)
{
    return packing < ARRAY_N(names) ? names[packing] : "?";
}

/* Returns how many bytes the packed block has; 0: not fewer than before. */
static size_t pack(enum bcast_packing packing, const void *bytes, uint32_t n, char *room)
{
    unsigned long zlib_n = n - 1;
    struct lz4 lz4;
    struct zlib zlib;

    if (packing == BCAST_LZ4 && open_lz4(&lz4)) {
        int lz4_n = lz4.pack(bytes, room, (int)n, (int)n - 1);

        return lz4_n > 0 ? (size_t)lz4_n : 0;
    }
    if (packing == BCAST_ZLIB && open_zlib(&zlib) &&
        zlib.pack((unsigned char *)room, &zlib_n, bytes, n, ZLIB_FAST) == ZLIB_OK)
        return zlib_n;
    return 0;
}

bool packing_pack(enum bcast_packing packing, const void *bytes, uint32_t n, struct strbuf *out)
{
    size_t packed_n;

    strbuf_truncate(out, 0);
    if (packing == BCAST_PLAIN || n < 2)
        return false;
    packed_n = pack(packing, bytes, n, strbuf_reserve(out, n));
    strbuf_grown(out, packed_n);
    return packed_n > 0;
}

int packing_unpack(enum bcast_packing packing, const void *packed, uint32_t packed_n, uint32_t n,
                   struct strbuf *out, struct err *err)
{
    unsigned long got = n;
    struct lz4 lz4;
    struct zlib zlib;
    bool good = false;

    strbuf_truncate(out, 0);
    char *room = strbuf_reserve(out, n);
    if (!packing_is_there(packing))
        return err_set(err, ENOTSUP, "the library of %s is not installed here",
                       packing_name(packing));
    if (packing == BCAST_LZ4 && open_lz4(&lz4))
        good = lz4.unpack(packed, room, (int)packed_n, (int)n) == (int)n;
    else if (packing == BCAST_ZLIB && open_zlib(&zlib))
        good = zlib.unpack((unsigned char *)room, &got, packed, packed_n) == ZLIB_OK && got == n;
    if (!good)
        return err_set(err, EBADMSG, "a block of %u bytes does not unpack to %u", packed_n, n);
    strbuf_grown(out, n);
    return 0;
}
