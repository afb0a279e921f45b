/* sums.c - sums of the time before jobs, to the controller. */
#include <stdlib.h>

#include "cli/import/history.h"
#include "cli/import/usage.h"
#include "common/base/alloc.h"
#include "common/msg/import.h"
#include "common/msg/types.h"

#define PAGE_BYTES (512u << 10) /* at which it is sent */

struct sending {
    struct history *history;
    struct import_page page;
    size_t size; /* of it, encoded */
};

static int send_page(struct sending *sending, struct err *err)
{
    int rc = 0;

    sending->page.number = sending->history->number;
    if (sending->page.number && sending->page.sums_n)
        rc = client_call(sending->history->client, MSG_IMPORT_PAGE, &sending->page,
                         MSG_IMPORT_TAKEN, NULL, err);
    import_page_clear(&sending->page);
    sending->size = 0;
    return rc;
}

static int take(const struct sums_whole *whole, void *ctx, struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct sending *sending = ctx;
    struct sums_whole *copy;

    if (!sending->history->number)
        return 0;
    copy = ARRAY_PUSH(sending->page.sums, sending->page.sums_n);
    sums_whole_init(copy);
    schema_copy(sums_whole_schema(), copy, whole);
    schema_encode(sums_whole_schema(), whole, &bytes);
    sending->size += bytes.len;
    return sending->size >= PAGE_BYTES ? send_page(sending, err) : 0;
}

static void tell(uint64_t rows, void *ctx)
{
    const struct history *history = ((const struct sending *)ctx)->history;

    history->tell(FOREIGN_USAGE_HOUR, rows, history->tell_ctx);
}

int history_sums(struct history *history, struct err *err)
{
    struct sending sending = { .history = history };
    const struct usage usage = { .survey = history->survey,
                                 .foreign = history->foreign,
                                 .plan = history->plan,
                                 .take = take,
                                 .tell = tell,
                                 .ctx = &sending };
    int rc;

    import_page_init(&sending.page);
    rc = usage_read(&usage, err);
    if (rc == 0)
        rc = send_page(&sending, err);
    import_page_clear(&sending.page);
    return rc;
}
