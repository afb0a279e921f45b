/* claim.h - root makes the credential that proves this side of a session to be the node. */
#pragma once

#include "common/rpc/session.h"
#include "noded/agent/root.h"

/* Answers `question` once root has looked at the claim (an encoded session_claim) and asked authd.
 */
void claim_ask(struct root *root, const void *claim, size_t n, struct rpc_question *question);
