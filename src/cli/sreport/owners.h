/* owners.h - what accounts, users and wckeys held. */
#pragma once

#include "cli/sreport/sreport.h"

/* Print a report for the words of a line. Return what to exit with. */
int report_accounts(struct sreport *sreport, const char *const *words, uint32_t n);
int report_users(struct sreport *sreport, const char *const *words, uint32_t n);
int report_user_wckeys(struct sreport *sreport, const char *const *words, uint32_t n);
int report_wckeys(struct sreport *sreport, const char *const *words, uint32_t n);
int report_top(struct sreport *sreport, const char *const *words, uint32_t n);
