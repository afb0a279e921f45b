#include "cli/move/meet.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/by_key.h"

static const struct {
    enum kept_number kind;
    const char *words, *word;
} kinds[] = {
    { KEPT_QOS, "QOS", "qos" },
    { KEPT_FEDERATION, "federations", "federation" },
    { KEPT_CLUSTER, "clusters", "cluster" },
    { KEPT_ACCOUNT, "accounts", "account" },
    { KEPT_USER, "users", "user" },
    { KEPT_ASSOC, "associations", "association" },
    { KEPT_WCKEY, "wckeys", "wckey" },
    { KEPT_RESOURCE, "resources", "resource" },
};

/* ---- side by side ---- */

static bool is_of(uint32_t kind, const void *record, const char *cluster)
{
    if (kind == KEPT_ASSOC)
        return strcmp(((const struct assoc_record *)record)->cluster, cluster) == 0;
    if (kind == KEPT_WCKEY)
        return strcmp(((const struct wckey_record *)record)->cluster, cluster) == 0;
    return true;
}

/* Says by which command slurmdbd's record of that name is made to agree. */
static void add_remedy(const char *cluster, size_t at, const void *record, const char *key,
                       struct strbuf *out)
{
    const struct assoc_record *assoc = record;
    const struct wckey_record *wckey = record;

    strbuf_adds(out, "    change slurmdbd's: sacctmgr modify ");
    if (kinds[at].kind == KEPT_ASSOC && assoc->user)
        strbuf_addf(out, "user %s where account=%s cluster=%s%s%s set ...\n", assoc->user,
                    assoc->account, cluster, assoc->partition ? " partition=" : "",
                    assoc->partition ? assoc->partition : "");
    else if (kinds[at].kind == KEPT_ASSOC)
        strbuf_addf(out, "account %s where cluster=%s set ...\n", assoc->account, cluster);
    else if (kinds[at].kind == KEPT_WCKEY)
        strbuf_addf(out, "user %s where cluster=%s set defaultwckey=...\n", wckey->user, cluster);
    else
        strbuf_addf(out, "%s %s set ...\n", kinds[at].word, key);
}

/* Keys of associations and wckeys are names with commas between them. */
static void add_name(const char *cluster, size_t at, const void *record, const char *key,
                     struct strbuf *out)
{
    const struct assoc_record *assoc = record;
    const struct wckey_record *wckey = record;

    if (kinds[at].kind == KEPT_ASSOC)
        strbuf_addf(out, "association of account %s%s%s%s%s on %s", assoc->account,
                    assoc->user ? ", user " : "", assoc->user ? assoc->user : "",
                    assoc->partition ? ", partition " : "",
                    assoc->partition ? assoc->partition : "", cluster);
    else if (kinds[at].kind == KEPT_WCKEY)
        strbuf_addf(out, "wckey '%s' of user %s on %s", wckey->name ? wckey->name : "", wckey->user,
                    cluster);
    else
        strbuf_addf(out, "%s %s", kinds[at].word, key);
}

static void note_conflict(struct meet *meet, const char *cluster, size_t at, const void *record,
                          const char *key, const struct strbuf *how)
{
    meet->conflicts++;
    add_name(cluster, at, record, key, &meet->told);
    strbuf_addf(&meet->told, ": %s\n", strbuf_text(how));
    if (meet->keep == ACCT_KEEP_NEITHER)
        add_remedy(cluster, at, record, key, &meet->told);
}

static int look_at_kind(const char *cluster, size_t at, struct client *own, struct client *there,
                        struct meet *ret, struct err *err)
{
    const struct kept_kind *kind = kept_kind_find(kinds[at].kind);
    AUTO(records) struct records ours = { 0 }, theirs = { 0 };
    struct by_key sorted;
    int rc = records_load_all(own, kinds[at].kind, &ours, err);

    if (rc == 0 && there)
        rc = records_load_all(there, kinds[at].kind, &theirs, err);
    sorted = by_key_make(kinds[at].kind, &theirs);
    for (uint32_t i = 0; rc == 0 && i < ours.n; i++) {
        const void *record = record_at(&ours, i);
        AUTO_FREE char *key = kept_key(kind, record);
        AUTO(strbuf) struct strbuf how = { 0 };
        enum acct_met met;

        if (!is_of(kind->number, record, cluster))
            continue;
        met = acct_meet(kind->number, record, by_key_find(&sorted, key), &how);
        ret->counts[at][met]++;
        if (met == ACCT_CONFLICT)
            note_conflict(ret, cluster, at, record, key, &how);
    }
    by_key_clear(&sorted);
    return rc;
}

int meet_look(const char *cluster, struct client *own, struct client *there, struct meet *ret,
              struct err *err)
{
    int rc = 0;

    for (size_t at = 0; rc == 0 && at < ARRAY_N(kinds); at++)
        rc = look_at_kind(cluster, at, own, there, ret, err);
    return rc;
}

void meet_clear(struct meet *meet)
{
    strbuf_clear(&meet->told);
}

/* ---- in words ---- */

void meet_print(const struct meet *meet)
{
    printf("%-14s %12s %12s %12s %12s\n", "records", "come", "are there", "say nothing", "differ");
    for (size_t at = 0; at < ARRAY_N(kinds); at++)
        printf("%-14s %12" PRIu32 " %12" PRIu32 " %12" PRIu32 " %12" PRIu32 "\n", kinds[at].words,
               meet->counts[at][ACCT_COMES], meet->counts[at][ACCT_ALIKE],
               meet->counts[at][ACCT_YIELDS], meet->counts[at][ACCT_CONFLICT]);
    if (meet->conflicts == 0)
        return;
    if (meet->keep == ACCT_KEEP_NEITHER) {
        printf("These differ, and nothing is moved while they do:\n%s", strbuf_text(&meet->told));
        puts("Or say which ones hold: --keep=slurmdbd or --keep=cluster.");
        return;
    }
    printf("These differ, and those of %s hold:\n%s",
           meet->keep == ACCT_KEEP_SLURMDBD ? "slurmdbd" : "the cluster", strbuf_text(&meet->told));
}
