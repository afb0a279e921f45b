#include "noded/stepd/pam.h"

#include <errno.h>
#include <security/pam_appl.h>
#include "common/base/alloc.h"

#define SERVICE "slurm" /* /etc/pam.d/slurm, as Slurm has it */

struct pam {
    pam_handle_t *handle;
};

/* Answers modules: there is nobody to ask, and what they only say is heard by nobody. */
static int converse(int n, const struct pam_message **messages, struct pam_response **ret,
                    void *arg)
{
    (void)arg;
    for (int i = 0; i < n; i++) {
        if (messages[i]->msg_style != PAM_TEXT_INFO && messages[i]->msg_style != PAM_ERROR_MSG)
            return PAM_CONV_ERR;
    }
    *ret = calloc((size_t)n, sizeof(**ret));
    return *ret ? PAM_SUCCESS : PAM_BUF_ERR;
}

static int refuse(struct pam *pam, const char *what, int status, struct err *err)
{
    int rc = err_set(err, EACCES, "PAM service " SERVICE ": %s: %s", what,
                     pam_strerror(pam->handle, status));

    (void)pam_end(pam->handle, status);
    free(pam);
    return rc;
}

int as_root_pam_open(const char *user, struct pam **ret, struct err *err)
{
    static const struct pam_conv conversation = { .conv = converse };
    struct pam *pam;
    int status;

    if (pam_library_open(err) < 0)
        return err_prefix(err, "UsePAM=1");
    pam = xcalloc(1, sizeof(*pam));
    status = pam_start(SERVICE, user, &conversation, &pam->handle);
    if (status != PAM_SUCCESS)
        return refuse(pam, "it cannot be used", status, err);
    (void)pam_set_item(pam->handle, PAM_RUSER, user); /* some modules look at it */
    status = pam_setcred(pam->handle, PAM_ESTABLISH_CRED | PAM_SILENT);
    if (status != PAM_SUCCESS)
        return refuse(pam, "no credentials", status, err);
    status = pam_open_session(pam->handle, PAM_SILENT);
    if (status != PAM_SUCCESS) {
        (void)pam_setcred(pam->handle, PAM_DELETE_CRED | PAM_SILENT);
        return refuse(pam, "no session", status, err);
    }
    *ret = pam;
    return 0;
}

struct pam *as_root_pam_close(struct pam *pam)
{
    int status;

    if (!pam)
        return NULL;
    (void)pam_close_session(pam->handle, PAM_SILENT);
    status = pam_setcred(pam->handle, PAM_DELETE_CRED | PAM_SILENT);
    (void)pam_end(pam->handle, status);
    free(pam);
    return NULL;
}
