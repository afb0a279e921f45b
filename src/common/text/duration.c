#include "common/text/duration.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/text/words.h"

/* The seconds in a day, an hour and a minute. */
static const int64_t day_s = 86400, hour_s = 3600, minute_s = 60;

static bool is_infinite(const char *text)
{
    return word_is(text, "INFINITE") || word_is(text, "UNLIMITED") || word_is(text, "-1");
}

static int refuse_size(const char *text, struct err *err)
{
    return err_set(err, ERANGE, "time '%.80s' is more than %lld days", text,
                   (long long)(DURATION_MAX_S / day_s));
}

/* Takes one number, which stops growing past the limit, so that sums of a few cannot overflow. */
static bool take_number(const char **at, int64_t *ret)
{
    int64_t number = 0;

    if (!isdigit((unsigned char)**at))
        return false;
    for (; isdigit((unsigned char)**at); (*at)++) {
        if (number <= DURATION_MAX_S)
            number = number * 10 + (**at - '0');
    }
    *ret = number;
    return true;
}

/* Takes numbers between colons, at most three; returns how many, or -1. */
static int take_fields(const char *at, int64_t field[3])
{
    int n = 0;

    do {
        if (n == 3 || !take_number(&at, &field[n++]))
            return -1;
    } while (*at++ == ':');
    return at[-1] ? -1 : n;
}

int duration_parse(const char *text, int64_t *ret_s, struct err *err)
{
    const char *at = text;
    int64_t field[3] = { 0 }, days = 0, s;
    bool has_days;
    int n = 0;

    if (is_infinite(text)) {
        *ret_s = DURATION_INFINITE;
        return 0;
    }
    has_days = take_number(&at, &days) && *at == '-';
    if (!has_days)
        days = 0;
    if (!has_days || at[1]) /* Slurm takes "1-" for one day */
        n = take_fields(has_days ? at + 1 : text, field);
    if (n < 0)
        return err_set(err, EINVAL,
                       "time '%.80s' is not of the form M, M:S, H:M:S, D-H, D-H:M or D-H:M:S",
                       text);

    if (days > DURATION_MAX_S || field[0] > DURATION_MAX_S || field[1] > DURATION_MAX_S ||
        field[2] > DURATION_MAX_S)
        return refuse_size(text, err);
    if (has_days || n == 3)
        s = days * day_s + field[0] * hour_s + field[1] * minute_s + field[2];
    else
        s = field[0] * minute_s + field[1];
    if (s > DURATION_MAX_S)
        return refuse_size(text, err);
    *ret_s = s;
    return 0;
}

int duration_parse_seconds(const char *text, int64_t *ret_s, struct err *err)
{
    uint64_t s = 0;
    int rc;

    if (is_infinite(text)) {
        *ret_s = DURATION_INFINITE;
        return 0;
    }
    rc = number_parse(text, 0, (uint64_t)DURATION_MAX_S, &s, err);
    if (rc == 0)
        *ret_s = (int64_t)s;
    return rc;
}

int64_t duration_minutes(int64_t s)
{
    return (s + minute_s - 1) / minute_s;
}

int64_t duration_round_up(int64_t s)
{
    if (s == DURATION_INFINITE)
        return s;
    return duration_minutes(s) * minute_s;
}

/* Appends the word for a length that is not a number of seconds; returns false when it is one. */
static bool format_word(struct strbuf *out, int64_t s)
{
    if (s == DURATION_INFINITE)
        strbuf_adds(out, "UNLIMITED");
    else if (s < 0)
        strbuf_adds(out, "INVALID");
    return s == DURATION_INFINITE || s < 0;
}

static void add_two_digits(struct strbuf *out, int number)
{
    strbuf_addc(out, (char)('0' + number / 10));
    strbuf_addc(out, (char)('0' + number % 10));
}

static void format_clock(struct strbuf *out, int64_t s, bool with_hours)
{
    int hours = (int)(s % day_s / hour_s);
    int minutes = (int)(s % hour_s / minute_s);
    int seconds = (int)(s % minute_s);

    if (s >= day_s) {
        strbuf_addi(out, s / day_s);
        strbuf_addc(out, '-');
    }
    if (s >= day_s || with_hours) {
        add_two_digits(out, hours);
        strbuf_addc(out, ':');
        add_two_digits(out, minutes);
    } else if (hours) {
        strbuf_addi(out, hours);
        strbuf_addc(out, ':');
        add_two_digits(out, minutes);
    } else {
        strbuf_addi(out, minutes);
    }
    strbuf_addc(out, ':');
    add_two_digits(out, seconds);
}

void duration_format(struct strbuf *out, int64_t s)
{
    if (!format_word(out, s))
        format_clock(out, s, true);
}

void duration_format_short(struct strbuf *out, int64_t s)
{
    if (!format_word(out, s))
        format_clock(out, s, false);
}
