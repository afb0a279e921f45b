/* A trace in pieces of several sizes: what is read does not depend on where it was cut. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "ctld/sim/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_pieces(struct swf *swf, const uint8_t *data, size_t size, size_t piece)
{
    struct err err = { 0 };
    int rc = 0;

    swf_init(swf, "a.swf");
    for (size_t at = 0; rc == 0 && at < size; at += piece)
        rc = swf_feed(swf, (const char *)data + at, size - at < piece ? size - at : piece, &err);
    return rc == 0 ? swf_end(swf, &err) : rc;
}

static void make_workload(const struct swf *swf)
{
    AUTO(workload) struct workload workload = { 0 };
    struct err err = { 0 };

    (void)workload_from_swf(swf, 0, &workload, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(swf) struct swf whole;
    AUTO(swf) struct swf pieces;
    const int rc = read_pieces(&whole, data, size, size + 1);

    assert(read_pieces(&pieces, data, size, 7) == rc);
    assert(pieces.jobs_n == whole.jobs_n && pieces.max_procs == whole.max_procs);
    assert(!whole.jobs_n ||
           memcmp(pieces.jobs, whole.jobs, whole.jobs_n * sizeof(*whole.jobs)) == 0);
    if (rc == 0)
        make_workload(&whole);
    return 0;
}
