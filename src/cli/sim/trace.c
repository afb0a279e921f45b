#include "cli/sim/trace.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#define CHUNK (256u << 10)

static int fail_read(gzFile file, const char *path, struct err *err)
{
    int code = Z_OK;
    const char *text = gzerror(file, &code);

    if (code == Z_ERRNO)
        return err_set(err, errno, "cannot read %s: %s", path, strerror(errno));
    return err_set(err, E_SYNTAX, "cannot read %s: %s", path,
                   code == Z_BUF_ERROR ? "the compressed file is cut short" : text);
}

static int read_all(gzFile file, const char *path, struct swf *swf, struct err *err)
{
    AUTO_FREE char *chunk = xmalloc(CHUNK);
    int n, rc = 0, code = Z_OK;

    while (rc == 0 && (n = gzread(file, chunk, CHUNK)) > 0)
        rc = swf_feed(swf, chunk, (size_t)n, err);
    if (rc < 0)
        return rc;
    gzerror(file, &code);
    if (n < 0 || code != Z_OK)
        return fail_read(file, path, err);
    return swf_end(swf, err);
}

int trace_read(const char *path, struct swf *ret, struct err *err)
{
    gzFile file = gzopen(path, "rbe");
    int rc;

    if (!file)
        return err_set(err, errno, "cannot open %s: %s", path, strerror(errno));
    rc = read_all(file, path, ret, err);
    gzclose(file);
    return rc;
}
