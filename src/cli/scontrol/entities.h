/*
 * entities.h - what the entities of scontrol show have in common.
 */
#pragma once

#include "cli/scontrol/session.h"
#include "common/text/hostlist.h"

/* Returns how this session shows records. The texts are borrowed from the session. */
struct show entity_show(const struct scontrol *session);

void entity_print(const struct strbuf *text);

struct entity_sink;

/* A kind of record: its name in documents, and its members, told by a table or by `add`. */
struct entity_kind {
    const char *list; /* "jobs" */
    const struct document_table *table;
    void (*add)(struct entity_sink *sink, const void *row);  /* one element; NULL: by the table */
    void (*end)(struct document *document, int64_t updated); /* NULL: document_end_list */
};

/* The place where records go: one after another as text, or with --json into a document. */
struct entity_sink {
    const struct entity_kind *entity;
    struct show show;
    const char *cluster; /* ClusterName */
    bool is_document;
    struct document_kind kind;
    struct document document;
};

/* Begins a sink; reports errors itself. */
bool entity_sink_begin(struct scontrol *session, const struct entity_kind *entity,
                       struct entity_sink *ret);

/* True if the sink is a document, which then has the record; `row` is what its kind expects. */
bool entity_sink_take(struct entity_sink *sink, const void *row);

/* With -v, prints before records as text how old they are, and how many. */
void entity_say_updated(const struct scontrol *session, const struct entity_sink *sink,
                        uint32_t records_n);

void entity_sink_end(struct entity_sink *sink);

/* Prints a line on stdout, unless --quiet. */
void entity_say(const struct scontrol *session, const char *text);

/* Prints on stdout, as Slurm does, that the record does not exist; the session has failed. */
void entity_say_missing(struct scontrol *session, const char *kind, const char *name);
