#include "ctld/control/acct/tree.h"

#include <string.h>

#include "common/text/words.h"
#include "ctld/control/act/state.h"

struct acct_tree {
    uint64_t version; /* rises with each change of a record */
    uint64_t made_at; /* the version that the tree was made at; 0: never */
    struct assoc *root;
    struct acct_user *users; /* uthash */
    uint32_t n;
};

struct acct_tree *acct_tree_new(void)
{
    struct acct_tree *tree = xcalloc(1, sizeof(*tree));

    tree->version = 1;
    return tree;
}

static void forget_users(struct acct_tree *tree)
{
    struct acct_user *user, *next;

    HASH_ITER (hh, tree->users, user, next) {
        HASH_DEL(tree->users, user);
        free(user->name);
        free(user);
    }
}

struct acct_tree *acct_tree_free(struct acct_tree *tree)
{
    forget_users(tree);
    free(tree);
    return NULL;
}

void acct_tree_changed(struct control *control)
{
    control->acct->version++;
}

uint64_t acct_tree_version(const struct control *control)
{
    return control->acct->version;
}

/* ---- QOS ---- */

/* Adds or removes the QOS that the name, perhaps behind a sign, means. One that is gone counts for
 * nothing. */
static void take_qos(struct control *control, const char *name, struct bitset *qos)
{
    const bool is_removed = name[0] == '-';
    const struct qos_record *rec = acct_find_qos(control, name + qos_has_sign(name));

    if (rec && is_removed)
        bitset_del(qos, rec->id);
    else if (rec)
        bitset_add(qos, rec->id);
}

/* Fills in the QOS of an association: its own, or those of the account above with its
 * differences. */
static void fill_qos(struct control *control, struct assoc *assoc)
{
    const struct assoc_record *rec = &assoc->rec;
    const bool differs = rec->qos_n == 0 || qos_has_sign(rec->qos[0]);

    if (differs && assoc->parent)
        bitset_copy(&assoc->qos, &assoc->parent->qos);
    else
        bitset_init(&assoc->qos, control_kept(control, KEPT_QOS)->last_number + 1);
    assoc->is_reached = true;
    for (uint32_t i = 0; i < rec->qos_n; i++)
        take_qos(control, rec->qos[i], &assoc->qos);
}

/* Returns the name of the QOS that is the only member of the set, or NULL. */
static const char *only_qos(struct control *control, const struct bitset *qos)
{
    struct kept_table *table = control_kept(control, KEPT_QOS);
    const struct qos_record *rec;
    uint64_t serial = 0;

    if (bitset_count(qos) != 1)
        return NULL;
    while ((rec = kept_next(table, &serial))) {
        if (bitset_has(qos, rec->id))
            return rec->name;
    }
    return NULL;
}

const char *acct_default_qos(struct control *control, const struct assoc *assoc)
{
    for (const struct assoc *at = assoc; at; at = at->parent) {
        if (at->rec.default_qos)
            return at->rec.default_qos;
    }
    return assoc ? only_qos(control, &assoc->qos) : NULL;
}

struct assoc *acct_tree_next(const struct assoc *assoc)
{
    if (assoc->first)
        return assoc->first;
    while (assoc && !assoc->next)
        assoc = assoc->parent;
    return assoc ? assoc->next : NULL;
}

/* ---- making the tree ---- */

static bool is_ours(const struct control *control, const struct assoc_record *rec)
{
    return !rec->deleted && text_is(rec->cluster, control->model->config.cluster_name);
}

static void forget_links(struct assoc *assoc)
{
    assoc->parent = assoc->first = assoc->last = NULL;
    assoc->next = assoc->next_of_user = NULL;
    assoc->is_reached = false;
    bitset_clear(&assoc->qos);
}

static void add_to_user(struct acct_tree *tree, struct assoc *assoc)
{
    struct acct_user *user;

    HASH_FIND_STR(tree->users, assoc->rec.user, user);
    if (!user) {
        user = xcalloc(1, sizeof(*user));
        user->name = xstrdup(assoc->rec.user);
        HASH_ADD_KEYPTR(hh, tree->users, user->name, strlen(user->name), user);
    }
    assoc->next_of_user = user->first;
    user->first = assoc;
    if (assoc->rec.is_default && (!user->fallback || !assoc->rec.partition))
        user->fallback = assoc;
}

static void add_below(struct assoc *parent, struct assoc *assoc)
{
    assoc->parent = parent;
    if (parent->last)
        parent->last->next = assoc;
    else
        parent->first = assoc;
    parent->last = assoc;
}

static void link_assoc(struct control *control, struct assoc *assoc)
{
    const struct assoc_record *rec = &assoc->rec;
    const char *above = rec->user ? rec->account : rec->parent;
    AUTO_FREE char *key = above ? acct_assoc_key(rec->cluster, above, NULL, NULL) : NULL;
    struct assoc *parent = key ? kept_find(control_kept(control, KEPT_ASSOC), key) : NULL;

    control->acct->n++;
    if (rec->user)
        add_to_user(control->acct, assoc);
    if (parent)
        add_below(parent, assoc);
    else if (!rec->user)
        control->acct->root = assoc;
}

/* Takes an association that the root is not above out of what it hangs on, which may be a ring:
 * records of another place may be anything. */
static void leave_alone(struct assoc *assoc)
{
    if (!assoc->is_reached)
        assoc->parent = NULL;
}

static void make(struct control *control)
{
    struct kept_table *table = control_kept(control, KEPT_ASSOC);
    struct acct_tree *tree = control->acct;
    struct assoc *assoc;
    uint64_t serial = 0;

    forget_users(tree);
    tree->root = NULL;
    tree->n = 0;
    while ((assoc = kept_next(table, &serial)))
        forget_links(assoc);
    for (serial = 0; (assoc = kept_next(table, &serial));) {
        if (is_ours(control, &assoc->rec))
            link_assoc(control, assoc);
    }
    for (assoc = tree->root; assoc; assoc = acct_tree_next(assoc))
        fill_qos(control, assoc);
    for (serial = 0; (assoc = kept_next(table, &serial));)
        leave_alone(assoc);
    tree->made_at = tree->version;
}

static struct acct_tree *fresh(struct control *control)
{
    if (control->acct->made_at != control->acct->version)
        make(control);
    return control->acct;
}

/* ---- asking it ---- */

struct assoc *acct_tree_root(struct control *control)
{
    return fresh(control)->root;
}

struct acct_user *acct_tree_user(struct control *control, const char *name)
{
    struct acct_tree *tree = fresh(control);
    struct acct_user *user = NULL;

    if (name)
        HASH_FIND_STR(tree->users, name, user);
    return user;
}

struct assoc *acct_tree_find(struct control *control, const char *account, const char *user,
                             const char *partition)
{
    struct acct_user *at = acct_tree_user(control, user);
    struct assoc *found = NULL;

    for (struct assoc *assoc = at ? at->first : NULL; assoc; assoc = assoc->next_of_user) {
        if (!text_is(assoc->rec.account, account))
            continue;
        if (partition && text_is(assoc->rec.partition, partition))
            return assoc;
        if (!assoc->rec.partition)
            found = assoc;
    }
    return found;
}

bool acct_is_used(struct control *control)
{
    const struct model_config *config = &control->model->config;

    /* The controller makes two: of the account root, and of the user root in it. */
    return config->has_slurmdbd || config->acct_enforce || fresh(control)->n > 2;
}
