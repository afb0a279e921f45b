/*
 * token.h - the word that lets one machine join: 128 random bits, typed by people.
 *
 * 28 letters and digits in groups of four ("k3fq-..."): the bits, and 12 more that tell a mistyped
 * word before anything is sent. What goes over the network is the token's name, and keys into which
 * its secret was mixed; neither leads back to the token. Plain data, to be wiped.
 */
#pragma once

#include "common/crypt/crypt.h"

enum {
    TOKEN_BYTES = 16,
    TOKEN_NAME_N = 8,
    TOKEN_TEXT_N = 34, /* 28 characters, a dash after each four but the last */
};

struct token {
    uint8_t bytes[TOKEN_BYTES];
};

void token_new(struct token *ret_token);
void token_auto_(struct token *token); /* wipes */

void token_format(const struct token *token, char ret_text[TOKEN_TEXT_N + 1]);

/*
 * Reads a token; case, dashes and blanks do not count. Fails with EINVAL; the error tells no
 * secret.
 */
int token_parse(const char *text, struct token *ret_token, struct err *err);

/* Computes the name by which the head finds the token that a machine has. */
void token_name(const struct token *token, uint8_t ret_name[TOKEN_NAME_N]);

/* Computes the secret that is mixed into the keys of the exchange. */
void token_secret(const struct token *token, uint8_t ret_secret[CRYPT_KEY_N]);
