/*
 * entities.h - what the entities of scontrol show have in common.
 */
#pragma once

#include "cli/scontrol/session.h"
#include "common/text/hostlist.h"

/* How this session shows records. Its texts are borrowed from the session. */
struct show entity_show(const struct scontrol *session);

void entity_print(const struct strbuf *text);

/* Where records go: one after another as text, or with --json into a document. */
struct entity_sink {
    struct show show;
    const char *cluster; /* ClusterName */
    bool is_document;
    struct document_kind kind;
    struct document document;
};

/* `list` is what the document calls its records, "jobs". Reports itself. */
bool entity_sink_begin(struct scontrol *session, const struct document_table *table,
                       const char *list, struct entity_sink *ret);

/* Whether the sink is a document, which then has the record: `row` is one of its table. */
bool entity_sink_take(struct entity_sink *sink, const void *row);

void entity_sink_end(struct entity_sink *sink);

/* A line on stdout, unless --quiet. */
void entity_say(const struct scontrol *session, const char *text);

/* What is not there is said on stdout, as Slurm does; the session has failed. */
void entity_say_missing(struct scontrol *session, const char *kind, const char *name);
