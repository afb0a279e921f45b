#include "cli/srun/pty.h"

#include <sys/ioctl.h>
#include <unistd.h>

void pty_begin(struct pty *pty)
{
    struct termios raw;

    if (pty->is_raw || tcgetattr(STDIN_FILENO, &pty->saved) < 0)
        return;
    raw = pty->saved;
    cfmakeraw(&raw);
    pty->is_raw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

void pty_end(struct pty *pty)
{
    if (pty->is_raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &pty->saved);
    pty->is_raw = false;
}

bool pty_size(uint32_t *ret_rows, uint32_t *ret_columns)
{
    struct winsize size;

    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) < 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
        return false;
    *ret_rows = size.ws_row;
    *ret_columns = size.ws_col;
    return size.ws_row > 0 && size.ws_col > 0;
}
