#include <assert.h>

#include "common/conf/value.h"
#include "common/text/duration.h"

static void format_flags(const struct conf_key *key, uint32_t flags, struct strbuf *out)
{
    const char *comma = "";
    const char *none = "(null)";

    for (const struct conf_word *word = key->words; word->word; word++) {
        if (word->value == 0)
            none = word->word;
        if (word->value == 0 || (flags & word->value) != word->value)
            continue;
        strbuf_addf(out, "%s%s", comma, word->word);
        flags &= ~word->value;
        comma = ",";
    }
    if (!comma[0])
        strbuf_adds(out, none);
}

static void format_choice(const struct conf_key *key, uint32_t value, struct strbuf *out)
{
    for (const struct conf_word *word = key->words; word->word; word++) {
        if (word->value == value) {
            strbuf_adds(out, word->word);
            return;
        }
    }
}

static void format_number(const struct conf_key *key, uint32_t number, struct strbuf *out)
{
    if (number == CONF_UNSET)
        strbuf_adds(out, "(null)");
    else if (number == CONF_UNLIMITED)
        strbuf_adds(out, key->def && conf_is_unlimited(key->def) ? key->def : "UNLIMITED");
    else
        strbuf_addf(out, "%u%s%s", number, key->unit ? " " : "", key->unit ? key->unit : "");
}

static void format_period(uint32_t minutes, struct strbuf *out)
{
    if (minutes == CONF_UNSET)
        strbuf_adds(out, "(null)");
    else
        duration_format(out, minutes == CONF_UNLIMITED ? DURATION_INFINITE : (int64_t)minutes * 60);
}

static void format_ports(const struct conf_ports *ports, struct strbuf *out)
{
    if (ports->first && ports->first == ports->last)
        strbuf_addf(out, "%u", ports->first);
    else
        strbuf_addf(out, "%u-%u", ports->first, ports->last);
}

static void format_mb(uint64_t mb, struct strbuf *out)
{
    strbuf_addf(out, "%llu", (unsigned long long)mb);
}

static void format_text(const char *text, struct strbuf *out)
{
    strbuf_adds(out, text ? text : "(null)");
}

static void format_mem(const struct conf_mem *mem, struct strbuf *out)
{
    if (mem->mb)
        format_mb(mem->mb, out);
    else
        strbuf_adds(out, "UNLIMITED");
}

static void format_level(uint32_t level, struct strbuf *out)
{
    strbuf_adds(out, level == CONF_UNSET ? "(null)" : log_level_name((enum log_level)level));
}

void conf_value_format(const struct conf_key *key, const void *slot, struct strbuf *out)
{
    switch (key->kind) {
    case CONF_TEXT:
    case CONF_USER:
    case CONF_LIST:
        format_text(*(char *const *)slot, out);
        return;
    case CONF_YES_NO:
        strbuf_adds(out, *(const bool *)slot ? "Yes" : "No");
        return;
    case CONF_ON_OFF:
        strbuf_adds(out, *(const bool *)slot ? "1" : "0");
        return;
    case CONF_NUMBER:
        format_number(key, *(const uint32_t *)slot, out);
        return;
    case CONF_PERCENT:
        strbuf_addf(out, "%.1f%%", *(const uint32_t *)slot / 100.0);
        return;
    case CONF_TIME_LIMIT:
    case CONF_PERIOD:
        format_period(*(const uint32_t *)slot, out);
        return;
    case CONF_MB:
        format_mb(*(const uint64_t *)slot, out);
        return;
    case CONF_MEM_NODE:
    case CONF_MEM_CPU:
        format_mem(slot, out);
        return;
    case CONF_LEVEL:
        format_level(*(const uint32_t *)slot, out);
        return;
    case CONF_CHOICE:
    case CONF_PLUGIN:
        format_choice(key, *(const uint32_t *)slot, out);
        return;
    case CONF_FLAGS:
    case CONF_STRICT_FLAGS:
        format_flags(key, *(const uint32_t *)slot, out);
        return;
    case CONF_PORTS:
        format_ports(slot, out);
        return;
    case CONF_SHARING:
        oversubscribe_format(slot, out);
        return;
    case CONF_AGE:
        conf_age_format(slot, out);
        return;
    case CONF_HOSTS:
    case CONF_RECORD:
    case CONF_RUNTIME:
        break;
    }
    assert(false && "a key whose kind has no value");
}
