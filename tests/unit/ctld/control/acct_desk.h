/*
 * acct_desk.h - requests that change accounts, for tests that read like an administrator's story: a
 * controller, and the request that is being written.
 */
#pragma once

#include <errno.h>
#include <string.h>

#include "common/msg/acct.h"
#include "unit/ctld/control/lab.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/act/state.h"
#include "ctld/control/load.h"

#define NODES    "nodes=2 cpus=2"
#define ANN      LAB_USER
#define BOB      (LAB_USER + 1)
#define TEXT(at) ((char *)(uintptr_t)(at))

struct desk {
    struct lab *lab;
    struct kept_change change;
};

static inline struct desk desk_new(const char *config)
{
    struct desk desk = { .lab = lab_new(config) };

    kept_change_init(&desk.change);
    return desk;
}

static inline void desk_free(struct desk *desk)
{
    kept_change_clear(&desk->change);
    lab_free(desk->lab);
}

/* ---- requests ---- */

static inline struct kept_edit *put(struct desk *desk, enum kept_verb verb, enum kept_number kind,
                                    const void *record)
{
    struct kept_edit *edit = ARRAY_PUSH(desk->change.edits, desk->change.edits_n);

    kept_edit_init(edit);
    edit->verb = verb;
    edit->kind = kind;
    edit->record = schema_encode_blob(kept_kind_find(kind)->schema(), record);
    return edit;
}

/* Sets the fields ("deleted parent") of the record that has the key of `like`. */
static inline void set(struct desk *desk, enum kept_number kind, const void *like,
                       const char *fields, const void *record)
{
    const struct kept_kind *of = kept_kind_find(kind);
    struct kept_edit *edit = put(desk, KEPT_ALTER, kind, record);

    AUTO(words) struct words words = words_split(fields, " ");

    edit->like = schema_encode_blob(of->schema(), like);
    lab_match(edit, of->schema(), of->key);
    for (uint32_t i = 0; i < words.n; i++)
        *ARRAY_PUSH(edit->set, edit->set_n) = schema_find(of->schema(), words.at[i])->tag;
}

static inline int send(struct desk *desk, uint32_t uid)
{
    const struct caller caller = lab_caller(uid);
    AUTO(kept_changed) struct kept_changed changed;

    kept_changed_init(&changed);
    desk->lab->err = (struct err){ 0 };
    desk->lab->rc =
        control_kept_change(lab_act(desk->lab, &caller), &desk->change, &changed, &desk->lab->err);
    kept_change_clear(&desk->change);
    kept_change_init(&desk->change);
    lab_settle(desk->lab);
    return desk->lab->rc;
}

/* Returns an association that borrows its texts; `user` or `parent` is NULL. */
static inline struct assoc_record assoc_of(const char *account, const char *user,
                                           const char *parent)
{
    struct assoc_record assoc;

    assoc_record_init(&assoc);
    assoc.cluster = TEXT("lab");
    assoc.account = TEXT(account);
    assoc.user = TEXT(user);
    assoc.parent = TEXT(parent);
    return assoc;
}

static inline void put_account(struct desk *desk, const char *name)
{
    struct account_record account;

    account_record_init(&account);
    account.name = TEXT(name);
    put(desk, KEPT_ADD, KEPT_ACCOUNT, &account);
}

static inline void put_user(struct desk *desk, const char *name, enum admin_level level)
{
    struct user_record user;

    user_record_init(&user);
    user.name = TEXT(name);
    user.admin_level = level;
    put(desk, KEPT_ADD, KEPT_USER, &user);
}

static inline void put_assoc(struct desk *desk, const char *account, const char *user,
                             const char *parent)
{
    const struct assoc_record assoc = assoc_of(account, user, parent);

    put(desk, KEPT_ADD, KEPT_ASSOC, &assoc);
}

/* "deleted is_default": sets fields of an association of the cluster. */
static inline void set_assoc(struct desk *desk, const char *account, const char *user,
                             const char *fields, struct assoc_record record)
{
    AUTO_FREE char *key = acct_assoc_key("lab", account, user, NULL);
    struct assoc_record like = assoc_of(account, user, NULL);

    like.key = key;
    set(desk, KEPT_ASSOC, &like, fields, &record);
}

static inline void set_user(struct desk *desk, const char *name, const char *fields,
                            struct user_record record)
{
    record.name = TEXT(name);
    set(desk, KEPT_USER, &record, fields, &record);
}

static inline void set_account(struct desk *desk, const char *name, const char *fields,
                               struct account_record record)
{
    record.name = TEXT(name);
    set(desk, KEPT_ACCOUNT, &record, fields, &record);
}

static inline void set_qos(struct desk *desk, const char *name, const char *fields,
                           struct qos_record record)
{
    record.name = TEXT(name);
    set(desk, KEPT_QOS, &record, fields, &record);
}

/* Adds an account below another one. */
static inline int add_account(struct desk *desk, uint32_t uid, const char *name, const char *parent)
{
    put_account(desk, name);
    put_assoc(desk, name, NULL, parent);
    return send(desk, uid);
}

static inline int add_user(struct desk *desk, uint32_t uid, const char *name, const char *account)
{
    put_user(desk, name, ADMIN_NONE);
    put_assoc(desk, account, name, NULL);
    return send(desk, uid);
}

static inline int move(struct desk *desk, uint32_t uid, const char *account, const char *parent)
{
    set_assoc(desk, account, NULL, "parent", assoc_of(account, NULL, parent));
    return send(desk, uid);
}

static inline int drop_assoc(struct desk *desk, uint32_t uid, const char *account, const char *user)
{
    struct assoc_record gone = assoc_of(account, user, NULL);

    gone.deleted = 1;
    set_assoc(desk, account, user, "deleted", gone);
    return send(desk, uid);
}

static inline int drop_account(struct desk *desk, const char *name)
{
    set_account(desk, name, "deleted", (struct account_record){ .deleted = 1 });
    return send(desk, 0);
}

static inline int drop_user(struct desk *desk, uint32_t uid, const char *name)
{
    set_user(desk, name, "deleted", (struct user_record){ .deleted = 1 });
    return send(desk, uid);
}

static inline int set_level(struct desk *desk, uint32_t uid, const char *name,
                            enum admin_level level)
{
    set_user(desk, name, "admin_level", (struct user_record){ .admin_level = level });
    return send(desk, uid);
}

static inline int set_shares(struct desk *desk, uint32_t uid, const char *account, const char *user)
{
    struct assoc_record assoc = assoc_of(account, user, NULL);

    assoc.shares = 7;
    set_assoc(desk, account, user, "shares", assoc);
    return send(desk, uid);
}

/* chem (with the lab "organic" below it) and phys, users ann in chem and bob in phys. */
static inline struct desk desk_with_accounts(void)
{
    struct desk desk = desk_new(NODES);

    ck_assert_int_eq(add_account(&desk, 0, "chem", "root"), 0);
    ck_assert_int_eq(add_account(&desk, 0, "organic", "chem"), 0);
    ck_assert_int_eq(add_account(&desk, 0, "phys", "root"), 0);
    ck_assert_int_eq(add_user(&desk, 0, "ann", "chem"), 0);
    ck_assert_int_eq(add_user(&desk, 0, "bob", "phys"), 0);
    return desk;
}

/* Makes ann a coordinator of chem. */
static inline struct desk desk_with_coordinator(void)
{
    struct desk desk = desk_with_accounts();
    char *ann = TEXT("ann");

    set_account(&desk, "chem", "coordinators",
                (struct account_record){ .coordinators = &ann, .coordinators_n = 1 });
    ck_assert_int_eq(send(&desk, 0), 0);
    return desk;
}

/* ---- what is there ---- */

static inline const struct assoc_record *find_assoc(const struct desk *desk, const char *account,
                                                    const char *user)
{
    return acct_find_assoc(desk->lab->control, "lab", account, user, NULL);
}

static inline uint32_t tres_id(const struct desk *desk, const char *name)
{
    const struct tres_record *tres = kept_find(control_kept(desk->lab->control, KEPT_TRES), name);

    ck_assert_msg(tres != NULL, "no TRES %s", name);
    return tres->id;
}

/* Returns all records as text, to be freed. */
static inline char *picture(const struct desk *desk)
{
    struct strbuf out = { 0 };

    for (int kind = KEPT_CLUSTER; kind <= KEPT_WCKEY; kind++) {
        struct kept_table *table = control_kept(desk->lab->control, (enum kept_number)kind);
        uint64_t serial = 0;
        const void *record;

        strbuf_addf(&out, "%d: last %u\n", kind, table->last_number);
        while ((record = kept_next(table, &serial))) {
            schema_print(table->kind->schema(), record, &out);
            strbuf_addc(&out, '\n');
        }
    }
    return strbuf_steal(&out);
}

/* The request that is written is refused with this code, by whomever it is sent, and nothing has
 * changed. */
static inline void expect_refused(struct desk *desk, uint32_t uid, int code)
{
    AUTO_FREE char *before = picture(desk);
    AUTO_FREE char *after = NULL;
    const int rc = send(desk, uid);

    after = picture(desk);
    ck_assert_msg(rc == -code, "%d (%s) instead of %d", rc, desk->lab->err.text, -code);
    ck_assert_str_eq(before, after);
}

/* A resource of ten licenses, of which the cluster may have so many percent. */
static inline int add_resource(struct desk *desk, uint32_t uid, const char *cluster,
                               uint32_t allowed)
{
    struct resource_share share = { .cluster = TEXT(cluster), .allowed = allowed };
    struct resource_record resource;

    resource_record_init(&resource);
    resource.name = TEXT("matlab");
    resource.server = TEXT("flex");
    resource.count = 10;
    resource.shares = &share;
    resource.shares_n = 1;
    put(desk, KEPT_ADD, KEPT_RESOURCE, &resource);
    return send(desk, uid);
}
