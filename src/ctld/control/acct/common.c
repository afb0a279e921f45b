#include "ctld/control/acct/common.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "ctld/control/act/state.h"

int acct_refuse(struct err *err)
{
    return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
}

int acct_check_name(const char *what, const char *name, struct err *err)
{
    int rc = acct_name_check(what, name, err);

    for (const char *at = name; *at && rc == 0; at++) {
        if (isupper((unsigned char)*at))
            rc = err_set(err, EINVAL, "%s '%s': names are in small letters", what, name);
    }
    return rc;
}

static int64_t *time_of(const struct schema *schema, const void *record, const char *member)
{
    return (int64_t *)(void *)((char *)(uintptr_t)record + schema_find(schema, member)->offset);
}

bool acct_only_differs(const struct schema *schema, const void *was, const void *now,
                       const char *member)
{
    const struct schema_field *but = schema_find(schema, member);

    for (uint32_t i = 0; i < schema->fields_n; i++) {
        if (&schema->fields[i] != but && !schema_equal_field(&schema->fields[i], was, now))
            return false;
    }
    return true;
}

bool acct_is_deleted(const struct schema *schema, const void *record)
{
    return *time_of(schema, record, "deleted") != 0;
}

bool acct_deletes(const struct schema *schema, const void *before, const void *after)
{
    return before && after && !acct_is_deleted(schema, before) && acct_is_deleted(schema, after);
}

void acct_stamp(const struct act *act, const struct kept_rules *rules, const void *before,
                void *after)
{
    const struct kept_kind *kind = kept_kind_find(rules->kind);
    const struct schema *schema = kind->schema();
    const int64_t was_deleted = before ? *time_of(schema, before, "deleted") : 0;
    int64_t *deleted = time_of(schema, after, "deleted");
    const bool begins = !before || (was_deleted && !*deleted);
    const uint32_t *number = before ? kept_number_of(kind, (void *)(uintptr_t)before) : NULL;

    *time_of(schema, after, "created") =
        begins ? act->now.wall_s : *time_of(schema, before, "created");
    *time_of(schema, after, "modified") = act->now.wall_s;
    if (*deleted)
        *deleted = was_deleted ? was_deleted : act->now.wall_s;
    if (number)
        *kept_number_of(kind, after) = *number;
}

int acct_check_change(const struct kept_rules *rules, const void *before, const void *after,
                      struct err *err)
{
    const struct kept_kind *kind = kept_kind_find(rules->kind);

    if (!after)
        return err_set(err, E_NOT_SUPPORTED, "a %s is not removed: its deletion is noted",
                       kind->name);
    if (!before && acct_is_deleted(kind->schema(), after))
        return err_set(err, EINVAL, "a %s is not added as a deleted one", kind->name);
    return 0;
}

int acct_check_by_level(struct act *act, const struct kept_rules *rules, enum caller_level level,
                        const void *before, const void *after, struct err *err)
{
    int rc = acct_check_change(rules, before, after, err);

    if (rc == 0 && !caller_has_level(act->caller, level))
        rc = acct_refuse(err);
    return rc;
}

int acct_check_qos_names(struct control *control, char *const *names, uint32_t n, struct err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *name = names[i] + qos_has_sign(names[i]);

        if (qos_has_sign(names[i]) != qos_has_sign(names[0]))
            return err_set(err, E_QOS, "QOS '%s': some have a sign and some have not", names[i]);
        if (!acct_find_qos(control, name))
            return err_set(err, E_QOS, "there is no QOS '%s'", name);
    }
    return 0;
}

static int check_amounts(struct control *control, const struct acct_amount *amounts, uint32_t n,
                         struct err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!kept_find(control_kept(control, KEPT_TRES), amounts[i].tres))
            return err_set(err, EINVAL, "there is no TRES '%s'", amounts[i].tres);
    }
    return 0;
}

int acct_check_amounts(struct control *control, const struct schema *schema, const void *record,
                       struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < schema->fields_n && rc == 0; i++) {
        const struct schema_field *field = &schema->fields[i];
        const char *base = record;

        if (field->kind != KIND_LIST || field->record != acct_amount_schema)
            continue;
        rc = check_amounts(control, *(struct acct_amount *const *)(base + field->offset),
                           *(const uint32_t *)(base + field->count_offset), err);
    }
    return rc;
}

bool acct_sees(const struct control *control, const struct caller *caller, uint32_t private)
{
    return !(control->model->config.private_data & private) ||
           caller_has_level(caller, LEVEL_OPERATOR);
}
