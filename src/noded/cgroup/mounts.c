#include "noded/cgroup/mounts.h"

#include <stdio.h>
#include <string.h>

#include "common/base/alloc.h"

/* One line of mountinfo; the rest is not needed. Pointers go into the line. */
struct line {
    char *root, *dir, *type, *options;
};

/* The kernel writes blanks and backslashes in paths as \ooo. */
static void unescape(char *text)
{
    char *to = text;

    for (const char *at = text; *at; to++) {
        if (at[0] == '\\' && strspn(at + 1, "01234567") >= 3) {
            *to = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
            at += 4;
        } else {
            *to = *at++;
        }
    }
    *to = '\0';
}

/* "ID PARENT MAJ:MIN ROOT DIR OPTIONS [TAGS...] - TYPE SOURCE SUPEROPTIONS" */
static bool read_line(char *text, struct line *ret)
{
    char *save = NULL, *word = strtok_r(text, " ", &save);

    for (int i = 1; word && i <= 4; i++) {
        word = strtok_r(NULL, " ", &save);
        if (i == 3)
            ret->root = word;
        if (i == 4)
            ret->dir = word;
    }
    while (word && strcmp(word, "-") != 0)
        word = strtok_r(NULL, " ", &save);
    ret->type = word ? strtok_r(NULL, " ", &save) : NULL;
    word = ret->type ? strtok_r(NULL, " ", &save) : NULL;
    ret->options = word ? strtok_r(NULL, " ", &save) : NULL;
    if (!ret->options)
        return false;
    unescape(ret->root);
    unescape(ret->dir);
    return true;
}

/* Whether `word` is one of the comma list. */
static bool has_word(const char *list, const char *word, size_t list_n)
{
    size_t n = strlen(word);

    for (size_t i = 0; i + n <= list_n; i++) {
        if ((i == 0 || list[i - 1] == ',') && strncmp(list + i, word, n) == 0 &&
            (i + n == list_n || list[i + n] == ','))
            return true;
    }
    return false;
}

/* This process's group, from "ID:CONTROLLERS:/path" lines; v2 has no controllers there. */
static char *self_path(const char *self, const char *controller)
{
    for (const char *at = self; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        const char *list = strchr(at, ':');
        const char *path = list ? strchr(list + 1, ':') : NULL;

        if (!path)
            return NULL;
        size_t list_n = (size_t)(path - list - 1);
        if (controller ? has_word(list + 1, controller, list_n) : list_n == 0)
            return xstrndup(path + 1, strcspn(path + 1, "\n"));
    }
    return NULL;
}

/* A mount may show only the part of the hierarchy below its root, as containers have it. */
static char *below_mount(const char *path, const char *root)
{
    size_t n = strcmp(root, "/") == 0 ? 0 : strlen(root);

    if (!path || strncmp(path, root, n) != 0 || strcmp(path + n, "/") == 0 || path[n] != '/')
        return xstrdup("");
    return xstrdup(path + n);
}

bool cgroup_mount_find(const char *mountinfo, const char *self, const char *controller,
                       struct cgroup_mount *ret)
{
    AUTO_FREE char *copy = xstrdup(mountinfo);
    char *save = NULL;

    for (char *text = strtok_r(copy, "\n", &save); text; text = strtok_r(NULL, "\n", &save)) {
        struct line line = { 0 };

        if (!read_line(text, &line) || strcmp(line.type, controller ? "cgroup" : "cgroup2") != 0)
            continue;
        if (controller && !has_word(line.options, controller, strlen(line.options)))
            continue;
        AUTO_FREE char *path = self_path(self, controller);
        ret->dir = xstrdup(line.dir);
        ret->self = below_mount(path, line.root);
        return true;
    }
    return false;
}

void cgroup_mount_clear(struct cgroup_mount *mount)
{
    free(mount->dir);
    free(mount->self);
    *mount = (struct cgroup_mount){ 0 };
}
