#include "cli/sacctmgr/cluster.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "cli/sacctmgr/assoc.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/federation.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/sequel.h"
#include "cli/sacctmgr/site.h"
#include "common/msg/acct_meet.h"

enum { KEY_CLASSIFICATION, KEY_FEATURES, KEY_FEDERATION, KEY_FED_STATE, KEY_NAME };

static const struct acct_key keys[] = {
    { "Classification", 3, KEY_CLASSIFICATION },
    { "Clusters", 3, KEY_NAME },
    { "Features", 3, KEY_FEATURES },
    { "Federation", 3, KEY_FEDERATION },
    { "FedState", 4, KEY_FED_STATE },
    { "Names", 1, KEY_NAME },
};

/* What a line says of clusters. */
struct asked {
    struct words names, classifications;
    const char *classification; /* to be set, as the next two; NULL: nothing was said */
    const char *federation;     /* "": none */
    const char *fed_state;
    struct acct_words features; /* borrowed from the line */
    struct assoc_values values; /* of the root */
    char *default_qos;          /* what a new cluster has; NULL: "normal" */
    bool is_wrong;
};

static void asked_clear(struct asked *asked)
{
    words_clear(&asked->names);
    words_clear(&asked->classifications);
    free(asked->features.at);
    assoc_values_clear(&asked->values);
    free(asked->default_qos);
}

const char *cluster_classification(const char *word)
{
    static const char *const names[] = { "Capability", "Capacity", "Capapacity" };

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (strcasecmp(names[i], word) == 0)
            return names[i];
    }
    return *word ? NULL : "";
}

/* Returns Slurm's word for a state of a cluster in its federation, or NULL. */
static const char *find_state(const char *word)
{
    static const char *const names[] = { "ACTIVE", "INACTIVE", "DRAIN", "DRAIN+REMOVE" };

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (strcasecmp(names[i], word) == 0)
            return names[i];
    }
    return NULL;
}

static void refuse_value(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    mgr_refuse_option(mgr, word);
    asked->is_wrong = true;
}

static void read_value(struct mgr *mgr, const struct book *book, const struct acct_word *word,
                       struct asked *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;

    if (key == KEY_NAME) {
        acct_names_add(&asked->names, word->value);
    } else if (key == KEY_FEATURES) {
        *ARRAY_PUSH(asked->features.at, asked->features.n) = *word;
    } else if (key == KEY_FEDERATION) {
        asked->federation = word->value;
    } else if (key == KEY_FED_STATE) {
        asked->fed_state = find_state(word->value);
        asked->is_wrong |= !asked->fed_state;
        if (!asked->fed_state)
            mgr_refuse(mgr, "Invalid FedState %s.", word->value);
    } else if (key == KEY_CLASSIFICATION) {
        asked->classification = cluster_classification(word->value);
        if (!asked->classification)
            refuse_value(mgr, word, asked);
    } else {
        const int rc = assoc_values_take(mgr, book, word, &asked->values);

        if (rc == 0)
            refuse_value(mgr, word, asked);
        asked->is_wrong |= rc < 0;
    }
}

static void read_condition(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;

    if (key == KEY_NAME) {
        acct_names_add(&asked->names, word->value);
    } else if (key == KEY_CLASSIFICATION) {
        acct_names_add(&asked->classifications, word->value);
    } else {
        mgr_refuse_condition(mgr, word);
        asked->is_wrong = true;
    }
}

static struct asked read_line(struct mgr *mgr, const struct book *book,
                              const struct acct_line *line)
{
    struct asked asked = { .is_wrong = false };

    assoc_values_init(&asked.values);
    for (uint32_t i = 0; i < line->where.n; i++)
        read_condition(mgr, &line->where.at[i], &asked);
    for (uint32_t i = 0; i < line->set.n; i++)
        read_value(mgr, book, &line->set.at[i], &asked);
    return asked;
}

static void drop_feature(struct cluster_record *cluster, const char *name)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < cluster->features_n; i++) {
        if (strcmp(cluster->features[i], name) == 0)
            free(cluster->features[i]);
        else
            cluster->features[kept++] = cluster->features[i];
    }
    cluster->features_n = kept;
}

static void apply_features(const struct acct_word *word, struct cluster_record *cluster)
{
    AUTO(words) struct words names = { 0 };

    acct_names_add(&names, word->value);
    while (word->operation == ACCT_IS && cluster->features_n)
        free(cluster->features[--cluster->features_n]);
    for (uint32_t i = 0; i < names.n; i++) {
        drop_feature(cluster, names.at[i]);
        if (word->operation != ACCT_MINUS)
            *ARRAY_PUSH(cluster->features, cluster->features_n) = xstrdup(names.at[i]);
    }
}

/* Sets what the line says of the cluster itself. */
static void apply(const struct asked *asked, struct cluster_record *cluster)
{
    if (asked->classification)
        xstrset(&cluster->classification, *asked->classification ? asked->classification : NULL);
    if (asked->federation)
        xstrset(&cluster->federation, *asked->federation ? asked->federation : NULL);
    if (asked->federation)
        xstrset(&cluster->federation_state, *asked->federation ? "ACTIVE" : NULL);
    if (asked->fed_state)
        xstrset(&cluster->federation_state, asked->fed_state);
    for (uint32_t i = 0; i < asked->features.n; i++)
        apply_features(&asked->features.at[i], cluster);
}

/* Returns whether the line says something of the cluster's own record. */
static bool sets_itself(const struct asked *asked)
{
    return asked->classification || asked->features.n || asked->federation || asked->fed_state;
}

/* Says what is done to features, each by itself, with Slurm's distances. */
static void add_features(const struct acct_word *word, struct strbuf *text)
{
    AUTO(words) struct words names = { 0 };

    acct_names_add(&names, word->value);
    for (uint32_t i = 0; i < names.n && word->operation == ACCT_IS; i++)
        strbuf_addf(text, "  %-14s= %s\n", "Feature", names.at[i]);
    for (uint32_t i = 0; i < names.n && word->operation != ACCT_IS; i++)
        strbuf_addf(text, "  %-12s%c= %s\n", "Feature", word->operation, names.at[i]);
    if (names.n == 0)
        strbuf_addf(text, "  %-12s= \n", "Feature");
}

static void add_settings(struct strbuf *text, const struct book *book, const struct asked *asked)
{
    AUTO(strbuf) struct strbuf values = { 0 };

    assoc_show(book, &asked->values.record, &values);
    if (values.len || sets_itself(asked))
        strbuf_adds(text, " Setting\n");
    if (asked->classification)
        strbuf_addf(text, "  %-14s = %s\n", "Classification", asked->classification);
    if (asked->federation)
        strbuf_addf(text, "  %-14s = %s\n", "Federation", asked->federation);
    if (asked->fed_state)
        strbuf_addf(text, "  %-14s = %s\n", "FedState", asked->fed_state);
    for (uint32_t i = 0; i < asked->features.n; i++)
        add_features(&asked->features.at[i], text);
    if (values.len)
        strbuf_addf(text, "  Default Limits:\n%s", strbuf_text(&values));
}

/* ---- add ---- */

/* Gives the root what it may use where the line does not say. */
static void add_default_qos(const struct book *book, const struct asked *asked,
                            struct assoc_record *assoc)
{
    AUTO(words)
    struct words names = words_split(asked->default_qos ? asked->default_qos : "normal", ",");

    for (uint32_t i = 0; i < names.n; i++) {
        if (book_qos(book, names.at[i]))
            *ARRAY_PUSH(assoc->qos, assoc->qos_n) = xstrdup(names.at[i]);
    }
}

/* Adds an association of the root account, or brings it back. */
static void add_root(const struct book *book, const struct asked *asked, const char *cluster,
                     const char *user, struct edits *edits)
{
    const struct assoc_record *was = book_any_assoc(book, cluster, "root", user, NULL);
    AUTO(assoc_record) struct assoc_record assoc = assoc_of(cluster, "root", user, NULL);

    assoc.is_default = user;
    if (!user) {
        assoc_apply_all(book, &asked->values.words, &assoc);
        if (assoc.qos_n == 0)
            add_default_qos(book, asked, &assoc);
    }
    edits_put(edits, KEPT_ASSOC, was, &assoc);
}

/* Brings back the user root, who may have been deleted. */
static void bring_back_root(const struct book *book, struct edits *edits)
{
    struct user_record user;

    acct_fill_user_root(&user);
    if (!book_user(book, "root"))
        edits_put(edits, KEPT_USER, book_any_user(book, "root"), &user);
}

static void put_record(const struct book *book, const struct asked *asked, const char *name,
                       struct edits *edits)
{
    const struct cluster_record *was = book_any_cluster(book, name);
    AUTO(cluster_record) struct cluster_record cluster;

    cluster_record_init(&cluster);
    cluster.name = xstrdup(name);
    apply(asked, &cluster);
    edits_put(edits, KEPT_CLUSTER, was, &cluster);
}

void cluster_put(struct edits *edits, const struct book *book, const char *name,
                 const char *classification)
{
    const struct asked asked = { .classification = classification };
    const struct cluster_record *was = book_cluster(book, name);
    AUTO(cluster_record) struct cluster_record cluster;

    cluster_record_init(&cluster);
    if (!was) {
        put_record(book, &asked, name, edits);
        return;
    }
    schema_copy(cluster_record_schema(), &cluster, was);
    apply(&asked, &cluster);
    edits_alter(edits, KEPT_CLUSTER, was, &cluster);
}

static void add_cluster(const struct book *book, const struct asked *asked, const char *name,
                        struct edits *edits)
{
    put_record(book, asked, name, edits);
    add_root(book, asked, name, NULL, edits);
    add_root(book, asked, name, "root", edits);
}

static int add_all(struct mgr *mgr, const struct book *book, const struct asked *asked,
                   struct edits *edits)
{
    AUTO(words) struct words names = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (asked->names.n == 0) {
        mgr_refuse(mgr, " Need name of cluster to add.");
        return 1;
    }
    for (uint32_t i = 0; i < asked->names.n; i++) {
        if (book_cluster(book, asked->names.at[i]))
            mgr_refuse(mgr, " This cluster %s already exists.  Not adding.", asked->names.at[i]);
        else
            words_add(&names, asked->names.at[i], ",");
    }
    if (names.n == 0)
        return 1;
    strbuf_adds(&text, " Adding Cluster(s)\n");
    bring_back_root(book, edits);
    for (uint32_t i = 0; i < names.n; i++) {
        strbuf_addf(&text, "  %-14s = %s\n", "Name", names.at[i]);
        add_cluster(book, asked, names.at[i], edits);
    }
    add_settings(&text, book, asked);
    /* As in Slurm, who may not use the new default QOS is not looked for here. */
    return edits_commit(mgr, edits, strbuf_text(&text));
}

int cluster_add(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line);
    struct edits edits = { .adds = "clusters" };
    int status = 1;

    asked.default_qos = site_dbd_value(mgr, "DefaultQOS");
    if (!asked.is_wrong)
        status = add_all(mgr, book, &asked, &edits);

    edits_clear(&edits);
    asked_clear(&asked);
    return status;
}

/* ---- those that are meant ---- */

static int compare_names(const void *a, const void *b)
{
    const struct cluster_record *left = *(const struct cluster_record *const *)a;
    const struct cluster_record *right = *(const struct cluster_record *const *)b;

    return strcmp(left->name, right->name);
}

/* Returns those that are meant by name, to be freed; *ret_n of them. */
static const struct cluster_record **find_meant(const struct book *book, const struct asked *asked,
                                                uint32_t *ret_n)
{
    const struct cluster_record **meant = NULL;

    *ret_n = 0;
    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);

        if (!cluster->deleted && choice_fits(&asked->names, cluster->name) &&
            choice_fits(&asked->classifications, cluster->classification))
            *ARRAY_PUSH(meant, *ret_n) = cluster;
    }
    if (*ret_n)
        qsort(meant, *ret_n, sizeof(*meant), compare_names);
    return meant;
}

/* ---- modify ---- */

static void modify_cluster(const struct book *book, const struct asked *asked,
                           const struct cluster_record *was, struct edits *edits)
{
    AUTO(cluster_record) struct cluster_record cluster;
    uint64_t given = 0;

    schema_copy(cluster_record_schema(), &cluster, was);
    apply(asked, &cluster);
    if (asked->federation && was->federation && *asked->federation)
        printf(" The cluster %s is assigned to federation %s\n", was->name, was->federation);
    if (asked->federation)
        cluster.federation_id =
            *asked->federation ? federation_number(book, asked->federation, &given) : 0;
    edits_alter(edits, KEPT_CLUSTER, was, &cluster);
}

static void modify_root(struct sequel *sequel, const struct asked *asked, const char *name,
                        struct edits *edits, struct strbuf *out)
{
    const struct book *book = sequel->now;
    const struct assoc_record *was = book_assoc(book, name, "root", NULL, NULL);
    AUTO(assoc_record) struct assoc_record assoc;

    assoc_record_init(&assoc);
    strbuf_addf(out, "  C = %-10.10s A = root\n", name);
    if (!was)
        return;
    schema_copy(assoc_record_schema(), &assoc, was);
    assoc_apply_all(book, &asked->values.words, &assoc);
    edits_alter(edits, KEPT_ASSOC, was, &assoc);
    sequel_set(sequel, was, &assoc);
    sequel_add_heirs(sequel, was, out);
}

static int modify_meant(struct mgr *mgr, struct sequel *sequel, const struct asked *asked,
                        struct edits *edits)
{
    const bool of_itself = sets_itself(asked);
    uint32_t n;
    AUTO_FREE const struct cluster_record **meant = find_meant(sequel->now, asked, &n);
    AUTO(strbuf) struct strbuf text = { 0 };

    add_settings(&text, sequel->now, asked);
    if (n == 0) {
        mgr_refuse(mgr, "%s Nothing modified", strbuf_text(&text));
        return 1;
    }
    if (of_itself)
        strbuf_adds(&text, " Modified cluster...\n");
    for (uint32_t i = 0; i < n && of_itself; i++) {
        strbuf_addf(&text, "  %s\n", meant[i]->name);
        modify_cluster(sequel->now, asked, meant[i], edits);
    }
    if (asked->values.words.n)
        strbuf_adds(&text, " Modified cluster defaults for associations...\n");
    for (uint32_t i = 0; i < n && asked->values.words.n; i++)
        modify_root(sequel, asked, meant[i]->name, edits, &text);
    return edits_commit(mgr, edits, strbuf_text(&text));
}

static int modify(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    struct sequel sequel = sequel_new(book);
    struct edits edits = { 0 };
    const int status = modify_meant(mgr, &sequel, asked, &edits);

    sequel_clear(&sequel);
    edits_clear(&edits);
    return status;
}

static bool sets_name(const struct acct_line *line)
{
    for (uint32_t i = 0; i < line->set.n; i++) {
        const char *key = line->set.at[i].key;

        if (!key || acct_key_find(keys, ARRAY_N(keys), key) == KEY_NAME)
            return true;
    }
    return false;
}

int cluster_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line);
    int status = 1;

    if (asked.is_wrong) {
        asked_clear(&asked);
        return 1;
    }
    if (!sets_itself(&asked) && asked.values.words.n == 0)
        mgr_refuse(mgr, " You didn't give me anything to set");
    else if (sets_name(line))
        mgr_refuse(mgr, " Can't modify the name of a cluster");
    else
        status = mgr_means_all(mgr, line) ? modify(mgr, book, &asked) : 0;
    asked_clear(&asked);
    return status;
}

/* ---- delete ---- */

/* Removes what is in the cluster, from the leaves of the tree to its root. */
static void remove_assocs(const struct book *book, const char *cluster, int64_t now,
                          struct edits *edits)
{
    uint32_t n;
    AUTO_FREE const struct assoc_record **tree = forest_of_cluster(book, cluster, &n);

    for (uint32_t i = n; i > 0; i--) {
        struct assoc_record gone = *tree[i - 1]; /* borrows its texts */

        gone.deleted = now;
        gone.is_default = false;
        edits_alter(edits, KEPT_ASSOC, tree[i - 1], &gone);
    }
}

static void remove_wckeys(const struct book *book, const char *cluster, int64_t now,
                          struct edits *edits)
{
    for (uint32_t i = 0; i < book->wckeys.n; i++) {
        const struct wckey_record *was = record_at(&book->wckeys, i);
        struct wckey_record gone = *was; /* borrows its texts */

        gone.deleted = now;
        if (!was->deleted && strcmp(was->cluster, cluster) == 0)
            edits_alter(edits, KEPT_WCKEY, was, &gone);
    }
}

static int remove_all(struct mgr *mgr, const struct book *book,
                      const struct cluster_record *const *meant, uint32_t n)
{
    const int64_t now = (int64_t)time(NULL);
    AUTO(strbuf) struct strbuf text = { 0 };
    struct edits edits = { 0 };
    int status;

    strbuf_adds(&text, " Deleting clusters...\n");
    for (uint32_t i = 0; i < n; i++)
        strbuf_addf(&text, "  %s\n", meant[i]->name);
    for (uint32_t i = 0; i < n; i++) {
        struct cluster_record gone = *meant[i]; /* borrows its texts */

        gone.deleted = now;
        remove_assocs(book, gone.name, now, &edits);
        remove_wckeys(book, gone.name, now, &edits);
        edits_alter(&edits, KEPT_CLUSTER, meant[i], &gone);
    }
    status = edits_commit(mgr, &edits, strbuf_text(&text));
    edits_clear(&edits);
    return status;
}

int cluster_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line);
    uint32_t n;
    AUTO_FREE const struct cluster_record **meant = find_meant(book, &asked, &n);
    int status = 1;

    if (acct_words_are_blank(&line->where) || asked.is_wrong)
        mgr_refuse(mgr, " No conditions given to remove, not executing.");
    else if (n == 0)
        mgr_refuse(mgr, " Nothing deleted");
    else
        status = remove_all(mgr, book, meant, n);
    asked_clear(&asked);
    return status;
}
