/* Loads what pam.c calls of libpam, when a step begins and UsePAM says so. */
#include <security/pam_appl.h>

#include "common/base/library.h"
#include "noded/stepd/pam.h"

LIBRARY(libpam, "libpam.so.0", "sessions of steps with UsePAM=1", NULL);

int pam_library_open(struct err *err)
{
    return library_open(&libpam, err);
}

FORWARD(libpam, int, pam_start,
        (const char *service, const char *user, const struct pam_conv *conversation,
         pam_handle_t **ret_handle),
        (service, user, conversation, ret_handle))
FORWARD(libpam, int, pam_end, (pam_handle_t * handle, int status), (handle, status))
FORWARD(libpam, int, pam_set_item, (pam_handle_t * handle, int type, const void *item),
        (handle, type, item))
FORWARD(libpam, int, pam_setcred, (pam_handle_t * handle, int flags), (handle, flags))
FORWARD(libpam, int, pam_open_session, (pam_handle_t * handle, int flags), (handle, flags))
FORWARD(libpam, int, pam_close_session, (pam_handle_t * handle, int flags), (handle, flags))
FORWARD(libpam, const char *, pam_strerror, (pam_handle_t * handle, int status), (handle, status))
