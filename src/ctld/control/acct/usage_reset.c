/*
 * Usage is forgotten when a period of the calendar is over: at midnight, on Sunday, on the first
 * day of a month, of a quarter (January, April, July, October), of a year. A number that turns keep
 * says when that was last done, so that a controller which was not there catches up.
 */
#include "ctld/control/acct/usage_reset.h"

#include <string.h>
#include <time.h>

#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"

#define MONTHS_OF_QUARTER 3

/* Moves a date to the first day of the next period. */
static void go_to_next(uint32_t period, struct tm *date)
{
    switch (period) {
    case PRIORITY_RESET_DAILY:
        date->tm_mday++;
        break;
    case PRIORITY_RESET_WEEKLY:
        date->tm_mday += 7 - date->tm_wday;
        break;
    case PRIORITY_RESET_MONTHLY:
        date->tm_mday = 1;
        date->tm_mon++;
        break;
    case PRIORITY_RESET_QUARTERLY:
        date->tm_mday = 1;
        date->tm_mon += MONTHS_OF_QUARTER - date->tm_mon % MONTHS_OF_QUARTER;
        break;
    default:
        date->tm_mday = 1;
        date->tm_mon = 0;
        date->tm_year++;
    }
}

static uint32_t period_of(const struct control *control)
{
    const struct priority_config *config = &control->model->config.priority;

    return config->multifactor ? config->reset : PRIORITY_RESET_NONE;
}

/* Returns the wall time at which the period ends in which the moment is; 0: it does not end. */
static int64_t end_of_period(const struct control *control, int64_t wall_s)
{
    const uint32_t period = period_of(control);
    const time_t at = (time_t)wall_s;
    struct tm date;

    if (period == PRIORITY_RESET_NONE || period == PRIORITY_RESET_NOW || !localtime_r(&at, &date))
        return 0;
    date.tm_sec = date.tm_min = date.tm_hour = 0;
    date.tm_isdst = -1;
    go_to_next(period, &date);
    return (int64_t)mktime(&date);
}

int64_t usage_reset_ms(const struct control *control, struct moment now)
{
    const int64_t end_s = end_of_period(control, now.wall_s);

    return end_s ? moment_ms_of_wall(now, end_s) : INT64_MAX;
}

static void note_reset(struct act *act)
{
    act->control->usage_reset_s = act->now.wall_s;
    turn_note_number(act->turn, CONTROL_NUMBER_USAGE_RESET, act->now.wall_s);
}

void usage_tick(struct act *act)
{
    const int64_t end_s = end_of_period(act->control, act->control->usage_reset_s);

    if (!end_s)
        return;
    if (act->now.wall_s >= end_s) {
        usage_forget_all(act);
        note_reset(act);
    }
    control_wake_at(act->control, usage_reset_ms(act->control, act->now));
}

void usage_reset_settle(struct act *act)
{
    if (period_of(act->control) == PRIORITY_RESET_NOW)
        usage_forget_all(act);
    if (!act->control->usage_reset_s && period_of(act->control) != PRIORITY_RESET_NONE)
        note_reset(act); /* the first period begins */
    usage_tick(act);
}

void usage_load_number(struct control *control, const char *name, int64_t number)
{
    if (strcmp(name, CONTROL_NUMBER_USAGE_RESET) == 0 && number > 0)
        control->usage_reset_s = number;
}
