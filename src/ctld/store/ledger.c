#include "ctld/store/ledger.h"

#include <inttypes.h>

#include "common/base/alloc.h"
#include "common/crypt/crypt.h"

#define STORE "archive_store"

static const char *const names[] = {
    [LEDGER_LEFT] = "archive_left", [LEDGER_TAKEN] = "archive_taken"
};

static int read_number(struct sql *db, const char *name, uint64_t *ret, struct err *err)
{
    AUTO_FREE char *text =
        xasprintf("SELECT ifnull(max(number), 0) FROM {numbers} WHERE name = '%s'", name);
    int64_t number = 0;
    int rc = sql_number(db, text, &number, err);

    *ret = (uint64_t)number;
    return rc;
}

static int write_number(struct sql *db, const char *name, uint64_t number, struct err *err)
{
    AUTO_FREE char *text =
        xasprintf("REPLACE INTO {numbers} (name, number) VALUES ('%s', %" PRIu64 ")", name, number);

    return sql_exec(db, text, err);
}

static char *name_of(enum ledger ledger, uint64_t archive)
{
    return xasprintf("%s %016" PRIx64, names[ledger], archive);
}

int ledger_store(struct sql *db, uint64_t *ret, struct err *err)
{
    int rc = read_number(db, STORE, ret, err);

    if (rc < 0 || *ret)
        return rc;
    crypt_random(ret, sizeof(*ret));
    *ret = (*ret & INT64_MAX) | 1;
    return write_number(db, STORE, *ret, err);
}

int ledger_note(struct sql *db, enum ledger ledger, uint64_t archive, uint64_t n, struct err *err)
{
    AUTO_FREE char *name = name_of(ledger, archive);

    return write_number(db, name, n, err);
}

int ledger_read(struct sql *db, enum ledger ledger, uint64_t archive, uint64_t *ret,
                struct err *err)
{
    AUTO_FREE char *name = name_of(ledger, archive);

    return read_number(db, name, ret, err);
}

int ledger_forget(struct sql *db, enum ledger ledger, uint64_t archive, struct err *err)
{
    AUTO_FREE char *name = name_of(ledger, archive);
    AUTO_FREE char *text = xasprintf("DELETE FROM {numbers} WHERE name = '%s'", name);

    return sql_exec(db, text, err);
}
