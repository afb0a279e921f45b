#include "cli/sacctmgr/ask.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads what is left of a line, as far as it is there. */
static void skip_line(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    char byte = 0;

    while (byte != '\n' && poll(&input, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) == 1)
        continue;
}

/* The answer is read byte by byte, so that the commands behind it stay to be read. */
bool ask_yes(int wait_ms)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    const bool is_echoed = isatty(STDIN_FILENO) == 1;

    for (bool is_first = true;; is_first = false) {
        char byte = '\n';

        fputs("(N/y): ", stdout);
        fflush(stdout);
        if (poll(&input, 1, wait_ms) <= 0) {
            puts("timeout");
            return false;
        }
        if (read(STDIN_FILENO, &byte, 1) != 1)
            byte = '\n';
        if (!is_echoed)
            putchar('\n');
        if (byte == '\n')
            return false;
        if (is_first && byte && strchr("yYnN", byte)) {
            skip_line();
            return byte == 'y' || byte == 'Y';
        }
        puts("Y or N please");
    }
}
