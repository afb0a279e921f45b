/*
 * value.h - one value of a configuration: from text into its place, and back into text.
 *
 * A slot is where the value of a key lives; its C type follows from the key's kind (keys.h).
 */
#pragma once

#include "common/conf/age.h"
#include "common/conf/keys.h"
#include "common/conf/slurm_conf.h"

/* Room for a value of any kind. */
union conf_slot {
    char *text;
    bool flag;
    uint32_t number;
    uint64_t mb;
    struct conf_mem mem;
    struct conf_ports ports;
    struct oversubscribe sharing;
    struct conf_age age;
};

/*
 * Reads `text` into `slot`, which holds a value of the same kind already (a text there is freed).
 * On failure the slot is as it was. When another value than the written one is used, `remark` (may
 * be NULL) gets why.
 */
int conf_value_set(const struct conf_key *key, const char *text, void *slot, struct strbuf *remark,
                   struct err *err);

/*
 * Appends the value as `scontrol show config` prints it, with its unit; "(null)" for a text that is
 * NULL.
 */
void conf_value_format(const struct conf_key *key, const void *slot, struct strbuf *out);

/* Returns whether a text is one of the words for "no limit". */
bool conf_is_unlimited(const char *text);

/* Frees what the slot owns. */
void conf_value_clear(const struct conf_key *key, void *slot);

/* Returns the slot of a row inside the struct of its table; NULL for a row that has none. */
void *conf_value_slot(const struct conf_key *key, void *base);

/* Fills every slot of a zeroed struct with its default, CONF_UNSET for a number without one. */
void conf_values_preset(const struct conf_key *table, void *base);
void conf_values_clear(const struct conf_key *table, void *base);

/* Copies every slot into `to`, which is a zeroed struct; texts are duplicated. */
void conf_values_copy(const struct conf_key *table, const void *from, void *to);
