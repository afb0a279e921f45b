/*
 * verify.h - is a launch order the controller's, for this node, in this boot, and not an old one?
 * Pure but for the state that is passed in.
 */
#pragma once

#include "common/crypt/crypt.h"
#include "common/msg/hook.h"
#include "common/msg/node.h"
#include "common/msg/session.h"

/* What this node is, and what it has seen. */
struct verify_node {
    const char *cluster;
    const char *node;
    const char *boot_id;
    uint64_t incarnation; /* highest seen */
    bool has_key;
    uint8_t key[CRYPT_PUBLIC_N];
    bool is_root; /* else only orders for `own_uid` can be obeyed */
    uint32_t own_uid;
};

/*
 * Checks the signature, then the content. Fails with E_AUTH (signature), EAGAIN (no key yet),
 * E_PROTO (not a credential), E_STALE (an older controller or another boot), EINVAL (another
 * cluster or node), EPERM (a user that this daemon cannot become).
 */
int verify_launch(const struct verify_node *node, const uint8_t *cred, uint32_t cred_n,
                  const uint8_t signature[CRYPT_SIGN_N], struct launch_cred *ret, struct err *err);

/* Checks the credential of a job's Prolog or Epilog. */
int verify_hook(const struct verify_node *node, const uint8_t *cred, uint32_t cred_n,
                const uint8_t signature[CRYPT_SIGN_N], struct hook_cred *ret, struct err *err);
int verify_act(const struct verify_node *node, const uint8_t *cred, uint32_t cred_n,
               const uint8_t signature[CRYPT_SIGN_N], struct node_cred *ret, struct err *err);

/* Checks a key credential that `uid` made, and takes its payload; `allowed` are those who may make
 * one. */
int verify_key(const struct verify_node *node, const uint32_t *allowed, uint32_t allowed_n,
               uint32_t uid, const uint8_t *payload, size_t payload_n, struct controller_key *ret,
               struct err *err);

/* Checks what root may claim for its agent: to be this node, when it opens a session. */
int verify_claim(const struct verify_node *node, const uint8_t *claim, uint32_t claim_n,
                 struct err *err);
