/* others.h - reports about the time of the cluster, sizes of jobs, and reservations. */
#pragma once

#include "cli/sreport/sreport.h"

/* Print a report for the words of a line. Return what to exit with. */
int report_utilization(struct sreport *sreport, const char *const *words, uint32_t n);
int report_sizes(struct sreport *sreport, const char *const *words, uint32_t n);
int report_sizes_and_wckey(struct sreport *sreport, const char *const *words, uint32_t n);
int report_sizes_of_wckeys(struct sreport *sreport, const char *const *words, uint32_t n);
int report_reservations(struct sreport *sreport, const char *const *words, uint32_t n);
