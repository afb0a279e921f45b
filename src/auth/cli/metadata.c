#include "auth/cli/metadata.h"

#include <arpa/inet.h>
#include <grp.h>
#include <inttypes.h>
#include <netdb.h>
#include <pwd.h>
#include <string.h>
#include <time.h>

#include "auth/cred/names.h"
#include "common/authc/wire.h"

static const char *const names[META_N] = {
    "STATUS", "ENCODE_HOST", "ENCODE_TIME",     "DECODE_TIME",     "TTL",    "CIPHER", "MAC", "ZIP",
    "UID",    "GID",         "UID_RESTRICTION", "GID_RESTRICTION", "LENGTH",
};

const char *metadata_name(enum metadata_key key)
{
    return names[key];
}

unsigned metadata_parse_keys(const char *text)
{
    static const char delimiters[] = " \t\r\n\v\f,;.";
    unsigned keys = 0;

    while (*(text += strspn(text, delimiters))) {
        size_t n = strcspn(text, delimiters);

        for (unsigned key = 0; key < META_N; key++) {
            if (strlen(names[key]) == n && strncasecmp(text, names[key], n) == 0)
                keys |= 1U << key;
        }
        text += n;
    }
    return keys;
}

/* Appends "name (number)", or the number alone; an unknown name is "???". */
static void put_named(struct strbuf *out, bool numeric, const char *name, uint32_t number)
{
    if (numeric)
        strbuf_addf(out, "%" PRIu32, number);
    else
        strbuf_addf(out, "%s (%" PRIu32 ")", name ? name : "???", number);
}

static void put_user(struct strbuf *out, bool numeric, uid_t uid)
{
    const struct passwd *user = numeric ? NULL : getpwuid(uid);

    put_named(out, numeric, user ? user->pw_name : NULL, uid);
}

static void put_group(struct strbuf *out, bool numeric, gid_t gid)
{
    const struct group *group = numeric ? NULL : getgrgid(gid);

    put_named(out, numeric, group ? group->gr_name : NULL, gid);
}

static void put_host(struct strbuf *out, bool numeric, const struct authc_identity *identity)
{
    struct sockaddr_in addr = { .sin_family = AF_INET };
    char host[NI_MAXHOST] = "???";
    char text[INET_ADDRSTRLEN];

    memcpy(&addr.sin_addr, identity->addr, sizeof(addr.sin_addr));
    inet_ntop(AF_INET, &addr.sin_addr, text, sizeof(text));
    if (numeric) {
        strbuf_adds(out, text);
        return;
    }
    getnameinfo((const struct sockaddr *)&addr, sizeof(addr), host, sizeof(host), NULL, 0,
                NI_NAMEREQD);
    strbuf_addf(out, "%s (%s)", host, text);
}

static void put_time(struct strbuf *out, bool numeric, int64_t seconds)
{
    time_t when = (time_t)seconds;
    char text[64];
    struct tm tm;

    if (!numeric) {
        localtime_r(&when, &tm);
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm);
        strbuf_addf(out, "%s (%" PRId64 ")", text, seconds);
    } else {
        strbuf_addf(out, "%" PRId64, seconds);
    }
}

static void put_value(struct strbuf *out, const struct metadata *metadata, enum metadata_key key)
{
    const struct authc_identity *identity = metadata->identity;
    bool numeric = metadata->numeric;

    switch (key) {
    case META_STATUS:
        put_named(out, numeric, munge_status_text(metadata->status), metadata->status);
        break;
    case META_ENCODE_HOST:
        put_host(out, numeric, identity);
        break;
    case META_ENCODE_TIME:
        put_time(out, numeric, identity->encoded_at);
        break;
    case META_DECODE_TIME:
        put_time(out, numeric, identity->decoded_at);
        break;
    case META_TTL:
        strbuf_addf(out, "%" PRIu32, identity->ttl);
        break;
    case META_CIPHER:
        put_named(out, numeric, cred_name(KIND_CIPHER, identity->cipher), identity->cipher);
        break;
    case META_MAC:
        put_named(out, numeric, cred_name(KIND_MAC, identity->mac), identity->mac);
        break;
    case META_ZIP:
        put_named(out, numeric, cred_name(KIND_ZIP, identity->zip), identity->zip);
        break;
    case META_UID:
        put_user(out, numeric, identity->uid);
        break;
    case META_GID:
        put_group(out, numeric, identity->gid);
        break;
    case META_UID_RESTRICTION:
        put_user(out, numeric, identity->only_uid);
        break;
    case META_GID_RESTRICTION:
        put_group(out, numeric, identity->only_gid);
        break;
    case META_LENGTH:
        strbuf_addf(out, "%zu", identity->payload_n);
        break;
    case META_N:
        break;
    }
}

static bool is_shown(const struct metadata *metadata, unsigned key)
{
    if (key == META_UID_RESTRICTION && metadata->identity->only_uid == AUTHC_ANY)
        return false;
    if (key == META_GID_RESTRICTION && metadata->identity->only_gid == AUTHC_ANY)
        return false;
    return metadata->keys & 1U << key;
}

void metadata_format(const struct metadata *metadata, struct strbuf *out)
{
    for (unsigned key = 0; key < META_N; key++) {
        if (!is_shown(metadata, key))
            continue;

        AUTO_FREE char *label = xasprintf("%s:", names[key]);

        strbuf_addf(out, "%-16s ", label);
        put_value(out, metadata, key);
        strbuf_addc(out, '\n');
    }
}
