#include "cli/sinfo/reservations.h"

#include <string.h>

#include "common/base/plain.h"
#include "common/text/duration.h"
#include "common/text/timetext.h"

#define NAME_WIDTH_MIN 9 /* RESV_NAME */
#define LINE           "%-*s  %8s  %19s  %19s  %11s  %s\n"

static int longest_name(const struct records *reservations)
{
    size_t longest = NAME_WIDTH_MIN;

    for (uint32_t i = 0; i < reservations->n; i++) {
        const struct reservation_record *record = record_at(reservations, i);
        const size_t n = strlen(record->name);

        longest = n > longest ? n : longest;
    }
    return (int)longest;
}

static void add_line(const struct reservation_view *view, const struct report_context *ctx,
                     int width, struct strbuf *out)
{
    AUTO_FREE char *name = plain_copy(view->record->name);
    AUTO(strbuf) struct strbuf start = { 0 };
    AUTO(strbuf) struct strbuf end = { 0 };
    AUTO(strbuf) struct strbuf duration = { 0 };

    time_format(&start, view->start, ctx->time_manner, ctx->now, "Unknown");
    time_format(&end, view->end, ctx->time_manner, ctx->now, "Unknown");
    duration_format(&duration, view->end - view->start);
    strbuf_addf(out, LINE, width, name, view->is_active ? "ACTIVE" : "INACTIVE",
                strbuf_text(&start), strbuf_text(&end), strbuf_text(&duration),
                view->record->nodes ? view->record->nodes : "(null)");
}

void sinfo_reservations_format(const struct records *reservations, const struct report_context *ctx,
                               bool has_header, struct strbuf *out)
{
    const int width = has_header ? longest_name(reservations) : NAME_WIDTH_MIN;

    if (has_header)
        strbuf_addf(out, LINE, width, "RESV_NAME", "STATE", "START_TIME", "END_TIME", "DURATION",
                    "NODELIST");
    for (uint32_t i = 0; i < reservations->n; i++) {
        const struct reservation_view view =
            reservation_view(record_at(reservations, i), NULL, ctx->now);

        add_line(&view, ctx, width, out);
    }
}
