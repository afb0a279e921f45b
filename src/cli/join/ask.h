/*
 * ask.h - a machine with a token asks the head for key and configuration.
 */
#pragma once

#include "cli/join/token.h"
#include "common/msg/join.h"

/*
 * Asks the head and blocks, at most some seconds for each step. `head` is a name or address, with
 * ":port" where it is not DOOR_PORT. *ret_answer is to be cleared, also after a failure; its key is
 * to be wiped.
 */
int join_ask(const char *head, const struct token *token, const struct join_request *request,
             struct join_answer *ret_answer, struct err *err);
