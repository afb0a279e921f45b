/*
 * reach.h - whether a path can be looked at, where looking may hang: a file server that is gone
 * keeps who asks for as long as it is gone.
 */
#pragma once

/* Looks whether a path can be reached: returns 0 or an errno. */
typedef int reach_look_fn(const char *path);

/* Calls stat(); a path that may not be looked into counts as there. */
reach_look_fn reach_stat;

/*
 * Looks in a process of its own. Fails with what `look` returns, negative; with ETIMEDOUT when that
 * takes longer than `patience_ms`: the process is killed then, and goes when it can.
 */
int reach(const char *path, reach_look_fn *look, int patience_ms);
