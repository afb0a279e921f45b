/*
 * What a machine that wants to join sends, what it is sent, and what a person types: the first byte
 * chooses. A message is refused or holds what it may; a token that is taken prints as itself.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "cli/join/exchange.h"
#include "cli/join/nodes.h"
#include "cli/join/survey.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_token(const char *text)
{
    struct token token, again;
    char printed[TOKEN_TEXT_N + 1];

    if (token_parse(text, &token, NULL) < 0)
        return;
    token_format(&token, printed);
    assert(token_parse(printed, &again, NULL) == 0);
    assert(memcmp(token.bytes, again.bytes, TOKEN_BYTES) == 0);
}

static void try_hello(const struct rpc_frame *frame)
{
    static const struct token token = { "0123456789abcde" };
    AUTO(join_hello) struct join_hello hello;
    AUTO(strbuf) struct strbuf out = { 0 };
    struct join_exchange exchange;

    if (join_read_hello(frame, &hello, NULL) < 0)
        return;
    join_exchange_init(&exchange, false);
    join_say_hello(&exchange, NULL, &out);
    (void)join_meet(&exchange, frame, &hello, &token, NULL);
    join_exchange_clear(&exchange);
}

static void try_request(const struct rpc_frame *frame)
{
    AUTO(join_request) struct join_request request;
    AUTO_FREE char *description = NULL;

    if (join_read_request(frame, &request, NULL) < 0)
        return;
    description = nodes_describe(request.hardware);
    assert(!strpbrk(request.host, " \t\n#\"\\=/"));
    assert(!strchr(description, '\n'));
}

static void try_answer(const struct rpc_frame *frame)
{
    AUTO(join_answer) struct join_answer answer;

    if (join_read_answer(frame, &answer, NULL) < 0)
        return;
    for (uint32_t i = 0; i < answer.files_n; i++)
        assert(!strchr(answer.files[i].name, '/') && answer.files[i].name[0] != '.');
}

/* What is true of a host is true when it is said twice. */
static void try_conf(const char *text)
{
    AUTO_FREE char *once = NULL, *twice = NULL;

    if (nodes_update(text, "w-1", "CPUs=2", &once, NULL) < 0)
        return;
    assert(nodes_update(once, "w-1", "CPUs=2", &twice, NULL) == 0);
    assert(strcmp(once, twice) == 0);
}

/* A description that is made of an answer is one line. */
static void try_answer_of_slurmd(const char *text)
{
    AUTO(node_hardware) struct node_hardware hardware;

    if (survey_parse(text, &hardware, NULL) == 0) {
        AUTO_FREE char *description = nodes_describe(&hardware);

        assert(!strchr(description, '\n'));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const messages[])(const struct rpc_frame *) = { try_hello, try_request,
                                                                  try_answer };
    static const uint32_t types[] = { MSG_JOIN_HELLO, MSG_JOIN_REQUEST, MSG_JOIN_ANSWER };
    AUTO_FREE char *text = NULL;
    uint8_t choice = size ? data[0] % 6 : 0;

    if (size == 0 || size > 65536)
        return 0;
    text = xstrndup((const char *)data + 1, size - 1);
    if (choice < 3)
        messages[choice](&(struct rpc_frame){
            .type = types[choice], .body = data + 1, .body_n = (uint32_t)(size - 1) });
    else if (choice == 3)
        try_token(text);
    else if (choice == 4)
        try_conf(text);
    else
        try_answer_of_slurmd(text);
    return 0;
}
