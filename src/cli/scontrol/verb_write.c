/* verb_write.c - scontrol write batch_script. */
#include <string.h>
#include <stdio.h>

#include "cli/scontrol/session.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

struct script {
    struct strbuf text;
    struct err *err;
};

static int on_chunk(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct script *script = ctx;
    AUTO(blob_chunk) struct blob_chunk chunk;
    int rc;

    blob_chunk_init(&chunk);
    if (type != MSG_BLOB_CHUNK)
        return err_set(script->err, E_PROTO, "%s in a script", msg_name(type));
    rc = schema_decode(blob_chunk_schema(), frame->body, frame->body_n, &chunk, script->err);
    if (rc < 0)
        return rc;
    if (chunk.offset != script->text.len || script->text.len + chunk.data.n > BLOB_MAX)
        return err_set(script->err, E_PROTO, "script: chunk at %u after %zu bytes", chunk.offset,
                       script->text.len);
    strbuf_add(&script->text, chunk.data.data, chunk.data.n);
    return 0;
}

static int load_script(struct scontrol *session, const char *id, struct strbuf *ret_text,
                       struct err *err)
{
    struct script script = { .err = err };
    struct job_script request;
    struct job_ref ref;
    int rc;

    job_script_init(&request);
    /* All tasks of an array have one script. */
    if (job_ref_parse(id, &ref, NULL) < 0 || ref.step != NO_VAL)
        return err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    request.job_id = ref.job;
    rc = client_stream(session->command.cli.client, MSG_JOB_SCRIPT, &request, on_chunk, &script,
                       err);
    if (rc < 0)
        strbuf_clear(&script.text);
    *ret_text = script.text;
    return rc;
}

static void write_file(struct scontrol *session, const char *id, const char *name,
                       const struct strbuf *text)
{
    FILE *file = fopen(name, "we");

    if (!file) {
        session_refuse(session, "failed to open file `%s`: %s", name, strerror(errno));
        return;
    }
    if (!session_fill(file, text))
        session_refuse(session, "failed to write file `%s`: %s", name, strerror(errno));
    else if (!session->options.quiet)
        printf("batch script for job %s written to %s\n", id, name);
}

static void write_script(struct scontrol *session, const char *id, const char *name)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *usual = xasprintf("slurm-%s.sh", id);
    struct err err = { 0 };

    if (!session_connect(session, "job script retrieval"))
        return;
    if (load_script(session, id, &text, &err) < 0) {
        session_refuse(session, "job script retrieval failed: %s", err_string(err.code));
        return;
    }
    if (name && strcmp(name, "-") == 0)
        fwrite(strbuf_text(&text), 1, text.len, stdout);
    else
        write_file(session, id, name ? name : usual, &text);
}

/* True if the word begins `whole`: words may be cut short. */
static bool begins(const char *word, const char *whole)
{
    return *word && word_starts(whole, word, NULL);
}

void scontrol_write(struct scontrol *session, int argc, char *const *argv)
{
    if (argc < 2)
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
    else if (begins(argv[1], "config") && argc > 3)
        session_refuse(session, "too many arguments for keyword:%s", argv[0]);
    else if (begins(argv[1], "config"))
        scontrol_write_config(session, argc > 2 ? argv[2] : NULL);
    else if (!begins(argv[1], "batch_script"))
        session_refuse(session, "invalid write argument:%s", argv[1]);
    else if (argc < 3)
        session_refuse(session, "too few arguments for keyword:%s %s", argv[0], argv[1]);
    else if (argc > 4)
        session_refuse(session, "too many arguments for keyword:%s", argv[0]);
    else
        write_script(session, argv[2], argc > 3 ? argv[3] : NULL);
}
