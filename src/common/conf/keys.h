/*
 * keys.h - every key of slurm.conf of every version of Slurm that is known, and what it means here.
 *
 * A row decides how a value is read (kind, limits, words), where it goes, how `scontrol show
 * config` prints it, and what is said about it when a file holds it. A new key is one row in keys.c
 * or keys_records.c, and, when something acts on it, a member of the struct that the row points
 * into.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum conf_kind {
    CONF_TEXT,         /* char *: words, paths, lists */
    CONF_LIST,         /* char *: the same, a repeated key adds to it */
    CONF_USER,         /* char *: shown with its number */
    CONF_YES_NO,       /* bool: shown Yes or No */
    CONF_ON_OFF,       /* bool: shown 1 or 0 */
    CONF_NUMBER,       /* uint32_t; with max UINT32_MAX also CONF_UNLIMITED */
    CONF_PERCENT,      /* uint32_t: hundredths of a percent; shown as 12.5% */
    CONF_TIME_LIMIT,   /* uint32_t minutes, written as a time limit */
    CONF_PERIOD,       /* uint32_t minutes, written as a time limit, shown as days and hours */
    CONF_MB,           /* uint64_t */
    CONF_MEM_NODE,     /* struct conf_mem per node */
    CONF_MEM_CPU,      /* struct conf_mem per CPU; shown by the row of the node */
    CONF_LEVEL,        /* uint32_t, enum log_level: a name or an old number */
    CONF_CHOICE,       /* uint32_t: one of the words; anything else is an error */
    CONF_PLUGIN,       /* uint32_t: one of the words, "select/" may be left out; else the default */
    CONF_FLAGS,        /* uint32_t: some of the words; others are noted, see for_unknown */
    CONF_STRICT_FLAGS, /* uint32_t: some of the words; anything else is an error */
    CONF_PORTS,        /* struct conf_ports: N or N-M */
    CONF_SHARING,      /* struct oversubscribe */
    CONF_AGE,          /* struct conf_age */
    CONF_HOSTS,        /* controllers, read by the loader */
    CONF_RECORD,       /* begins a record of another kind, read by the loader */
    CONF_RUNTIME,      /* no key at all, but a line of `scontrol show config` */
};

enum conf_status {
    CONF_USED,
    CONF_NO_EFFECT, /* valid in Slurm; Sluice reads it, shows it and does nothing about it;
                       `instead`, when there is one, says why */
    CONF_REPLACED,  /* obeyed; `instead` says how it is written today */
    CONF_REMOVED,   /* gone from Slurm; `instead`, when there is one, says what came after it */
};

/*
 * A word that a key may have. A list ends with a NULL word; the first word with a value is how that
 * value is shown.
 */
struct conf_word {
    const char *word;
    uint32_t value;
};

extern const struct conf_word conf_select_param_words[], conf_private_words[];

#define CONF_NO_FIELD UINT16_MAX

struct conf_key {
    const char *name;
    enum conf_kind kind;
    enum conf_status status;
    uint16_t at;      /* offset in the struct of its table, or CONF_NO_FIELD */
    const char *def;  /* as a file would say it, or NULL for none */
    const char *unit; /* shown behind a number, or NULL */
    uint32_t min;
    uint32_t max;
    const struct conf_word *words;
    uint32_t for_unknown; /* CONF_FLAGS: what a word that is none of `words` stands for */
    const char *instead;
    bool clamps; /* a number above max is lowered to it and noted, not refused */
    bool hidden; /* `scontrol show config` has no line for it */
    bool newer;  /* than 22.05: it has one where it is given */
};

/* The row of PrivateData, which slurm.conf and slurmdbd.conf both have; `offset` is where it goes.
 */
#define CONF_PRIVATE_DATA(offset)                                                                  \
    {                                                                                              \
        .name = "PrivateData", .kind = CONF_FLAGS, .at = (offset), .def = "none",                  \
        .words = conf_private_words, .for_unknown = CONF_PRIVATE_ALL                               \
    }

/* Tables end with a NULL name. The first one is in the order of `scontrol show config`. */
const struct conf_key *conf_global_keys(void);    /* fields of struct slurm_conf */
const struct conf_key *conf_node_keys(void);      /* NodeName: struct conf_node_line */
const struct conf_key *conf_partition_keys(void); /* PartitionName: struct conf_partition */
const struct conf_key *conf_nodeset_keys(void);   /* NodeSet: struct conf_nodeset */
const struct conf_key *conf_down_keys(void);      /* DownNodes: struct conf_node_line */
const struct conf_key *conf_frontend_keys(void);  /* FrontendName: nothing is kept */
const struct conf_key *conf_gres_keys(void);      /* lines of gres.conf: struct gres_line */
const struct conf_key *conf_container_keys(void); /* of job_container.conf: struct conf_container */
const struct conf_key *conf_cgroup_keys(void);    /* of cgroup.conf: struct conf_cgroup */
const struct conf_key *conf_dbd_keys(void);       /* of slurmdbd.conf: struct conf_dbd */
const struct conf_key *conf_switch_keys(void);    /* of topology.conf: struct conf_switch */

/*
 * Returns the row with this name in any case, or NULL. Rows of kind CONF_RUNTIME are never found.
 */
const struct conf_key *conf_key_find(const struct conf_key *table, const char *name);

/* Returns the name in the table that a mistyped one most likely stands for, or NULL. */
const char *conf_key_nearest(const struct conf_key *table, const char *name);
