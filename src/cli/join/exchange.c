#include "cli/join/exchange.h"

#include <ctype.h>
#include <string.h>

#define CPUS_MAX    65536u
#define MEMORY_MAX  (UINT64_C(1) << 40)
#define KEY_MAX     65536u
#define FILES_MAX   256u
#define FILE_NAME_N 100

void join_exchange_init(struct join_exchange *exchange, bool is_machine)
{
    *exchange = (struct join_exchange){ .handshake = { .initiator = is_machine } };
    crypt_x25519_new(&exchange->handshake.own);
}

void join_exchange_clear(struct join_exchange *exchange)
{
    handshake_clear(&exchange->handshake);
    record_key_free(exchange->seal);
    record_key_free(exchange->open);
    *exchange = (struct join_exchange){ 0 };
}

/* Says the hello, and notes it as part of what the keys are made of. */
void join_say_hello(struct join_exchange *exchange, const struct token *token, struct strbuf *out)
{
    AUTO(strbuf) struct strbuf body = { 0 };
    struct rpc_frame frame = { .type = MSG_JOIN_HELLO };
    uint8_t name[TOKEN_NAME_N];
    struct join_hello hello = {
        .protocol = JOIN_PROTOCOL,
        .ephemeral_key = { exchange->handshake.own.public, CRYPT_KEY_N },
    };

    if (token) {
        token_name(token, name);
        hello.token_name = (struct blob){ name, sizeof(name) };
    }
    schema_encode(join_hello_schema(), &hello, &body);
    frame.body = body.data;
    frame.body_n = (uint32_t)body.len;
    handshake_note(&exchange->handshake, true, &frame);
    rpc_frame_encode(&frame, out);
}

static int decode(const struct rpc_frame *frame, uint32_t type, const struct schema *schema,
                  void *ret, struct err *err)
{
    if (frame->type != type)
        return err_set(err, E_PROTO, "%s where %s is expected", msg_name(frame->type),
                       msg_name(type));
    return rpc_decode(frame, schema, ret, err);
}

int join_read_hello(const struct rpc_frame *frame, struct join_hello *ret_hello, struct err *err)
{
    int rc;

    join_hello_init(ret_hello);
    rc = decode(frame, MSG_JOIN_HELLO, join_hello_schema(), ret_hello, err);
    if (rc == 0 && ret_hello->protocol != JOIN_PROTOCOL)
        rc = err_set(err, E_PROTO,
                     "its way of joining has number %u, this one's has %u: another "
                     "version is installed there",
                     ret_hello->protocol, JOIN_PROTOCOL);
    return rc < 0 ? rc : 0;
}

int join_meet(struct join_exchange *exchange, const struct rpc_frame *frame,
              const struct join_hello *other, const struct token *token, struct err *err)
{
    struct handshake_keys keys;
    uint8_t secret[CRYPT_KEY_N];
    int rc;

    handshake_note(&exchange->handshake, false, frame);
    rc = handshake_meet(&exchange->handshake, &other->ephemeral_key, &keys, err);
    if (rc < 0)
        return rc;
    token_secret(token, secret);
    handshake_mix(&exchange->handshake, secret, &keys);
    exchange->seal = record_key_new(keys.send);
    exchange->open = record_key_new(keys.receive);
    wipe(secret, sizeof(secret));
    wipe(&keys, sizeof(keys));
    return 0;
}

void join_seal(struct join_exchange *exchange, uint32_t type, const void *body, uint32_t body_n,
               struct strbuf *out)
{
    const struct rpc_frame frame = { .type = type, .body = body, .body_n = body_n };
    AUTO(strbuf) struct strbuf record = { 0 };

    strbuf_add(&record, "\0\0\0", RECORD_HEADER);
    rpc_frame_encode(&frame, &record);
    strbuf_reserve(&record, CRYPT_TAG_N);
    record_seal(exchange->seal, (uint8_t *)record.data, record.len - RECORD_HEADER);
    strbuf_add(out, record.data, record.len + CRYPT_TAG_N);
}

/* ---- what is inside ---- */

bool join_name_is_plain(const char *name, size_t longest)
{
    size_t n = strlen(name);

    if (n == 0 || n > longest || name[0] == '.' || name[0] == '-')
        return false;
    for (; *name; name++) {
        if (!isalnum((unsigned char)*name) && !strchr("-_.", *name))
            return false;
    }
    return true;
}

static int check_hardware(const struct node_hardware *hardware, struct err *err)
{
    const uint32_t counts[] = { hardware->cpus, hardware->boards, hardware->sockets,
                                hardware->cores_per_socket, hardware->threads_per_core };

    for (size_t i = 0; i < ARRAY_N(counts); i++) {
        if (counts[i] < 1 || counts[i] > CPUS_MAX)
            return err_set(err, E_PROTO,
                           "a machine with %u cpus, boards, sockets, cores or "
                           "threads: must be from 1 to %u",
                           counts[i], CPUS_MAX);
    }
    if (hardware->memory_mb > MEMORY_MAX)
        return err_set(err, E_PROTO, "a machine with too much memory");
    return 0;
}

int join_read_request(const struct rpc_frame *frame, struct join_request *ret_request,
                      struct err *err)
{
    int rc;

    join_request_init(ret_request);
    rc = decode(frame, MSG_JOIN_REQUEST, join_request_schema(), ret_request, err);
    if (rc < 0)
        return rc;
    if (!join_name_is_plain(ret_request->host, JOIN_HOST_MAX))
        return err_set(err, E_PROTO, "a host name that no host has");
    return check_hardware(ret_request->hardware, err);
}

int join_read_answer(const struct rpc_frame *frame, struct join_answer *ret_answer, struct err *err)
{
    int rc;

    join_answer_init(ret_answer);
    rc = decode(frame, MSG_JOIN_ANSWER, join_answer_schema(), ret_answer, err);
    if (rc < 0)
        return rc;
    if (ret_answer->key.n < 32 || ret_answer->key.n > KEY_MAX)
        return err_set(err, E_PROTO, "the head's key has %u bytes, which no key has",
                       ret_answer->key.n);
    if (ret_answer->files_n > FILES_MAX || strcmp(ret_answer->files[0].name, "slurm.conf") != 0)
        return err_set(err, E_PROTO, "the head's answer does not begin with slurm.conf");
    for (uint32_t i = 0; i < ret_answer->files_n; i++) {
        if (!join_name_is_plain(ret_answer->files[i].name, FILE_NAME_N))
            return err_set(err, E_PROTO, "the head's answer has a file with a name of no file");
    }
    return 0;
}
