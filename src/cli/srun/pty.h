/* Makes the terminal raw; does nothing when standard input is no terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

struct pty {
    bool is_raw;
    struct termios saved;
};

/* Does nothing when standard input is no terminal. */
void pty_begin(struct pty *pty);

/* Puts the terminal back as it was. */
void pty_end(struct pty *pty);

/* Measures the terminal; returns false when there is none. */
bool pty_size(uint32_t *ret_rows, uint32_t *ret_columns);
