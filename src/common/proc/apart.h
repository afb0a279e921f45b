/* apart.h - work that a process of its own does, which ends with all that the work opened. */
#pragma once

#include "common/base/err.h"
#include "common/base/strbuf.h"

/* Does the work in the child and writes its answer to fd. */
typedef void proc_work_fn(const void *arg, int fd);

/*
 * Lets a child work and reads its answer. After `timeout_ms` (-1: never) the child is killed and
 * what it wrote until then is the answer. Blocks. `ret_bytes` must be empty. Fails if there can be
 * no child.
 */
int proc_apart(proc_work_fn *work, const void *arg, int timeout_ms, struct strbuf *ret_bytes,
               struct err *err);
