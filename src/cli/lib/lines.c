#include "cli/lib/lines.h"

#include <string.h>
#include <unistd.h>

#include "common/base/alloc.h"

int line_read(struct strbuf *line)
{
    char byte;

    line->len = 0;
    while (line->len < LINE_MAX_BYTES) {
        if (read(STDIN_FILENO, &byte, 1) != 1)
            return line->len > 0;
        if (byte == '\n')
            return 1;
        if (byte)
            strbuf_addc(line, byte);
    }
    return -1;
}

void line_split(const char *line, struct words *words)
{
    const char *at = line + strspn(line, " \t\r");

    while (*at) {
        const char *begin = at;
        char quote = 0;

        for (; *at && (quote || !strchr(" \t\r", *at)); at++) {
            if (*at == quote)
                quote = 0;
            else if (!quote && (*at == '"' || *at == '\''))
                quote = *at;
        }
        *ARRAY_PUSH(words->at, words->n) = xstrndup(begin, (size_t)(at - begin));
        at += strspn(at, " \t\r");
    }
}
