/* age.h - for how long something is kept, as slurmdbd.conf writes it: "12months". */
#pragma once

#include "common/base/err.h"
#include "common/base/strbuf.h"

enum conf_age_unit { CONF_AGE_MONTHS, CONF_AGE_DAYS, CONF_AGE_HOURS };

struct conf_age {
    uint32_t count; /* 0: for ever */
    enum conf_age_unit unit;
};

/* Reads an age: "12", "12month", "30days", "48hours". */
int conf_age_parse(const char *text, struct conf_age *ret, struct err *err);

/* Appends the age as Slurm shows it: "12 months", "NONE". */
void conf_age_format(const struct conf_age *age, struct strbuf *out);

/*
 * Returns the moment before which records are removed: the beginning of the local month, day or
 * hour of `now`, less the age. 0 means that nothing is removed.
 */
int64_t conf_age_before(const struct conf_age *age, int64_t now);
