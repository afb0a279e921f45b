/*
 * verbs.h - all that the unprivileged agent may ask of root, and all that root tells it.
 *
 * One packet is one verb: a fixed header, bounded bytes, and descriptors beside it. The step
 * daemons' control sockets speak a part of the same table. Pure: bytes in, bytes out; a decoded
 * message borrows the packet. What a verb means is checked again by who obeys it.
 *
 * Header, big-endian: u32 magic, u16 verb, u16 descriptors, u32 request, u32 bytes.
 */
#pragma once

#include "common/base/bytes.h"

#define PRIV_MAGIC      UINT32_C(0x736c7631)
#define PRIV_HEADER_N   16u
#define PRIV_BYTES_MAX  (128u << 10)
#define PRIV_PACKET_MAX (PRIV_HEADER_N + PRIV_BYTES_MAX)
#define PRIV_FDS_MAX    3u

#define PRIV_CRED_MAX    (64u << 10)
#define PRIV_HOOK_MAX    (32u << 10)
#define PRIV_SIGNATURE_N 64u
#define PRIV_ADDRESS_MAX 255u
#define PRIV_REASON_MAX  255u
#define PRIV_SAY_MAX     1023u
#define PRIV_ANSWER_MAX  (16u << 10)

/* Who may receive a verb; a receiver refuses those that are not for it. */
enum priv_side { PRIV_MONITOR = 1, PRIV_AGENT = 2, PRIV_STEP = 4 };

/* X(NAME, number, receivers, fewest bytes, most bytes, fewest and most descriptors, meaning) */
#define PRIV_VERBS(X)                                                                              \
    X(CREDENTIAL, 1, PRIV_MONITOR, 1, 4096, 0, 0, "make a credential over this session_claim")     \
    X(KEY, 2, PRIV_MONITOR, 1, 16384, 0, 0, "take the controller's key from this credential")      \
    X(LAUNCH, 3, PRIV_MONITOR, 71, PRIV_BYTES_MAX, 1, 3, "start a step: struct priv_launch")       \
    X(SIGNAL, 4, PRIV_MONITOR | PRIV_STEP, 16, 16, 0, 0, "signal steps: struct priv_signal")       \
    X(END, 5, PRIV_MONITOR | PRIV_STEP, 16, 16 + PRIV_REASON_MAX, 0, 0, "end: struct priv_end")    \
    X(FORGET, 6, PRIV_MONITOR, 12, 12, 0, 0, "drop a result: struct priv_forget")                  \
    X(LIST, 7, PRIV_MONITOR, 0, 0, 0, 0, "report every step, then answer")                         \
    X(CONNECT, 8, PRIV_MONITOR | PRIV_STEP, 8, 8, 1, 1, "pass a peer on: struct priv_connect")     \
    X(ANSWER, 16, PRIV_AGENT, 4, 4 + PRIV_ANSWER_MAX, 0, 0, "to a request: struct priv_answer")    \
    X(STEP_REPORT, 17, PRIV_AGENT | PRIV_MONITOR, 1, PRIV_BYTES_MAX, 0, 0, "a step_report")        \
    X(STEP_SOCKET, 19, PRIV_MONITOR, 0, 0, 1, 1, "the step daemon ends: its control socket")       \
    X(JOB_CLEAN, 18, PRIV_AGENT, 4, 4, 0, 0, "u32 job: nothing of it is left here")                \
    X(PROLOG, 40, PRIV_MONITOR, 65, PRIV_HOOK_MAX, 0, 0, "run it for a job: signature, hook_cred") \
    X(EPILOG, 41, PRIV_MONITOR, 65, PRIV_HOOK_MAX, 0, 0, "run it when the job is clean: the same") \
    X(HOOK_FORGET, 42, PRIV_MONITOR, 12, 12, 0, 0, "drop results: struct priv_forget")             \
    X(HOOK_REPORT, 43, PRIV_AGENT, 1, PRIV_BYTES_MAX, 0, 0, "a hook_report")                       \
    X(NODE_ACT, 44, PRIV_MONITOR, 65, PRIV_HOOK_MAX, 0, 0, "obey it: signature, node_cred")        \
    X(SAY, 45, PRIV_MONITOR | PRIV_STEP, 8, 8 + PRIV_SAY_MAX, 0, 0, "on stderr: struct priv_say")  \
    X(LOG, 46, PRIV_AGENT | PRIV_STEP, 0, 0, 1, 1, "the log goes on in this file")

#define PRIV_VERB_ENUM(name, number, ...) PRIV_##name = number,
enum priv_verb { PRIV_VERBS(PRIV_VERB_ENUM) };
#undef PRIV_VERB_ENUM

/* Returns the verb's name, as "LAUNCH", or "?" for a number that is not in the table. */
const char *priv_verb_name(uint32_t verb);

struct priv_msg {
    uint32_t verb;
    uint32_t request; /* chosen by who asks, repeated in the ANSWER */
    const uint8_t *bytes;
    uint32_t bytes_n;
    uint32_t fds_n;
    int fds[PRIV_FDS_MAX]; /* filled by the channel; owned by who holds the message */
};

/* Appends the packet. What breaks the table's bounds is a bug here. */
void priv_encode(const struct priv_msg *msg, struct strbuf *packet);

/* Decodes a packet with which `fds_n` descriptors came. Fails with E_PROTO or E_TOO_BIG, naming
 * verb, value and limit. */
int priv_decode(const void *packet, size_t n, uint32_t fds_n, unsigned side,
                struct priv_msg *ret_msg, struct err *err);

/* ---- what the bytes hold ---- */

/* Its descriptors are the body, then the environment and the script when there are such. */
struct priv_launch {
    const uint8_t *cred; /* encoded launch_cred */
    uint32_t cred_n;
    const uint8_t *signature;              /* PRIV_SIGNATURE_N */
    bool has_environment;                  /* its descriptor is the second */
    bool has_script;                       /* its descriptor is the last */
    char controller[PRIV_ADDRESS_MAX + 1]; /* address of the agent's controller connection, or "" */
};
void priv_launch_encode(const struct priv_launch *launch, struct strbuf *bytes);
int priv_launch_decode(const struct priv_msg *msg, struct priv_launch *ret, struct err *err);

struct priv_signal {
    uint32_t job_id, step_id; /* COUNT_UNSET: every step of the job */
    uint32_t signal;
    uint32_t flags; /* enum signal_flags */
};
void priv_signal_encode(const struct priv_signal *signal, struct strbuf *bytes);
struct priv_signal priv_signal_decode(const struct priv_msg *msg);

struct priv_end {
    uint32_t job_id, step_id; /* COUNT_UNSET: every step of the job, and JOB_CLEAN after */
    uint32_t launch_number;   /* of one step: this launch of it; 0: whichever runs */
    uint32_t kill_wait_s;
    char reason[PRIV_REASON_MAX + 1]; /* one printable line */
};
bool priv_end_means(const struct priv_end *end, uint32_t job_id, uint32_t step_id,
                    uint32_t launch_number);
void priv_end_encode(const struct priv_end *end, struct strbuf *bytes);
int priv_end_decode(const struct priv_msg *msg, struct priv_end *ret, struct err *err);

struct priv_say {
    uint32_t job_id, step_id;
    char text[PRIV_SAY_MAX + 1]; /* one printable line */
};
void priv_say_encode(const struct priv_say *say, struct strbuf *bytes);
int priv_say_decode(const struct priv_msg *msg, struct priv_say *ret, struct err *err);

struct priv_forget {
    uint32_t job_id, step_id, launch_number;
};
void priv_forget_encode(const struct priv_forget *forget, struct strbuf *bytes);
struct priv_forget priv_forget_decode(const struct priv_msg *msg);

/* Its descriptor is a connection to SlurmdPort, from which nothing but its preface was read. */
struct priv_connect {
    uint32_t job_id, step_id;
};
void priv_connect_encode(const struct priv_connect *connect, struct strbuf *bytes);
struct priv_connect priv_connect_decode(const struct priv_msg *msg);

struct priv_answer {
    int32_t code; /* 0, or an errno or E_ number */
    const char *text;
    uint32_t text_n; /* the credential asked for, or why not */
};
void priv_answer_encode(const struct priv_answer *answer, struct strbuf *bytes);
struct priv_answer priv_answer_decode(const struct priv_msg *msg);

/* Makes a text of ours fit for a terminal or a log: printable ASCII only, the rest becomes '?'. */
void priv_printable(char *text);
