#include "common/conf/paths.h"

#include <string.h>

char *conf_controller_socket(const struct slurm_conf *conf)
{
    const char *pid_file = conf->slurmctld_pid_file;
    size_t n = strlen(pid_file);

    if (n > 4 && strcmp(pid_file + n - 4, ".pid") == 0)
        n -= 4;
    return xasprintf("%.*s.sock", (int)n, pid_file);
}

uint32_t conf_node_heartbeat_ms(const struct slurm_conf *conf)
{
    uint64_t third = conf->slurmd_timeout_s * UINT64_C(1000) / 3;

    return third == 0 || third > CONF_HEARTBEAT_MAX_MS ? CONF_HEARTBEAT_MAX_MS : (uint32_t)third;
}

char *conf_path_expand(const char *pattern, const char *host, const char *node)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    for (const char *at = pattern; *at; at++) {
        if (at[0] == '%' && (at[1] == 'h' || at[1] == 'n'))
            strbuf_adds(&out, *++at == 'h' ? host : node);
        else
            strbuf_addc(&out, *at);
    }
    return strbuf_steal(&out);
}
