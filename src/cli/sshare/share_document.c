#include "cli/sshare/share_document.h"

#include "common/text/words.h"

static void add_real_number(struct json_writer *json, const char *key, uint64_t billionths)
{
    const bool is_number = billionths != SHARE_INFINITE && billionths != SHARE_NOT_SHOWN;

    json_open_object(json, key);
    json_add_bool(json, "set", is_number);
    json_add_bool(json, "infinite", billionths == SHARE_INFINITE);
    json_add_real(json, "number", is_number ? (double)billionths / SHARE_BILLION : 0);
    json_close(json);
}

/* Writes an array of { "name", "value" }; `unit` is what the amounts are divided by. */
static void add_numbers(struct json_writer *json, const char *key, const struct acct_amount *list,
                        uint32_t n, uint64_t unit)
{
    json_open_array(json, key);
    for (uint32_t i = 0; i < n; i++) {
        json_open_object(json, NULL);
        json_add_text(json, "name", list[i].tres);
        document_number(json, "value", true, false, (int64_t)(list[i].amount / unit));
        json_close(json);
    }
    json_close(json);
}

static void add_usage(struct json_writer *json, const struct share_info *info)
{
    json_open_array(json, "usage");
    for (uint32_t i = 0; i < info->used_n; i++) {
        json_open_object(json, NULL);
        json_add_text(json, "name", info->used[i].tres);
        json_add_real(json, "value", (double)info->used[i].amount / SHARE_THOUSAND);
        json_close(json);
    }
    json_close(json);
}

static int64_t billing_of(const struct share_info *info)
{
    for (uint32_t i = 0; i < info->used_n; i++) {
        if (text_is(info->used[i].tres, "billing"))
            return (int64_t)(info->used[i].amount / (uint64_t)SHARE_THOUSAND);
    }
    return 0;
}

void share_document(const struct share_info *info, struct json_writer *json)
{
    const bool has_shares = info->shares != SHARES_PARENT;

    json_open_object(json, NULL);
    json_add_int(json, "id", info->id);
    json_add_text(json, "cluster", info->cluster);
    json_add_text(json, "name", info->user ? info->user : info->account);
    json_add_text(json, "parent", info->user ? info->account : info->parent ? info->parent : "");
    json_add_text(json, "partition", info->partition ? info->partition : "");
    add_real_number(json, "shares_normalized", info->norm_shares);
    document_number(json, "shares", has_shares, false, has_shares ? info->shares : 0);
    json_open_object(json, "tres");
    add_numbers(json, "run_seconds", info->run, info->run_n, (uint64_t)SHARE_THOUSAND);
    add_numbers(json, "group_minutes", info->grp_tres_mins, info->grp_tres_mins_n, 1);
    add_usage(json, info);
    json_close(json);
    add_real_number(json, "effective_usage", info->effective_usage);
    add_real_number(json, "usage_normalized", info->norm_usage);
    json_add_int(json, "usage", billing_of(info));
    json_open_object(json, "fairshare");
    add_real_number(json, "factor", info->factor);
    add_real_number(json, "level", info->level);
    json_close(json);
    document_word(json, "type", info->user ? "USER" : "ASSOCIATION");
    json_close(json);
}
