#include "cli/join/token.h"

#include <ctype.h>
#include <string.h>

#include "common/base/alloc.h"

#define NAME_LABEL   "sluice join token name"
#define SECRET_LABEL "sluice join token secret"
#define CHECK_LABEL  "sluice join token check"

enum {
    LETTER_BITS = 5,
    LETTERS_N = 28,
    GROUP_N = 4,
    CHECKED_N = 18, /* bytes that the letters hold: the token's and, in 12 bits, its check */
};

/* Letters and digits without those that are taken for one another: 0 and o, 1 and l. */
static const char alphabet[] = "23456789abcdefghijkmnpqrstuvwxyz";

void token_new(struct token *ret_token)
{
    crypt_random(ret_token->bytes, TOKEN_BYTES);
}

void token_auto_(struct token *token)
{
    wipe(token, sizeof(*token));
}

static void derive(const struct token *token, const char *label, void *ret_bytes, size_t n)
{
    uint8_t key[CRYPT_SHA256_N];

    crypt_hkdf_extract(NULL, 0, token->bytes, TOKEN_BYTES, key);
    crypt_hkdf_expand(key, label, strlen(label), ret_bytes, n);
    wipe(key, sizeof(key));
}

void token_name(const struct token *token, uint8_t ret_name[TOKEN_NAME_N])
{
    derive(token, NAME_LABEL, ret_name, TOKEN_NAME_N);
}

void token_secret(const struct token *token, uint8_t ret_secret[CRYPT_KEY_N])
{
    derive(token, SECRET_LABEL, ret_secret, CRYPT_KEY_N);
}

/* Makes the token's bytes and 12 bits of check: 140 bits in 18 bytes, the last four of them 0. */
static void add_check(const struct token *token, uint8_t ret[CHECKED_N])
{
    memcpy(ret, token->bytes, TOKEN_BYTES);
    derive(token, CHECK_LABEL, ret + TOKEN_BYTES, CHECKED_N - TOKEN_BYTES);
    ret[CHECKED_N - 1] &= 0xf0;
}

void token_format(const struct token *token, char ret_text[TOKEN_TEXT_N + 1])
{
    uint8_t bytes[CHECKED_N];
    char *out = ret_text;
    uint32_t bits = 0;
    unsigned bits_n = 0;
    size_t at = 0;

    add_check(token, bytes);
    for (unsigned i = 0; i < LETTERS_N; i++) {
        if (i > 0 && i % GROUP_N == 0)
            *out++ = '-';
        if (bits_n < LETTER_BITS) {
            bits = bits << 8 | bytes[at++];
            bits_n += 8;
        }
        bits_n -= LETTER_BITS;
        *out++ = alphabet[bits >> bits_n & 31];
    }
    *out = '\0';
    wipe(bytes, sizeof(bytes));
}

/* Reads the letters of the text as bytes; fails where they are more, fewer, or others. */
static int read_letters(const char *text, uint8_t ret[CHECKED_N], struct err *err)
{
    uint32_t bits = 0;
    unsigned bits_n = 0, letters_n = 0;
    size_t at = 0;

    memset(ret, 0, CHECKED_N);
    for (; *text; text++) {
        int letter = tolower((unsigned char)*text);
        const char *found = strchr(alphabet, letter);

        if (letter == '-' || letter == ' ')
            continue;
        if (!found || ++letters_n > LETTERS_N)
            return err_set(err, EINVAL,
                           "the token is mistyped: it has %d letters and digits, and "
                           "none of 0, 1, l and o",
                           LETTERS_N);
        bits = (bits << LETTER_BITS | (uint32_t)(found - alphabet)) & 0xffff;
        bits_n += LETTER_BITS;
        if (bits_n >= 8) {
            bits_n -= 8;
            ret[at++] = (uint8_t)(bits >> bits_n);
        }
    }
    if (letters_n < LETTERS_N)
        return err_set(err, EINVAL, "the token is not whole: it has %u of %d letters and digits",
                       letters_n, LETTERS_N);
    ret[at] = (uint8_t)(bits << (8 - bits_n)); /* the last half byte */
    return 0;
}

int token_parse(const char *text, struct token *ret_token, struct err *err)
{
    uint8_t typed[CHECKED_N], right[CHECKED_N];
    AUTO(token) struct token token;
    int rc = read_letters(text, typed, err);

    if (rc == 0) {
        memcpy(token.bytes, typed, TOKEN_BYTES);
        add_check(&token, right);
        if (memcmp(typed, right, CHECKED_N) != 0)
            rc = err_set(err, EINVAL, "the token is mistyped: a letter or digit is another one");
        else
            *ret_token = token;
    }
    wipe(typed, sizeof(typed));
    wipe(right, sizeof(right));
    return rc;
}
