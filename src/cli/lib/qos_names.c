#include "cli/lib/qos_names.h"

#include <errno.h>

#include "common/msg/acct.h"
#include "common/text/words.h"

int qos_refuse(const struct records *qos, const char *name, struct err *err)
{
    AUTO(strbuf) struct strbuf valid = { 0 };

    for (uint32_t i = 0; i < qos->n; i++) {
        const struct qos_record *rec = record_at(qos, i);

        if (!rec->deleted)
            strbuf_addf(&valid, "%s%s", valid.len ? "," : "", rec->name);
    }
    return err_set(err, EINVAL, "You gave a bad qos '%.100s'. Valid QOS's are %s", name,
                   strbuf_text(&valid));
}

static bool has(const struct records *qos, const char *name)
{
    for (uint32_t i = 0; i < qos->n; i++) {
        const struct qos_record *rec = record_at(qos, i);

        if (word_is(rec->name, name))
            return true;
    }
    return false;
}

const char *qos_find_unknown(const struct records *qos, const struct words *names)
{
    for (uint32_t i = 0; i < names->n; i++) {
        if (!has(qos, names->at[i]))
            return names->at[i];
    }
    return NULL;
}
