/* A file of SQL for `sacctmgr archive load`: what is taken of it is the same when it is read again,
 * and nothing is when it is wrong. */
#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/import/statements.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct book book = { .clusters = { .schema = cluster_record_schema() } };
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    struct statements first, second;
    struct err err = { 0 };
    int rc;

    assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    rc = statements_read(&first, fd, "fuzz", &book, "lab", &err);
    assert(rc == 0 || err.code);
    assert(statements_read(&second, fd, "fuzz", &book, "lab", &err) == rc);
    assert(first.jobs == second.jobs && first.events == second.events);
    statements_clear(&first);
    statements_clear(&second);
    close(fd);
    return 0;
}
