#include "cli/lib/listing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/text/timetext.h"
#include "common/text/words.h"

#define SECONDS_MAX 86400u

int listing_read_format(const struct command *command, const struct listing_format *source,
                        struct report_format *ret_format)
{
    struct err err = { 0 };
    int rc = source->letters ? report_format_parse_letters(ret_format, source->letters, &err)
                             : report_format_parse_names(ret_format, source->names, &err);

    if (rc < 0) {
        command_report(command, NULL, &err);
        return command_exit_error();
    }
    for (uint32_t i = 0; i < ret_format->unknown_n; i++)
        log_error(command->log, "Invalid %s specification: %s", source->what,
                  ret_format->unknown[i]);
    return 0;
}

/* Writes the text. A reader that has gone away (`squeue | head`) needs no message. */
int listing_write(const struct command *command, struct strbuf *text)
{
    size_t written = fwrite(strbuf_text(text), 1, text->len, stdout);

    if (written == text->len && fflush(stdout) == 0) {
        strbuf_truncate(text, 0);
        return 0;
    }
    if (errno != EPIPE)
        log_error(command->log, "standard output: %s", strerror(errno));
    return 1;
}

int listing_print(const struct command *command, const struct report_format *format,
                  const struct report_context *ctx, const void *const *rows, uint32_t n,
                  bool has_header)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    int status = 0;

    if (has_header)
        report_header(format, &text);
    for (uint32_t i = 0; i < n && status == 0; i++) {
        report_line(format, ctx, rows[i], &text);
        if (text.len >= LISTING_FLUSH_BYTES)
            status = listing_write(command, &text);
    }
    return status ? status : listing_write(command, &text);
}

int listing_read_seconds(const struct command *command, const char *text, uint32_t *ret_s)
{
    uint64_t seconds = 0;

    if (text && number_parse(text, 1, SECONDS_MAX, &seconds, NULL) < 0) {
        log_error(command->log, "--iterate=%.100s", text);
        return command_exit_error();
    }
    *ret_s = (uint32_t)seconds;
    return 0;
}

void listing_check_time_format(const struct command *command, const char *manner)
{
    struct err err = { 0 };

    if (manner && time_format_check(manner, &err) < 0)
        command_report(command, NULL, &err);
}

void listing_print_date(int64_t now)
{
    char text[64] = "";
    time_t t = (time_t)now;
    struct tm tm;

    if (localtime_r(&t, &tm))
        strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm);
    printf("%s\n", text);
}

void listing_wait(uint32_t seconds)
{
    struct timespec left = { .tv_sec = (time_t)seconds };

    printf("\n");
    fflush(stdout);
    while (nanosleep(&left, &left) < 0 && errno == EINTR)
        continue;
}
