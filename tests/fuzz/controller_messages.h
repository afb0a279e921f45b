/*
 * controller_messages.h - what those who speak to a controller may say: messages as programs send
 * them, and the names, numbers and texts that messages made of their schemas are about.
 */
#pragma once

#include "common/msg/alter.h"
#include "common/msg/common.h"
#include "common/msg/hook.h"
#include "common/msg/event.h"
#include "common/msg/job.h"
#include "common/msg/kept.h"
#include "common/msg/node.h"
#include "common/msg/trigger.h"
#include "common/msg/types.h"
#include "tape.h"

#define NODES_N 4 /* n1 and so on */

/* What messages may speak of. */
static const char *const words[] = {
    "n1",
    "n2",
    "n[1-3]",
    "n[1-4]",
    "n4,n1",
    "n9",
    "n[1-",
    "",
    "main",
    "debug",
    "hidden",
    "main,debug",
    "gpu:1",
    "gpu:2",
    "gres:gpu:a:1",
    "gpu:0",
    "lic:1",
    "lic:9,x:1",
    "1-5",
    "0-49%2",
    "7",
    "1,3,5-9:2",
    "afterok:1",
    "afterany:1:2,afternotok:3",
    "after:1+5?singleton",
    "singleton",
    "aftercorr:1",
    "/bin/true",
    "/tmp/%j.%t",
    "alice",
    "root",
    "physics",
    "1",
    "2.0",
    "0",
    "-1",
    "ALL",
    "INFINITE",
    "a",
    "a&b",
    "[a*1&b*2]",
    "a|b",
    "(a&b)|c",
    "x=1",
    "State=DOWN",
    "tok1",
    "tok2",
    "cpu=2,mem=10M",
    "TEST",
    "a b\nc",
    "\xc3\xa4\xff",
    "%%",
    "billing=1,gres/gpu=1",
    "END,FAIL",
    "1-00:00:00",
    "5:00",
    "cpu",
    "UNLIMITED",
    "YES",
    "YES:2",
    "EXCLUSIVE",
    "n1=3",
    "SlurmctldDebug",
    "debug3",
    "DebugFlags",
    "+Backfill",
    "boot-1",
    "boot-2",
    "mask_cpu:0x3",
    "map_cpu:0,1",
    "block:cyclic",
    "127.0.0.1:1",
    "normal",
    "FORCE",
    "NO",
    "10.0.0.7",
    "priority/multifactor",
    "Reason",
    "up",
    "inactive",
    "drain",
};

enum { AS_NODE = 0, AS_ADMIN = 4, AS_USER = 5, AS_SRUN = 6 };

/* What the controller was last heard to order. */
struct order {
    uint32_t job_id, step_id, launch_number;
};

struct orders {
    struct order last[16];
    uint32_t n; /* of all; the oldest are forgotten */
};

static struct orders heard;

static void orders_note(struct orders *orders, struct order order)
{
    orders->last[orders->n++ % ARRAY_N(orders->last)] = order;
}

static struct blob double_script; /* the only blob that there is */
static uint8_t double_script_sha256[SHA256_BYTES];

/* ---- what is known ---- */

static const struct order *some_order(struct tape *tape)
{
    const uint32_t n = heard.n < ARRAY_N(heard.last) ? heard.n : (uint32_t)ARRAY_N(heard.last);

    return n ? &heard.last[tape_below(tape, n)] : NULL;
}

static bool known_number(struct tape *tape, const char *field, uint64_t *ret)
{
    const struct order *order;

    if (strcmp(field, "uid") == 0 || strcmp(field, "gid") == 0) {
        *ret = 1000 + tape_below(tape, 5);
        return true;
    }
    if (!strstr(field, "job") && !strstr(field, "step") && !strstr(field, "launch"))
        return false;
    if (tape_next(tape) % 8 == 0 || !(order = some_order(tape))) {
        *ret = strstr(field, "job") ? 1 + tape_below(tape, 9) : tape_below(tape, 4);
        return tape_next(tape) % 16 != 0;
    }
    *ret = strstr(field, "job")      ? order->job_id
           : strstr(field, "launch") ? order->launch_number
                                     : order->step_id;
    return true;
}

static const struct {
    const char *field; /* or the beginning of its name */
    const char *texts[8];
} fitting[] = {
    { "array", { "1-5", "0-49%2", "7", "1,3,5-9:2", "0-3%1", "1-50", "0" } },
    { "tasks", { "1-3", "1", "2,4", "0-49", "5", "1-5:2" } },
    { "depend",
      { "afterok:1", "afterany:1:2", "afternotok:2", "after:1+5", "singleton",
        "afterok:3?afterany:2", "aftercorr:1", "afterok:1_2" } },
    { "partition", { "main", "debug", "hidden", "main,debug" } },
    { "req_nodes", { "n1", "n[1-2]", "n3", "n[1-4]", "n4" } },
    { "exc_nodes", { "n1", "n[3-4]" } },
    { "node", { "n1", "n2", "n[1-3]", "n[1-4]", "n3", "n4" } },
    { "name", { "n1", "n[1-4]", "n2", "main", "debug", "n3", "gpu", "n4" } },
    { "features", { "a", "b", "a|b", "a*1&b*1", "[a*1&b*2]", "b&c", "(a|b)&c", "a,b" } },
    { "active_features", { "a", "b", "c", "b,c" } },
    { "prefer", { "a", "b", "c" } },
    { "tres_per_node", { "gres/gpu:1", "gres/gpu:2", "gpu:1", "gres/gpu" } },
    { "tres", { "gres/gpu:1", "gres/gpu:2", "gres/gpu:3", "gres/gpu:4" } },
    { "gres", { "gpu:1", "gpu:2", "gpu:0" } },
    { "licenses", { "lic:1", "lic:3", "lic", "lic:2" } },
    { "mail_type", { "ALL", "END", "BEGIN,FAIL", "ARRAY_TASKS,ALL", "TIME_LIMIT_90", "REQUEUE" } },
    { "mail_user", { "alice", "bob@example.org" } },
    { "boot_id", { "boot-1", "boot-2" } },
    { "token", { "tok1", "tok2" } },
    { "qos", { "normal" } },
    { "value", { "debug", "info", "3", "+Backfill", "-Backfill", "quiet", "verbose" } },
    { "pairs",
      { "State=DOWN", "MaxTime=5", "Nodes=n[1-2]", "State=UP", "Default=YES", "Nodes=ALL",
        "MaxNodes=1", "OverSubscribe=EXCLUSIVE" } },
    { "instance", { "i-[1-4]", "i-1", "i-[1-2]" } },
    { "addresses", { "10.0.0.[1-4]", "10.0.0.9" } },
    { "reason", { "broken", "Not responding" } },
};

static const char *known_text(struct tape *tape, const char *field)
{
    for (size_t i = 0; i < ARRAY_N(fitting); i++) {
        uint32_t n = 0;

        if (strncmp(field, fitting[i].field, strlen(fitting[i].field)) != 0)
            continue;
        while (n < ARRAY_N(fitting[i].texts) && fitting[i].texts[n])
            n++;
        return fitting[i].texts[tape_below(tape, n)];
    }
    return NULL;
}

static bool known_blob(struct tape *tape, const char *field, struct blob *ret)
{
    if (!strstr(field, "sha256") || tape_next(tape) % 8 == 0)
        return false;
    *ret = (struct blob){ xmemdup(double_script_sha256, SHA256_BYTES), SHA256_BYTES };
    return true;
}

/* ---- messages as programs send them ---- */

static struct job_spec *make_job(enum job_kind kind)
{
    struct job_spec *spec = xcalloc(1, sizeof(*spec));

    job_spec_init(spec);
    spec->kind = kind;
    spec->name = xstrdup("story");
    spec->time_limit = 60;
    return spec;
}

static struct job_body *make_body(void)
{
    struct job_body *body = xmalloc(sizeof(*body));

    job_body_init(body);
    body->work_dir = xstrdup("/tmp");
    body->script_sha256 =
        (struct blob){ xmemdup(double_script_sha256, SHA256_BYTES), SHA256_BYTES };
    return body;
}

static struct step_spec *make_step(void)
{
    struct step_spec *step = xcalloc(1, sizeof(*step));

    step_spec_init(step);
    step->argv = xcalloc(1, sizeof(char *));
    step->argv[0] = xstrdup("true");
    step->argv_n = 1;
    step->work_dir = xstrdup("/tmp");
    return step;
}

static void make_submit(struct tape *tape, void *msg)
{
    struct job_submit *submit = msg;

    (void)tape;
    submit->spec = make_job(JOB_KIND_BATCH);
    submit->body = make_body();
}

static void make_allocate(struct tape *tape, void *msg)
{
    struct job_allocate *allocate = msg;

    allocate->spec = make_job((enum job_kind)tape_below(tape, 3));
    allocate->body = make_body();
    if (tape_below(tape, 2))
        allocate->step = make_step();
}

static void make_step_run(struct tape *tape, void *msg)
{
    struct step_run *run = msg;

    run->job_id = 1 + tape_below(tape, 6);
    run->step = make_step();
}

static void make_register(struct tape *tape, void *msg)
{
    struct node_register *node = msg;

    node->name = xasprintf("n%u", 1 + tape_below(tape, NODES_N));
    node->boot_id = xstrdup(tape_below(tape, 8) ? "boot-1" : "boot-2");
    node->hooks = tape_below(tape, 4);
    node->hardware = xcalloc(1, sizeof(*node->hardware));
    node_hardware_init(node->hardware);
    node->hardware->cpus = 8;
    node->hardware->boards = 1;
    node->hardware->sockets = node->hardware->cores_per_socket = 2;
    node->hardware->threads_per_core = 2;
    node->hardware->memory_mb = 2000;
    node->hardware->tmp_disk_mb = 10;
    node->hardware->gres = xcalloc(1, sizeof(*node->hardware->gres));
    node->hardware->gres_n = 1;
    node->hardware->gres[0] = (struct gres_count){ xstrdup("gpu"), 2 };
}

static void make_step_report(struct tape *tape, void *msg)
{
    struct step_report *report = msg;
    const struct order *order = some_order(tape);

    report->job_id = order ? order->job_id : 1;
    report->step_id = order ? order->step_id : 0;
    report->launch_number = order ? order->launch_number : 1;
    report->state = tape_below(tape, 4);
}

static void make_node_report(struct tape *tape, void *msg)
{
    struct node_report *report = msg;

    report->clean_jobs = xcalloc(1, sizeof(uint32_t));
    report->clean_jobs[0] = 1 + tape_below(tape, 9);
    report->clean_jobs_n = 1;
}

static void make_hook_report(struct tape *tape, void *msg)
{
    struct hook_report *report = msg;
    const struct order *order = some_order(tape);

    report->job_id = 1 + tape_below(tape, 9);
    report->launch_number = order ? order->launch_number : 1 + tape_below(tape, 9);
    report->kind = tape_below(tape, 3);
    report->code = (int32_t)tape_below(tape, 3);
}

static void make_signal(struct tape *tape, void *msg)
{
    struct job_signal *kill = msg;

    kill->job_id = 1 + tape_below(tape, 9);
    kill->signal = tape_below(tape, 4) ? 9 : 18 + tape_below(tape, 3);
}

static void make_update(struct tape *tape, void *msg)
{
    struct job_update *update = msg;
    uint32_t n = tape_below(tape, 3);

    update->job_id = 1 + tape_below(tape, 9);
    update->hold = tape_below(tape, 8) ? 0 : tape_below(tape, 5);
    update->spec = xmalloc(sizeof(*update->spec));
    job_spec_init(update->spec);
    update->body = xmalloc(sizeof(*update->body));
    job_body_init(update->body);
    for (; n > 0; n--) {
        const bool of_body = tape_below(tape, 4) == 0;
        const struct schema *schema = of_body ? job_body_schema() : job_spec_schema();
        const struct schema_field *field = &schema->fields[tape_next(tape) % schema->fields_n];
        void *values = of_body ? (void *)update->body : (void *)update->spec;

        schema_copy_field(field, values, schema->initial);
        tape_field(tape, field, values, 1);
        *ARRAY_PUSH(update->set, update->set_n) = field->tag;
    }
}

static void make_rerun(struct tape *tape, void *msg)
{
    struct job_rerun *rerun = msg;

    rerun->job_id = 1 + tape_below(tape, 9);
    rerun->flags = tape_below(tape, 8);
}

static void make_suspend(struct tape *tape, void *msg)
{
    struct job_suspend *suspend = msg;

    suspend->job_id = 1 + tape_below(tape, 9);
    suspend->resume = tape_below(tape, 2);
}

static void make_attach(struct tape *tape, void *msg)
{
    ((struct job_attach *)msg)->job_id = 1 + tape_below(tape, 9);
}

static void make_release(struct tape *tape, void *msg)
{
    ((struct job_release *)msg)->job_id = 1 + tape_below(tape, 9);
}

static void make_node_update(struct tape *tape, void *msg)
{
    struct node_update *update = msg;

    update->names = xstrdup(known_text(tape, "node"));
    update->state = tape_below(tape, 14);
    update->reason = xstrdup("broken");
}

static void make_reboot(struct tape *tape, void *msg)
{
    struct node_reboot *reboot = msg;

    reboot->names = xstrdup(known_text(tape, "node"));
    reboot->asap = tape_below(tape, 2);
    reboot->next = tape_below(tape, 3);
}

static void make_partition_change(struct tape *tape, void *msg)
{
    struct partition_change *change = msg;

    change->verb = tape_below(tape, 3);
    change->name = xstrdup(known_text(tape, "partition"));
    *ARRAY_PUSH(change->pairs, change->pairs_n) = xstrdup(known_text(tape, "pairs"));
}

/* The bytes of a record of the kind, made of its schema alone. */
static struct blob any_kept(struct tape *tape, const struct kept_kind *kind)
{
    const struct schema *schema = kind->schema();
    AUTO_FREE void *record = xcalloc(1, schema->size);
    struct strbuf bytes = { 0 };

    tape_message(tape, schema, record, 0);
    schema_encode(schema, record, &bytes);
    schema_clear(schema, record);
    return (struct blob){ (uint8_t *)bytes.data, (uint32_t)bytes.len };
}

static struct blob usual_trigger(struct tape *tape)
{
    AUTO(trigger_record) struct trigger_record trigger = { 0 };
    struct strbuf bytes = { 0 };

    trigger_record_init(&trigger);
    trigger.events = 1u << tape_below(tape, 16);
    trigger.program = xstrdup("/bin/true x");
    trigger.permanent = tape_below(tape, 2);
    schema_encode(trigger_record_schema(), &trigger, &bytes);
    return (struct blob){ (uint8_t *)bytes.data, (uint32_t)bytes.len };
}

static void make_kept_change(struct tape *tape, void *msg)
{
    struct kept_change *change = msg;

    for (uint32_t i = tape_below(tape, 3) + 1; i > 0; i--) {
        struct kept_edit *edit = ARRAY_PUSH(change->edits, change->edits_n);
        const struct kept_kind *kind = kept_kind_at(tape_below(tape, KEPT_KINDS_N));

        kept_edit_init(edit);
        edit->verb = tape_below(tape, 4) ? KEPT_ADD : 1 + tape_below(tape, KEPT_REMOVE);
        edit->kind = tape_below(tape, 4) ? KEPT_TRIGGER : kind->number;
        edit->record = edit->kind == KEPT_TRIGGER && tape_below(tape, 8) ? usual_trigger(tape)
                                                                         : any_kept(tape, kind);
        if (edit->verb == KEPT_ADD)
            continue;
        edit->like = any_kept(tape, kind);
        *ARRAY_PUSH(edit->set, edit->set_n) = 1 + tape_below(tape, 8);
        if (tape_below(tape, 2))
            *ARRAY_PUSH(edit->match, edit->match_n) = 1 + tape_below(tape, 3);
    }
}

static void make_setting(struct tape *tape, void *msg)
{
    struct setting_change *change = msg;

    change->setting = tape_below(tape, 6);
    change->value = xstrdup(known_text(tape, "value"));
}

static const struct {
    uint32_t type, from;
    void (*make)(struct tape *tape, void *msg);
} usual[] = {
    { MSG_JOB_SUBMIT, AS_USER, make_submit },
    { MSG_JOB_SUBMIT, AS_USER, make_submit },
    { MSG_JOB_ALLOCATE, AS_SRUN, make_allocate },
    { MSG_STEP_RUN, AS_SRUN, make_step_run },
    { MSG_JOB_SIGNAL, AS_USER, make_signal },
    { MSG_JOB_UPDATE, AS_ADMIN, make_update },
    { MSG_JOB_UPDATE, AS_USER, make_update },
    { MSG_JOB_REQUEUE, AS_USER, make_rerun },
    { MSG_JOB_SUSPEND, AS_ADMIN, make_suspend },
    { MSG_JOB_ATTACH, AS_SRUN, make_attach },
    { MSG_JOB_RELEASE, AS_SRUN, make_release },
    { MSG_NODE_UPDATE, AS_ADMIN, make_node_update },
    { MSG_NODE_REBOOT, AS_ADMIN, make_reboot },
    { MSG_PARTITION_CHANGE, AS_ADMIN, make_partition_change },
    { MSG_KEPT_CHANGE, AS_ADMIN, make_kept_change },
    { MSG_SETTING_CHANGE, AS_ADMIN, make_setting },
    { MSG_NODE_REGISTER, AS_NODE, make_register },
    { MSG_NODE_REGISTER, AS_NODE, make_register },
    { MSG_NODE_REGISTER, AS_NODE, make_register },
    { MSG_STEP_REPORT, AS_NODE, make_step_report },
    { MSG_STEP_REPORT, AS_NODE, make_step_report },
    { MSG_STEP_REPORT, AS_NODE, make_step_report },
    { MSG_NODE_REPORT, AS_NODE, make_node_report },
    { MSG_HOOK_REPORT, AS_NODE, make_hook_report },
};

static const uint32_t types[] = {
    MSG_PING,           MSG_DIAG_GET,         MSG_DIAG_RESET,    MSG_CONFIG_LIST,
    MSG_RECONFIGURE,    MSG_HISTORY_LIST,     MSG_JOB_SUBMIT,    MSG_JOB_ALLOCATE,
    MSG_STEP_RUN,       MSG_JOB_ATTACH,       MSG_JOB_SIGNAL,    MSG_JOB_RELEASE,
    MSG_JOB_UPDATE,     MSG_STEP_UPDATE,      MSG_JOB_REQUEUE,   MSG_JOB_SUSPEND,
    MSG_JOB_TOP,        MSG_JOB_NOTIFY,       MSG_JOB_SCRIPT,    MSG_BLOB_PUT,
    MSG_JOB_LIST,       MSG_STEP_LIST,        MSG_PRIORITY_LIST, MSG_NODE_LIST,
    MSG_PARTITION_LIST, MSG_NODE_UPDATE,      MSG_NODE_REBOOT,   MSG_STEP_REPORT,
    MSG_NODE_REPORT,    MSG_HOOK_REPORT,      MSG_BLOB_GET,      MSG_NODE_REGISTER,
    MSG_SETTING_CHANGE, MSG_PARTITION_CHANGE, MSG_KEPT_CHANGE,   MSG_KEPT_LIST,
    MSG_EVENT_LIST,     MSG_SHUTDOWN,         MSG_HEARTBEAT,     MSG_JOB_EVENT,
    MSG_LICENSE_LIST,
};
