#include "cli/scontrol/entities.h"

#include <pwd.h>
#include <stdio.h>
#include <time.h>

#include "cli/lib/tasks.h"
#include "common/text/timetext.h"

static char *user_name(uint32_t uid)
{
    const struct passwd *entry = getpwuid(uid);

    return entry ? xstrdup(entry->pw_name) : NULL;
}

struct show entity_show(const struct scontrol *session)
{
    const struct scontrol_options *options = &session->options;

    return (struct show){
        .ctx = { .now = (int64_t)time(NULL),
                 .time_manner = options->time_format,
                 .tasks_length = document_is_wanted(&options->document)
                                     ? 0
                                     : tasks_read_length(options->tasks_length),
                 .counted = session->command.cli.conf ? session->command.cli.conf->accounting_tres
                                                      : NULL },
        .details = options->details,
        .one_line = options->one_line,
        .slurmd_port = session->command.cli.conf ? session->command.cli.conf->slurmd_port : 0,
        .mail_domain = session->command.cli.conf ? session->command.cli.conf->mail_domain : NULL,
        .user_name = user_name,
    };
}

void entity_print(const struct strbuf *text)
{
    fwrite(strbuf_text(text), 1, text->len, stdout);
}

void entity_say(const struct scontrol *session, const char *text)
{
    if (!session->options.quiet)
        printf("%s\n", text);
}

void entity_say_missing(struct scontrol *session, const char *kind, const char *name)
{
    session->status = 1;
    if (!session->options.quiet)
        printf("%s %s not found\n", kind, name);
}

bool entity_sink_begin(struct scontrol *session, const struct entity_kind *entity,
                       struct entity_sink *ret)
{
    const struct document_options *options = &session->options.document;
    struct err err = { 0 };

    *ret = (struct entity_sink){
        .entity = entity,
        .show = entity_show(session),
        .cluster = session->command.cli.conf->cluster_name,
        .is_document = document_is_wanted(options),
        .document = { .command = &session->command,
                      .options = options,
                      .words = session->words,
                      .words_n = session->words_n },
    };
    if (!ret->is_document)
        return true;
    if (entity->table && document_kind_init(&ret->kind, entity->table, &err) < 0) {
        session_report(session, "scontrol", &err);
        document_kind_auto_(&ret->kind);
        return false;
    }
    document_begin_list(&ret->document, entity->list);
    return true;
}

void entity_say_updated(const struct scontrol *session, const struct entity_sink *sink,
                        uint32_t records_n)
{
    AUTO(strbuf) struct strbuf now = { 0 };

    if (session->options.verbose == 0 || session->options.quiet || sink->is_document)
        return;
    time_format(&now, sink->show.ctx.now, NULL, 0, "");
    printf("last_update_time=%s, records=%u\n", strbuf_text(&now), records_n);
}

bool entity_sink_take(struct entity_sink *sink, const void *row)
{
    if (!sink->is_document)
        return false;
    if (sink->entity->add)
        sink->entity->add(sink, row);
    else
        document_add(&sink->document, &sink->kind, &sink->show.ctx, row);
    return true;
}

void entity_sink_end(struct entity_sink *sink)
{
    if (!sink->is_document)
        return;
    if (sink->entity->end)
        sink->entity->end(&sink->document, sink->show.ctx.now);
    else
        document_end_list(&sink->document, sink->show.ctx.now);
    document_kind_auto_(&sink->kind);
}
