#include "noded/priv/verbs.h"

#include <assert.h>
#include <string.h>

#include "common/schema/schema.h"

struct verb {
    uint32_t number;
    unsigned receivers;
    uint32_t bytes_min, bytes_max, fds_min, fds_max;
    const char *name;
};

#define VERB_ROW(name, number, receivers, bytes_min, bytes_max, fds_min, fds_max, help)            \
    { number, receivers, bytes_min, bytes_max, fds_min, fds_max, #name },
static const struct verb verbs[] = { PRIV_VERBS(VERB_ROW) };
#undef VERB_ROW

static const struct verb *find_verb(uint32_t number)
{
    for (size_t i = 0; i < ARRAY_N(verbs); i++) {
        if (verbs[i].number == number)
            return &verbs[i];
    }
    return NULL;
}

const char *priv_verb_name(uint32_t number)
{
    const struct verb *verb = find_verb(number);

    return verb ? verb->name : "?";
}

void priv_encode(const struct priv_msg *msg, struct strbuf *packet)
{
    assert(find_verb(msg->verb) && msg->bytes_n <= find_verb(msg->verb)->bytes_max);
    bytes_put_u32(packet, PRIV_MAGIC);
    bytes_put_u16(packet, (uint16_t)msg->verb);
    bytes_put_u16(packet, (uint16_t)msg->fds_n);
    bytes_put_u32(packet, msg->request);
    bytes_put_u32(packet, msg->bytes_n);
    if (msg->bytes_n)
        strbuf_add(packet, msg->bytes, msg->bytes_n);
}

static int check_bounds(const struct verb *verb, const struct priv_msg *msg, struct err *err)
{
    if (msg->bytes_n < verb->bytes_min || msg->bytes_n > verb->bytes_max)
        return err_set(err, msg->bytes_n > verb->bytes_max ? E_TOO_BIG : E_PROTO,
                       "verb %s with %u bytes: %u to %u are allowed", verb->name, msg->bytes_n,
                       verb->bytes_min, verb->bytes_max);
    if (msg->fds_n < verb->fds_min || msg->fds_n > verb->fds_max)
        return err_set(err, E_PROTO, "verb %s with %u descriptors: %u to %u are allowed",
                       verb->name, msg->fds_n, verb->fds_min, verb->fds_max);
    return 0;
}

int priv_decode(const void *packet, size_t n, uint32_t fds_n, unsigned side,
                struct priv_msg *ret_msg, struct err *err)
{
    struct bytes in = bytes_of(packet, n);
    uint32_t magic = bytes_u32(&in);
    struct priv_msg msg = { .verb = bytes_u16(&in) };
    uint32_t said_fds_n = bytes_u16(&in);
    const struct verb *verb = find_verb(msg.verb);

    msg.request = bytes_u32(&in);
    msg.bytes_n = bytes_u32(&in);
    msg.fds_n = fds_n;
    if (in.failed || magic != PRIV_MAGIC)
        return err_set(err, E_PROTO, "a packet of %zu bytes without a header", n);
    if (!verb || !(verb->receivers & side))
        return err_set(err, E_PROTO, "verb %u is not for this side", msg.verb);
    if (in.left != msg.bytes_n || said_fds_n != fds_n)
        return err_set(err, E_PROTO,
                       "verb %s announces %u bytes and %u descriptors, has %zu and %u", verb->name,
                       msg.bytes_n, said_fds_n, in.left, fds_n);
    int rc = check_bounds(verb, &msg, err);
    if (rc < 0)
        return rc;
    msg.bytes = in.at;
    *ret_msg = msg;
    return 0;
}

enum launch_bits { HAS_ENVIRONMENT = 1, HAS_SCRIPT = 2 };

void priv_launch_encode(const struct priv_launch *launch, struct strbuf *bytes)
{
    size_t address_n = strlen(launch->controller);

    bytes_put_u32(bytes, launch->cred_n);
    bytes_put_u8(bytes, (uint8_t)((launch->has_environment ? HAS_ENVIRONMENT : 0) |
                                  (launch->has_script ? HAS_SCRIPT : 0)));
    bytes_put_u8(bytes, (uint8_t)address_n);
    strbuf_add(bytes, launch->signature, PRIV_SIGNATURE_N);
    strbuf_add(bytes, launch->cred, launch->cred_n);
    strbuf_add(bytes, launch->controller, address_n);
}

/* Copies a text that ends at the end of the message. */
static int take_text(struct bytes *in, size_t n, char *ret, struct err *err)
{
    const uint8_t *text = bytes_take(in, n);

    if (in->failed || in->left)
        return err_set(err, E_PROTO, "a verb's parts do not add up to its bytes");
    if (n)
        memcpy(ret, text, n);
    ret[n] = '\0';
    priv_printable(ret);
    return 0;
}

int priv_launch_decode(const struct priv_msg *msg, struct priv_launch *ret, struct err *err)
{
    struct bytes in = bytes_of(msg->bytes, msg->bytes_n);
    struct priv_launch launch = { .cred_n = bytes_u32(&in) };
    uint8_t bits = bytes_u8(&in), address_n = bytes_u8(&in);

    if (launch.cred_n == 0 || launch.cred_n > PRIV_CRED_MAX)
        return err_set(err, E_TOO_BIG, "a job credential of %u bytes: 1 to %u are allowed",
                       launch.cred_n, PRIV_CRED_MAX);
    launch.signature = bytes_take(&in, PRIV_SIGNATURE_N);
    launch.cred = bytes_take(&in, launch.cred_n);
    launch.has_environment = bits & HAS_ENVIRONMENT;
    launch.has_script = bits & HAS_SCRIPT;
    if ((bits & ~(HAS_ENVIRONMENT | HAS_SCRIPT)) ||
        msg->fds_n != 1u + launch.has_environment + launch.has_script)
        return err_set(err, E_PROTO, "verb LAUNCH with bits %#x and %u descriptors", bits,
                       msg->fds_n);
    int rc = take_text(&in, address_n, launch.controller, err);
    if (rc == 0)
        *ret = launch;
    return rc;
}

void priv_signal_encode(const struct priv_signal *signal, struct strbuf *bytes)
{
    bytes_put_u32(bytes, signal->job_id);
    bytes_put_u32(bytes, signal->step_id);
    bytes_put_u32(bytes, signal->signal);
    bytes_put_u32(bytes, signal->flags);
}

struct priv_signal priv_signal_decode(const struct priv_msg *msg)
{
    struct bytes in = bytes_of(msg->bytes, msg->bytes_n);
    struct priv_signal signal = { .job_id = bytes_u32(&in) };

    signal.step_id = bytes_u32(&in);
    signal.signal = bytes_u32(&in);
    signal.flags = bytes_u32(&in);
    return signal;
}

bool priv_end_means(const struct priv_end *end, uint32_t job_id, uint32_t step_id,
                    uint32_t launch_number)
{
    return end->job_id == job_id && (end->step_id == COUNT_UNSET || end->step_id == step_id) &&
           (end->launch_number == 0 || end->launch_number == launch_number);
}

void priv_end_encode(const struct priv_end *end, struct strbuf *bytes)
{
    bytes_put_u32(bytes, end->job_id);
    bytes_put_u32(bytes, end->step_id);
    bytes_put_u32(bytes, end->launch_number);
    bytes_put_u32(bytes, end->kill_wait_s);
    strbuf_adds(bytes, end->reason);
}

int priv_end_decode(const struct priv_msg *msg, struct priv_end *ret, struct err *err)
{
    struct bytes in = bytes_of(msg->bytes, msg->bytes_n);
    struct priv_end end = { .job_id = bytes_u32(&in) };

    end.step_id = bytes_u32(&in);
    end.launch_number = bytes_u32(&in);
    end.kill_wait_s = bytes_u32(&in);
    int rc = take_text(&in, in.left, end.reason, err);
    if (rc == 0)
        *ret = end;
    return rc;
}

void priv_say_encode(const struct priv_say *say, struct strbuf *bytes)
{
    bytes_put_u32(bytes, say->job_id);
    bytes_put_u32(bytes, say->step_id);
    strbuf_adds(bytes, say->text);
}

int priv_say_decode(const struct priv_msg *msg, struct priv_say *ret, struct err *err)
{
    struct bytes in = bytes_of(msg->bytes, msg->bytes_n);
    struct priv_say say = { .job_id = bytes_u32(&in) };

    say.step_id = bytes_u32(&in);
    int rc = take_text(&in, in.left, say.text, err);
    if (rc == 0)
        *ret = say;
    return rc;
}

void priv_forget_encode(const struct priv_forget *forget, struct strbuf *bytes)
{
    bytes_put_u32(bytes, forget->job_id);
    bytes_put_u32(bytes, forget->step_id);
    bytes_put_u32(bytes, forget->launch_number);
}

struct priv_forget priv_forget_decode(const struct priv_msg *msg)
{
    struct bytes in = bytes_of(msg->bytes, msg->bytes_n);
    struct priv_forget forget = { .job_id = bytes_u32(&in) };

    forget.step_id = bytes_u32(&in);
    forget.launch_number = bytes_u32(&in);
    return forget;
}

void priv_connect_encode(const struct priv_connect *connect, struct strbuf *bytes)
{
    bytes_put_u32(bytes, connect->job_id);
    bytes_put_u32(bytes, connect->step_id);
}

struct priv_connect priv_connect_decode(const struct priv_msg *msg)
{
    struct bytes in = bytes_of(msg->bytes, msg->bytes_n);
    struct priv_connect connect = { .job_id = bytes_u32(&in) };

    connect.step_id = bytes_u32(&in);
    return connect;
}

void priv_answer_encode(const struct priv_answer *answer, struct strbuf *bytes)
{
    bytes_put_u32(bytes, (uint32_t)answer->code);
    if (answer->text_n)
        strbuf_add(bytes, answer->text, answer->text_n);
}

struct priv_answer priv_answer_decode(const struct priv_msg *msg)
{
    struct bytes in = bytes_of(msg->bytes, msg->bytes_n);
    struct priv_answer answer = { .code = (int32_t)bytes_u32(&in) };

    answer.text = (const char *)in.at;
    answer.text_n = (uint32_t)in.left;
    return answer;
}

void priv_printable(char *text)
{
    for (; *text; text++) {
        if (*text < ' ' || *text > '~')
            *text = '?';
    }
}
