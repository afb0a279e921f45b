#include "cli/join/nodes.h"

#include <string.h>

#define BEGIN_MARK  "# ---- nodes: sluice join keeps these lines true; yours go below ----"
#define END_MARK    "# ---- end of these nodes ----"
#define LINE_START  "NodeName="
#define SYSTEM_PART 20 /* one part in so many of the memory is the system's */

char *nodes_describe(const struct node_hardware *hardware)
{
    uint64_t memory_mb = hardware->memory_mb - hardware->memory_mb / SYSTEM_PART;

    return xasprintf("CPUs=%u Boards=%u SocketsPerBoard=%u CoresPerSocket=%u ThreadsPerCore=%u "
                     "RealMemory=%llu State=UNKNOWN",
                     hardware->cpus, hardware->boards, hardware->sockets / hardware->boards,
                     hardware->cores_per_socket, hardware->threads_per_core,
                     (unsigned long long)(memory_mb > 0 ? memory_mb : 1));
}

static void add_line(const struct hostlist *hosts, const char *description, struct strbuf *out)
{
    AUTO_FREE char *names = hostlist_format(hosts);

    strbuf_addf(out, LINE_START "%s %s\n", names, description);
}

void nodes_begin(const struct hostlist *hosts, struct strbuf *out)
{
    strbuf_adds(out, BEGIN_MARK "\n");
    add_line(hosts, NODES_ASSUMED, out);
    strbuf_adds(out, END_MARK "\n");
}

/* Returns the line that `mark` is, or NULL. */
static const char *find_mark(const char *text, const char *mark)
{
    const char *at = strstr(text, mark);

    while (at && at > text && at[-1] != '\n')
        at = strstr(at + 1, mark);
    return at;
}

static const char *next_line(const char *line)
{
    return line + strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
}

/* Appends the line without `host`; or with it, where the description is that of the line. */
static int move_host(const char *line, const char *host, const char *description, bool *placed,
                     struct strbuf *out, struct err *err)
{
    const char *names = line + strlen(LINE_START);
    size_t names_n = strcspn(names, " \n");
    AUTO_FREE char *expression = xstrndup(names, names_n);
    AUTO_FREE char *rest = xstrndup(names + names_n, strcspn(names + names_n, "\n"));
    const char *says = rest + strspn(rest, " ");
    AUTO(hostlist) struct hostlist *hosts = NULL, *kept = hostlist_new();
    int rc = hostlist_parse(expression, &hosts, err);

    for (uint32_t i = 0; rc == 0 && i < hostlist_count(hosts); i++) {
        if (strcmp(hostlist_get(hosts, i), host) != 0)
            hostlist_add(kept, hostlist_get(hosts, i));
    }
    if (rc == 0 && !*placed && strcmp(says, description) == 0) {
        hostlist_add(kept, host);
        hostlist_sort(kept);
        *placed = true;
    }
    if (rc == 0 && hostlist_count(kept) > 0)
        add_line(kept, says, out);
    return rc < 0 ? rc : 0;
}

static int update_lines(const char *line, const char *end, const char *host,
                        const char *description, struct strbuf *out, struct err *err)
{
    bool placed = false;
    int rc = 0;

    for (; rc == 0 && line < end; line = next_line(line)) {
        if (strncmp(line, LINE_START, strlen(LINE_START)) == 0)
            rc = move_host(line, host, description, &placed, out, err);
        else
            strbuf_add(out, line, (size_t)(next_line(line) - line));
    }
    if (rc == 0 && !placed)
        strbuf_addf(out, LINE_START "%s %s\n", host, description);
    return rc;
}

int nodes_update(const char *conf_text, const char *host, const char *description, char **ret_text,
                 struct err *err)
{
    const char *begin = find_mark(conf_text, BEGIN_MARK);
    const char *end = begin ? find_mark(begin, END_MARK) : NULL;
    AUTO(strbuf) struct strbuf out = { 0 };
    int rc;

    if (!end)
        return err_set(err, ENOENT, "no lines that `sluice init` wrote for nodes");
    strbuf_add(&out, conf_text, (size_t)(next_line(begin) - conf_text));
    rc = update_lines(next_line(begin), end, host, description, &out, err);
    if (rc < 0)
        return rc;
    strbuf_adds(&out, end);
    *ret_text = strbuf_steal(&out);
    return 0;
}
