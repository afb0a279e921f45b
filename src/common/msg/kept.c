#include "common/msg/kept.h"

#include "common/msg/acct.h"
#include "common/msg/node.h"
#include "common/msg/reservation.h"
#include "common/msg/trigger.h"

#define KIND_ROW(name_, number_, schema_, key_, flags_)                                            \
    { .name = #name_,                                                                              \
      .number = number_,                                                                           \
      .flags = flags_,                                                                             \
      .schema = schema_##_schema,                                                                  \
      .key = #key_ },

static const struct kept_kind kinds[] = { KEPT_KINDS(KIND_ROW) };

const struct kept_kind *kept_kind_at(uint32_t i)
{
    return &kinds[i];
}

const struct kept_kind *kept_kind_find(uint32_t number)
{
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (kinds[i].number == number)
            return &kinds[i];
    }
    return NULL;
}

char *kept_key(const struct kept_kind *kind, const void *record)
{
    const struct schema_field *field = schema_find(kind->schema(), kind->key);
    const void *member = (const char *)record + field->offset;

    if (kind->flags & KEPT_NUMBERED)
        return xasprintf("%u", *(const uint32_t *)member);
    return xstrdup(*(char *const *)member);
}

uint32_t *kept_number_of(const struct kept_kind *kind, void *record)
{
    const char *member = kind->flags & KEPT_HAS_ID ? "id" : kind->key;

    if (!(kind->flags & (KEPT_NUMBERED | KEPT_HAS_ID)))
        return NULL;
    return (uint32_t *)(void *)((char *)record + schema_find(kind->schema(), member)->offset);
}
