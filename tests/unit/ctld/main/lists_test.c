/* Lists whose readers are slow, and what happens to the controller meanwhile. */
#include "common/msg/trigger.h"
#include "unit/ctld/main/head.h"
#include "ctld/control/load.h"

#define KNOWN "NodeName=n[1-8] CPUs=4 State=UNKNOWN\n"

static const char whole[] = KNOWN "PartitionName=first Nodes=n[1-4] Default=YES\n"
                                  "PartitionName=hidden Nodes=n5 Hidden=YES\n"
                                  "PartitionName=last Nodes=n[5-8]\n";
/* The first node and the first partition are gone: all others have other numbers. */
static const char lesser[] = "NodeName=n[2-9] CPUs=4 State=UNKNOWN\n"
                             "PartitionName=hidden Nodes=n5 Hidden=YES\n"
                             "PartitionName=last Nodes=n[5-8] Default=YES\n";

static void add_job(struct head *head, struct guest *guest)
{
    struct job_body body = { .work_dir = (char[]){ "/tmp" } };
    struct job_spec spec;
    struct step_record step;

    job_spec_init(&spec);
    spec.name = (char[]){ "waits" };
    ck_assert_msg(guest_submit(guest, head, &spec, &body, "#!/bin/sh\n") == 0, "%s",
                  guest->last_error.text);
    step_record_init(&step);
    step.job_id = 1;
    step.spec = xcalloc(1, sizeof(*step.spec));
    step_spec_init(step.spec);
    control_load_step(head->ctld.control, &step);
    step_record_clear(&step);
}

static void add_trigger(struct head *head, struct guest *guest)
{
    const struct trigger_record trigger = { .events = TRIGGER_DOWN,
                                            .program = (char[]){ "/bin/true" } };
    struct kept_edit edit = { .verb = KEPT_ADD,
                              .kind = KEPT_TRIGGER,
                              .record = schema_encode_blob(trigger_record_schema(), &trigger) };
    const struct kept_change request = { .edits = &edit, .edits_n = 1 };

    ck_assert_msg(guest_ask_and_wait(guest, head, MSG_KEPT_CHANGE, &request) == 0, "%s",
                  guest->last_error.text);
    kept_edit_clear(&edit);
}

static void start_busy(struct head *head)
{
    struct guest guest;

    head_start(head, whole);
    guest_connect(&guest, head);
    add_job(head, &guest);
    add_trigger(head, &guest);
    guest_leave(&guest, head);
}

/* What a request says where nothing is not enough. */
/* They change something, or answer nothing. All others that anybody may ask are asked here. */
static bool is_no_question(uint32_t type)
{
    const struct handler *handler = api_find(type);

    return !handler || handler->role != ROLE_USER ||
           (handler->kind != HANDLER_LOOKS && handler->kind != HANDLER_RECALLS);
}

static bool is_list(struct head *head, uint32_t type)
{
    struct guest guest;
    bool is;

    guest_connect(&guest, head);
    ck_assert_msg(guest_ask_and_wait(&guest, head, type, guest_message_of(type)) == 0,
                  "%s: %s (what it needs belongs into guest_message_of)", msg_name(type),
                  guest.last_error.text);
    is = guest.last_is_list;
    guest_leave(&guest, head);
    return is;
}

#define ROUNDS 20 /* of the loop, after which a request that was sent is heard */

/* Asks without reading until the controller hears no more of it: the last list that was asked for
 * has begun, and waits. */
static void stop_reading(struct head *head, struct guest *guest, uint32_t type, const void *msg)
{
    const struct conn *conn = head->ctld.conns;

    rpc_session_pause(guest->session);
    while (!conn->is_unheard) {
        guest_ask(guest, type, msg);
        HEAD_UNTIL(head, rpc_session_backlog(guest->session) == 0);
        for (int i = 0; i < ROUNDS && !conn->is_unheard; i++)
            event_base_loop(head->base, EVLOOP_NONBLOCK);
    }
    ck_assert_ptr_nonnull(conn_find_stream(head->ctld.conns, guest->asked_n));
}

static void read_on(struct head *head, struct guest *guest)
{
    rpc_session_resume(guest->session);
    HEAD_UNTIL(head, guest->over_n == guest->asked_n || guest->closed);
    ck_assert(!guest->closed);
    ck_assert_uint_eq(guest->errors_n, 0);
}

START_TEST(every_list_outlives_the_configuration_it_was_begun_with)
{
    struct head head;
    struct guest guest;
    uint32_t type, lists_n = 0;

    start_busy(&head);
    for (size_t i = 0; (type = msg_type_at(i)); i++) {
        if (is_no_question(type) || !is_list(&head, type))
            continue;
        lists_n++;
        guest_connect(&guest, &head);
        stop_reading(&head, &guest, type, guest_message_of(type));

        head_reconfigure(&head, lists_n % 2 ? lesser : whole);
        head_reconfigure(&head, lists_n % 2 ? lesser : whole);
        read_on(&head, &guest);

        guest_leave(&guest, &head);
    }

    ck_assert_uint_ge(lists_n, 9);
    head_stop(&head);
}
END_TEST

/* The names in one list. */
struct names_seen {
    uint32_t request;
    struct strbuf names;
};

static void note_name(const struct rpc_frame *frame, void *ctx)
{
    struct names_seen *seen = ctx;
    AUTO(node_info) struct node_info node;
    AUTO(partition_info) struct partition_info part;
    const bool is_node = frame->type == MSG_NODE_INFO;

    node_info_init(&node);
    partition_info_init(&part);
    if (frame->request != seen->request)
        return;
    ck_assert_int_eq(rpc_decode(frame, is_node ? node_info_schema() : partition_info_schema(),
                                is_node ? (void *)&node : &part, NULL),
                     0);
    strbuf_addf(&seen->names, " %s", is_node ? node.node->name : part.name);
}

static const struct {
    uint32_t type;
    const char *names; /* that both configurations have */
} numbered[] = {
    { MSG_NODE_LIST, " n2 n3 n4 n5 n6 n7 n8" },
    { MSG_PARTITION_LIST, " last" },
};

START_TEST(a_list_shows_what_was_asked_for_when_numbers_have_changed)
{
    const struct node_list nodes = { .hide = false };
    char *last[] = { (char[]){ "last" } };
    const struct partition_list partitions = { .names = last, .names_n = 1 };
    struct names_seen seen = { 0 };
    struct head head;
    struct guest guest;

    start_busy(&head);
    guest_connect(&guest, &head);
    guest.on_record = note_name;
    guest.ctx = &seen;
    stop_reading(&head, &guest, numbered[_i].type,
                 numbered[_i].type == MSG_NODE_LIST ? (const void *)&nodes : &partitions);
    seen.request = guest.asked_n;

    head_reconfigure(&head, lesser);
    read_on(&head, &guest);

    ck_assert_str_eq(strbuf_text(&seen.names), numbered[_i].names);
    strbuf_clear(&seen.names);
    guest_leave(&guest, &head);
    head_stop(&head);
}
END_TEST

CHECK_MAIN(lists, CASE(every_list_outlives_the_configuration_it_was_begun_with),
           LOOP_CASE(a_list_shows_what_was_asked_for_when_numbers_have_changed, ARRAY_N(numbered)))

#undef main
HEAD_MAIN
