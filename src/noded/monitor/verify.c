#include "noded/monitor/verify.h"

#include <errno.h>
#include <string.h>

#define GROUPS_MAX 65536u
#define TASKS_MAX  65536u

/* What every order says about itself. Borrowed from its credential. */
struct order_head {
    const char *label, *cluster, *node, *boot_id;
    uint64_t incarnation;
};

static int check_who(const struct verify_node *node, const struct order_head *head,
                     const char *label, struct err *err)
{
    if (strcmp(head->label, label) != 0)
        return err_set(err, E_PROTO, "credential labelled '%s', not '%s'", head->label, label);
    if (strcmp(head->cluster, node->cluster) != 0)
        return err_set(err, EINVAL, "order of cluster '%s', this is '%s'", head->cluster,
                       node->cluster);
    if (strcmp(head->node, node->node) != 0)
        return err_set(err, EINVAL, "order for node '%s', this is '%s'", head->node, node->node);
    return 0;
}

static int check_when(const struct verify_node *node, const struct order_head *head,
                      struct err *err)
{
    if (strcmp(head->boot_id, node->boot_id) != 0)
        return err_set(err, E_STALE, "order for boot %s, this is %s", head->boot_id, node->boot_id);
    if (head->incarnation < node->incarnation)
        return err_set(err, E_STALE, "order of controller incarnation %llu, %llu was seen already",
                       (unsigned long long)head->incarnation,
                       (unsigned long long)node->incarnation);
    return 0;
}

static int check_head(const struct verify_node *node, const struct order_head *head,
                      const char *label, struct err *err)
{
    int rc = check_who(node, head, label, err);

    return rc < 0 ? rc : check_when(node, head, err);
}

static int check_signature(const struct verify_node *node, const uint8_t *cred, uint32_t cred_n,
                           const uint8_t signature[CRYPT_SIGN_N], struct err *err)
{
    if (!node->has_key)
        return err_set(err, EAGAIN, "the controller's key is not known yet");
    if (!crypt_verify(node->key, cred, cred_n, signature))
        return err_set(err, E_AUTH, "the order's signature is not the controller's");
    return 0;
}

static int check_what(const struct verify_node *node, const struct launch_cred *cred,
                      struct err *err)
{
    if (cred->body_sha256.n != CRYPT_SHA256_N)
        return err_set(err, E_PROTO, "hash of the launch body has %u bytes", cred->body_sha256.n);
    if (cred->tasks_n == 0 || cred->tasks_n > TASKS_MAX || cred->groups_n > GROUPS_MAX)
        return err_set(err, E_TOO_BIG, "order with %u tasks and %u groups: at most %u and %u",
                       cred->tasks_n, cred->groups_n, TASKS_MAX, GROUPS_MAX);
    if (!node->is_root && cred->uid != node->own_uid)
        return err_set(err, EPERM,
                       "order for user %s (uid %u): slurmd runs without root, as uid %u, and can "
                       "only run that user's jobs",
                       cred->user_name, cred->uid, node->own_uid);
    return 0;
}

int verify_launch(const struct verify_node *node, const uint8_t *cred, uint32_t cred_n,
                  const uint8_t signature[CRYPT_SIGN_N], struct launch_cred *ret, struct err *err)
{
    int rc = check_signature(node, cred, cred_n, signature, err);

    if (rc == 0)
        rc = schema_decode(launch_cred_schema(), cred, cred_n, ret, err);
    if (rc < 0)
        return rc;
    rc = check_head(
        node,
        &(struct order_head){ ret->label, ret->cluster, ret->node, ret->boot_id, ret->incarnation },
        LAUNCH_CRED_LABEL, err);
    if (rc == 0)
        rc = check_what(node, ret, err);
    if (rc < 0)
        launch_cred_clear(ret);
    return rc;
}

int verify_hook(const struct verify_node *node, const uint8_t *cred, uint32_t cred_n,
                const uint8_t signature[CRYPT_SIGN_N], struct hook_cred *ret, struct err *err)
{
    int rc = check_signature(node, cred, cred_n, signature, err);

    if (rc == 0)
        rc = schema_decode(hook_cred_schema(), cred, cred_n, ret, err);
    if (rc < 0)
        return rc;
    rc = check_head(
        node,
        &(struct order_head){ ret->label, ret->cluster, ret->node, ret->boot_id, ret->incarnation },
        HOOK_CRED_LABEL, err);
    if (rc < 0)
        hook_cred_clear(ret);
    return rc;
}

int verify_act(const struct verify_node *node, const uint8_t *cred, uint32_t cred_n,
               const uint8_t signature[CRYPT_SIGN_N], struct node_cred *ret, struct err *err)
{
    int rc = check_signature(node, cred, cred_n, signature, err);

    if (rc == 0)
        rc = schema_decode(node_cred_schema(), cred, cred_n, ret, err);
    if (rc < 0)
        return rc;
    rc = check_head(
        node,
        &(struct order_head){ ret->label, ret->cluster, ret->node, ret->boot_id, ret->incarnation },
        NODE_CRED_LABEL, err);
    if (rc == 0 && ret->act >= NODE_ACTS_N)
        rc = err_set(err, ENOTSUP, "a node does not know act %u", ret->act);
    if (rc < 0)
        node_cred_clear(ret);
    return rc;
}

static bool is_allowed(const uint32_t *allowed, uint32_t allowed_n, uint32_t uid)
{
    for (uint32_t i = 0; i < allowed_n; i++) {
        if (allowed[i] == uid)
            return true;
    }
    return false;
}

static int check_key(const struct verify_node *node, const struct controller_key *key,
                     struct err *err)
{
    if (strcmp(key->label, CONTROLLER_KEY_LABEL) != 0)
        return err_set(err, E_PROTO, "key labelled '%s', not '%s'", key->label,
                       CONTROLLER_KEY_LABEL);
    if (strcmp(key->cluster, node->cluster) != 0)
        return err_set(err, EINVAL, "key of cluster '%s', this is '%s'", key->cluster,
                       node->cluster);
    if (key->key.n != CRYPT_PUBLIC_N)
        return err_set(err, E_PROTO, "key of %u bytes, not %d", key->key.n, CRYPT_PUBLIC_N);
    return 0;
}

int verify_key(const struct verify_node *node, const uint32_t *allowed, uint32_t allowed_n,
               uint32_t uid, const uint8_t *payload, size_t payload_n, struct controller_key *ret,
               struct err *err)
{
    int rc;

    if (!is_allowed(allowed, allowed_n, uid))
        return err_set(err, E_AUTH, "the controller's key was sent by uid %u, not by SlurmUser",
                       uid);
    rc = schema_decode(controller_key_schema(), payload, payload_n, ret, err);
    if (rc < 0)
        return rc;
    rc = check_key(node, ret, err);
    if (rc < 0)
        controller_key_clear(ret);
    return rc;
}

int verify_claim(const struct verify_node *node, const uint8_t *claim, uint32_t claim_n,
                 struct err *err)
{
    AUTO(session_claim) struct session_claim it;
    int rc = schema_decode(session_claim_schema(), claim, claim_n, &it, err);

    if (rc < 0)
        return rc;
    if (strcmp(it.label, SESSION_CLAIM_LABEL) != 0 || it.role != RPC_ROLE_NODE || !it.node ||
        strcmp(it.node, node->node) != 0 || !it.cluster || strcmp(it.cluster, node->cluster) != 0)
        return err_set(err, EPERM, "a claim to be node '%s' of '%s': only '%s' of '%s' is",
                       it.node ? it.node : "", it.cluster ? it.cluster : "", node->node,
                       node->cluster);
    return 0;
}
