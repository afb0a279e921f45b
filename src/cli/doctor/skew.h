/* skew.h - how far apart two clocks are, one of which was told over a network that is slow. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns by how many seconds at least our clock is ahead of the other one, negative when it is
 * behind; 0 if they may well agree. We asked at `asked_s` and looked at our clock again at
 * `heard_s`; in between the other one said `told_s`.
 */
int64_t skew_s(int64_t asked_s, int64_t told_s, int64_t heard_s);

/* True if clocks differ by more than is good for logs and credentials. */
bool skew_is_much(int64_t skew_s);
