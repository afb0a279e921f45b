#include "dbd/coming.h"

#include <stdlib.h>

#include "ctld/control/acct/follow.h"

void coming_init(struct coming *coming)
{
    *coming = (struct coming){ .bytes = 0 };
    dbd_records_init(&coming->records);
}

void coming_clear(struct coming *coming)
{
    for (uint32_t i = 0; i < coming->carried_n; i++)
        dbd_carried_clear(&coming->carried[i]);
    free(coming->carried);
    dbd_records_clear(&coming->records);
    coming_init(coming);
}

/* Counts a message, whose parts take so many bytes beside what they say. */
static int count(struct coming *coming, const struct schema *schema, const void *msg, size_t parts,
                 uint64_t others, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    uint64_t bytes;

    schema_encode(schema, msg, &text);
    bytes = coming->bytes + text.len + parts;
    if (bytes + others > COMING_BYTES_MAX)
        return err_set(err, E_TOO_BIG,
                       "the accounts and transactions of clusters that register for the first time "
                       "take more than %u MiB together: let one come after the other, and purge "
                       "transactions before",
                       COMING_BYTES_MAX >> 20);
    coming->bytes = bytes;
    return 0;
}

int coming_add_records(struct coming *coming, struct dbd_records *piece, uint64_t others,
                       struct err *err)
{
    int rc = count(coming, dbd_records_schema(), piece, piece->records_n * sizeof(*piece->records),
                   others, err);

    if (rc == 0)
        acct_join_piece(&coming->records, piece);
    return rc;
}

int coming_add_carried(struct coming *coming, struct dbd_carried *page, uint64_t others,
                       struct err *err)
{
    int rc = count(coming, dbd_carried_schema(), page,
                   sizeof(*page) + page->events_n * sizeof(*page->events), others, err);

    if (rc < 0)
        return rc;
    *ARRAY_PUSH(coming->carried, coming->carried_n) = *page;
    dbd_carried_init(page); /* it has moved */
    return 0;
}
