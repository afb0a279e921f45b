#include "cli/sacctmgr/edits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/limits.h"
#include "common/msg/types.h"

void edits_clear(struct edits *edits)
{
    kept_change_clear(&edits->change);
    kept_changed_clear(&edits->changed);
}

static struct kept_edit *new_edit(struct edits *edits, enum kept_verb verb, enum kept_number kind)
{
    struct kept_edit *edit = ARRAY_PUSH(edits->change.edits, edits->change.edits_n);

    kept_edit_init(edit);
    edit->verb = verb;
    edit->kind = kind;
    return edit;
}

static void look_for_limits(struct edits *edits, enum kept_number kind, const void *was,
                            const void *record)
{
    if (kind == KEPT_ASSOC)
        edits->sets_limits |= limits_are_new(LIMIT_OF_ASSOC, was, record);
    else if (kind == KEPT_QOS)
        edits->sets_limits |= limits_are_new(LIMIT_OF_QOS, was, record);
}

void edits_add(struct edits *edits, enum kept_number kind, const void *record)
{
    struct kept_edit *edit = new_edit(edits, KEPT_ADD, kind);

    edit->record = schema_encode_blob(kept_kind_find(kind)->schema(), record);
    look_for_limits(edits, kind, NULL, record);
}

bool edits_alter(struct edits *edits, enum kept_number kind, const void *was, const void *record)
{
    const struct kept_kind *of = kept_kind_find(kind);
    const struct schema *schema = of->schema();
    struct kept_edit *edit = NULL;

    for (uint32_t i = 0; i < schema->fields_n; i++) {
        const struct schema_field *field = &schema->fields[i];

        if (schema_equal_field(field, was, record))
            continue;
        if (!edit)
            edit = new_edit(edits, KEPT_ALTER, kind);
        *ARRAY_PUSH(edit->set, edit->set_n) = field->tag;
        *ARRAY_PUSH(edit->match, edit->match_n) = field->tag;
    }
    if (!edit)
        return false;
    *ARRAY_PUSH(edit->match, edit->match_n) = schema_find(schema, of->key)->tag;
    edit->record = schema_encode_blob(schema, record);
    edit->like = schema_encode_blob(schema, was);
    look_for_limits(edits, kind, was, record);
    return true;
}

void edits_put(struct edits *edits, enum kept_number kind, const void *was, void *record)
{
    static const char *const given[] = { "key", "id", "created", "modified", "added_ms" };
    const struct schema *schema = kept_kind_find(kind)->schema();

    if (!was) {
        edits_add(edits, kind, record);
        return;
    }
    for (size_t i = 0; i < ARRAY_N(given); i++) {
        const struct schema_field *field = schema_find(schema, given[i]);

        if (field)
            schema_copy_field(field, record, was);
    }
    edits_alter(edits, kind, was, record);
}

int edits_commit(struct mgr *mgr, struct edits *edits, const char *text)
{
    const bool says_first = edits->adds || !mgr->at_once;
    int status = 0;

    if (says_first)
        fputs(text, stdout);
    if (!mgr_commits(mgr))
        return 0;
    if (edits->change.edits_n)
        status = edits_send(mgr, edits);
    if (status == 0 && !says_first)
        fputs(text, stdout);
    if (status == 0 && edits->note && !mgr->quiet) {
        fflush(stdout);
        fprintf(stderr, "sacctmgr: note: %s\n", edits->note);
    }
    return status;
}

bool edits_did(const struct edits *edits, enum kept_number kind, const char *key)
{
    for (uint32_t i = 0; i < edits->changed.changed_n; i++) {
        const struct kept_ref *ref = &edits->changed.changed[i];

        if (ref->kind == kind && strcmp(ref->key, key) == 0)
            return true;
    }
    return false;
}

int edits_send(struct mgr *mgr, struct edits *edits)
{
    struct err err = { 0 };

    if (client_call(mgr->command->cli.client, MSG_KEPT_CHANGE, &edits->change, MSG_KEPT_CHANGED,
                    &edits->changed, &err) == 0) {
        if (edits->sets_limits && !mgr->quiet &&
            !(mgr->command->cli.conf->acct_enforce & ACCT_ENFORCE_LIMITS))
            fputs(
                "sacctmgr: note: limits hold once slurm.conf has AccountingStorageEnforce=limits\n",
                stderr);
        return 0;
    }
    if (err.code == ESRCH)
        err_set(&err, ESRCH, "somebody else has changed one of them meanwhile; look again");
    if (err.code == E_TOO_BIG)
        err_set(
            &err, E_TOO_BIG,
            "%u changes are more than are made at once: nothing is done; make them in parts (of a "
            "file, accounts before their users)",
            edits->change.edits_n);
    fflush(stdout);
    if (edits->adds)
        fprintf(stderr, " Problem adding %s: %s\n", edits->adds, err.text);
    else if (err.code == E_ACCESS)
        fprintf(stderr,
                "sacctmgr: error: Your user doesn't have privilege to perform this "
                "action\n Error with request: %s\n",
                err.text);
    else
        fprintf(stderr, " Error with request: %s\n", err.text);
    mgr->status = 1;
    return 1;
}
