#include "auth/cred/zip.h"

#include <bzlib.h>
#include <zlib.h>

#include "common/authc/wire.h"

enum { ZIP_HEADER_SIZE = 8, BZLIB_BLOCK_100K = 9 };
static const uint32_t ZIP_MAGIC = 0xCACACACA;

int zip_check(unsigned zip, struct err *err)
{
    if (zip == ZIP_NONE || zip == ZIP_BZLIB || zip == ZIP_ZLIB)
        return 0;
    return err_set(err, MUNGE_BAD_ZIP, "Invalid compression type %u", zip);
}

static bool zlib_pack(struct bytes in, char *to, size_t *n)
{
    uLongf to_n = (uLongf)*n;
    bool ok = compress2((Bytef *)to, &to_n, in.at, (uLong)in.left, Z_DEFAULT_COMPRESSION) == Z_OK;

    *n = (size_t)to_n;
    return ok;
}

static bool zlib_unpack(struct bytes in, char *to, size_t *n)
{
    uLongf to_n = (uLongf)*n;
    bool ok = uncompress((Bytef *)to, &to_n, in.at, (uLong)in.left) == Z_OK;

    *n = (size_t)to_n;
    return ok;
}

static bool bzlib_pack(struct bytes in, char *to, size_t *n)
{
    unsigned to_n = (unsigned)*n;
    char *from = (char *)(uintptr_t)in.at; /* libbz2 reads it only */
    bool ok = BZ2_bzBuffToBuffCompress(to, &to_n, from, (unsigned)in.left, BZLIB_BLOCK_100K, 0,
                                       0) == BZ_OK;

    *n = to_n;
    return ok;
}

static bool bzlib_unpack(struct bytes in, char *to, size_t *n)
{
    unsigned to_n = (unsigned)*n;
    char *from = (char *)(uintptr_t)in.at;
    bool ok = BZ2_bzBuffToBuffDecompress(to, &to_n, from, (unsigned)in.left, 0, 0) == BZ_OK;

    *n = to_n;
    return ok;
}

/* Gives as much room as makes packing worthwhile: a result that does not fit is no gain. */
bool zip_pack(unsigned zip, struct bytes in, struct strbuf *out)
{
    size_t before = out->len;
    size_t room;

    if (zip == ZIP_NONE || in.left <= ZIP_HEADER_SIZE + 1)
        return false;
    room = in.left - ZIP_HEADER_SIZE - 1;
    bytes_put_u32(out, ZIP_MAGIC);
    bytes_put_u32(out, (uint32_t)in.left);

    char *to = strbuf_reserve(out, room);

    if (zip == ZIP_ZLIB ? zlib_pack(in, to, &room) : bzlib_pack(in, to, &room)) {
        strbuf_grown(out, room);
        return true;
    }
    strbuf_truncate(out, before);
    return false;
}

int zip_unpack(unsigned zip, struct bytes in, size_t limit, struct strbuf *out, struct err *err)
{
    uint32_t magic = bytes_u32(&in);
    uint32_t length = bytes_u32(&in);
    size_t n = length;
    int rc = zip_check(zip, err);

    if (rc < 0)
        return rc;
    if (in.failed || magic != ZIP_MAGIC)
        return err_set(err, MUNGE_CRED_INVALID, "Compressed data without its header");
    if (length == 0 || length > limit)
        return err_set(err, MUNGE_CRED_INVALID, "Compressed data of %u bytes; the limit is %zu",
                       length, limit);

    char *to = strbuf_reserve(out, n);

    if (!(zip == ZIP_ZLIB ? zlib_unpack(in, to, &n) : bzlib_unpack(in, to, &n)) || n != length)
        return err_set(err, MUNGE_CRED_INVALID, "Compressed data does not decompress");
    strbuf_grown(out, n);
    return 0;
}
