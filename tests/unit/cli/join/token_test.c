#include "unit/check_main.h"

#include <ctype.h>
#include <string.h>

#include "cli/join/token.h"

START_TEST(a_token_typed_as_it_was_printed_is_the_token)
{
    struct token token, typed;
    char text[TOKEN_TEXT_N + 1];

    for (int i = 0; i < 200; i++) {
        token_new(&token);
        token_format(&token, text);

        ck_assert_uint_eq(strlen(text), TOKEN_TEXT_N);
        ck_assert_int_eq(token_parse(text, &typed, NULL), 0);
        ck_assert_mem_eq(token.bytes, typed.bytes, TOKEN_BYTES);
    }
}
END_TEST

START_TEST(case_dashes_and_blanks_do_not_count)
{
    const struct token token = { "0123456789abcde" };
    struct token typed;
    char text[TOKEN_TEXT_N + 1], other[2 * TOKEN_TEXT_N + 1] = "";

    token_format(&token, text);
    for (size_t i = 0, n = 0; text[i]; i++) {
        if (text[i] == '-')
            continue;
        other[n++] = (char)toupper((unsigned char)text[i]);
        other[n++] = ' ';
    }

    ck_assert_int_eq(token_parse(other, &typed, NULL), 0);
    ck_assert_mem_eq(token.bytes, typed.bytes, TOKEN_BYTES);
}
END_TEST

/* One wrong letter has one chance in 4096 to pass; these do not. */
START_TEST(every_single_mistyped_letter_is_noticed)
{
    const struct token token = { "0123456789abcde" };
    char text[TOKEN_TEXT_N + 1];
    struct token typed;
    struct err err = { 0 };

    token_format(&token, text);
    for (size_t i = 0; i < TOKEN_TEXT_N; i++) {
        char right = text[i];

        if (right == '-')
            continue;
        text[i] = right == 'x' ? 'y' : 'x';
        ck_assert_int_eq(token_parse(text, &typed, &err), -EINVAL);
        ck_assert_ptr_nonnull(strstr(err.text, "mistyped"));
        text[i] = right;
    }
}
END_TEST

START_TEST(what_is_no_token_is_refused)
{
    static const char *const rows[] = { "",
                                        "abc",
                                        "0000-0000-0000-0000-0000-0000-0000",
                                        "2222-2222-2222-2222-2222-2222-222",
                                        "2222-2222-2222-2222-2222-2222-2222-2",
                                        "2222/2222-2222-2222-2222-2222-2222" };
    struct token typed;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        ck_assert_int_eq(token_parse(rows[i], &typed, NULL), -EINVAL);
}
END_TEST

START_TEST(name_and_secret_are_neither_the_token_nor_one_another)
{
    const struct token token = { "0123456789abcde" }, next = { "0123456789abcdf" };
    uint8_t name[TOKEN_NAME_N], secret[CRYPT_KEY_N], other[CRYPT_KEY_N];

    token_name(&token, name);
    token_secret(&token, secret);
    token_secret(&next, other);

    ck_assert_mem_ne(name, token.bytes, TOKEN_NAME_N);
    ck_assert_mem_ne(name, secret, TOKEN_NAME_N);
    ck_assert_mem_ne(secret, other, TOKEN_NAME_N);
}
END_TEST

CHECK_MAIN(cli_join_token, CASE(a_token_typed_as_it_was_printed_is_the_token),
           CASE(case_dashes_and_blanks_do_not_count), CASE(every_single_mistyped_letter_is_noticed),
           CASE(what_is_no_token_is_refused),
           CASE(name_and_secret_are_neither_the_token_nor_one_another))
