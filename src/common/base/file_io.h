/* file_io.h - writing to descriptors, which may take a part. */
#pragma once

#include <stddef.h>

/* Writes all n bytes, going on after signals. Returns 0 or -errno; a part may be written then. */
int write_all(int fd, const void *bytes, size_t n);
