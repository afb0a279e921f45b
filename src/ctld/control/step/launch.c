/*
 * The order that starts a step on a node.
 *
 * An order may have to be sent again: the node was away, or the controller was. It is then made
 * again from the records of job and step (and the configuration), which hold all that goes into
 * it, so nothing of it needs keeping. The launch number, not the bytes, is what a node obeys at
 * most once.
 */
#include "ctld/control/step/launch.h"

#include "common/crypt/crypt.h"
#include "common/text/gpubind.h"
#include "ctld/control/act/jobenv.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/hook.h"
#include "ctld/control/step/bind.h"
#include "ctld/control/step/end.h"
#include "ctld/model/body.h"
#include "ctld/model/gres.h"

static char **copy_strings(char *const *from, uint32_t n)
{
    char **copy = xcalloc(n, sizeof(*copy));

    for (uint32_t i = 0; i < n; i++)
        copy[i] = xstrdup(from[i]);
    return copy;
}

/* Tells a node of a device for the environment of tasks; with `near`, of its cores, too. */
static void tell_device(const struct gres_info *info, bool near, struct job_gres *gres)
{
    struct gres_near *cores;

    gres->gpu_env |= info->gpu_env;
    if (!near)
        return;
    cores = ARRAY_PUSH(gres->near, gres->near_n);
    gres_near_init(cores);
    cores->cores = xmemdup(info->cores, info->cores_n * sizeof(*info->cores));
    cores->cores_n = info->cores_n;
}

static void tell_devices(const struct node *node, bool near, struct step_node *part)
{
    static const struct gres_info unknown;
    struct gres_device device;

    for (uint32_t i = 0; i < part->gres_n; i++) {
        struct job_gres *gres = &part->gres[i];

        for (uint32_t k = 0; node && k < gres->devices_n; k++)
            tell_device(gres_find_device(node->conf, gres->name, gres->devices[k], &device)
                            ? &node->conf->devices[device.row]
                            : &unknown,
                        near, gres);
    }
}

static bool binds_gpus_near(const struct step_spec *spec)
{
    AUTO(gpu_bind) struct gpu_bind bind = { 0 };

    return spec && gpu_bind_parse(spec->gpu_bind, &bind, NULL) == 0 &&
           bind.kind == GPU_BIND_CLOSEST;
}

/* Fills in cpus and tasks of the nodes. The boot that an order is for is told by the credential. */
static void fill_layout(const struct model *model, const struct step *step,
                        struct launch_body *body)
{
    const bool near = binds_gpus_near(step->rec.spec);

    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        struct step_node *node = ARRAY_PUSH(body->nodes, body->nodes_n);

        schema_copy(step_node_schema(), node, &step->rec.nodes[i]);
        node->state = STEP_PENDING;
        xstrset(&node->boot_id, NULL);
        tell_devices(model_find_node(model, node->name), near, node);
    }
    body->ntasks = step->rec.ntasks;
    body->cpus_per_task = step->rec.cpus_per_task;
}

static void fill_limits(const struct rlimit_spec *limits, uint32_t n, struct launch_body *body)
{
    body->limits = xmemdup(limits, n * sizeof(*limits));
    body->limits_n = n;
}

static void fill_batch(const struct job *job, struct launch_body *body)
{
    const struct job_body *asked = &job->body->msg;

    body->argv = copy_strings(asked->script_args, asked->script_args_n);
    body->argv_n = asked->script_args_n;
    body->environment_sha256 = blob_copy(&asked->environment_sha256);
    body->script_sha256 = blob_copy(&asked->script_sha256);
    body->work_dir = xstrdup(asked->work_dir);
    body->std_in = xstrdup(asked->std_in);
    body->std_out = xstrdup(asked->std_out ? asked->std_out : job_usual_output(&job->rec));
    body->std_err = xstrdup(asked->std_err);
    body->open_mode = asked->open_mode;
    body->umask = asked->umask;
    body->command = xstrdup(asked->command);
    fill_limits(asked->limits, asked->limits_n, body);
}

/* Fills in how tasks are bound. The default of sockets is cyclic where the configuration does not
 * say otherwise. */
static void fill_binding(const struct model *model, const struct step *step,
                         struct launch_body *body)
{
    const struct step_spec *spec = step->rec.spec;

    body->cpu_bind = bind_decide(model, step);
    body->cpu_unbound = spec->cpu_unbound;
    body->mem_bind = xstrdup(spec->mem_bind);
    body->dist_sockets = spec->dist_sockets;
    if (spec->dist_sockets == DIST_DEFAULT && (model->config.select & SELECT_CORE_DIST_BLOCK))
        body->dist_sockets = DIST_BLOCK;
    if (spec->threads_per_core != COUNT_UNSET)
        body->threads_per_core = spec->threads_per_core;
    if (spec->ntasks_per_core != COUNT_UNSET)
        body->ntasks_per_core = spec->ntasks_per_core;
}

static void fill_step(const struct model_config *config, const struct step_spec *spec,
                      struct launch_body *body)
{
    body->argv = copy_strings(spec->argv, spec->argv_n);
    body->argv_n = spec->argv_n;
    for (uint32_t i = 0; i < spec->programs_n; i++)
        schema_copy(step_program_schema(), ARRAY_PUSH(body->programs, body->programs_n),
                    &spec->programs[i]);
    body->environment_sha256 = blob_copy(&spec->environment_sha256);
    body->work_dir = xstrdup(spec->work_dir);
    body->std_in = xstrdup(spec->std_in);
    body->std_out = xstrdup(spec->std_out);
    body->std_err = xstrdup(spec->std_err);
    body->open_mode = spec->open_mode;
    body->umask = spec->umask;
    body->service = spec->service;
    body->io_addresses = copy_strings(spec->io_addresses, spec->io_addresses_n);
    body->io_addresses_n = spec->io_addresses_n;
    body->io_token = blob_copy(&spec->io_token);
    body->pty = spec->pty;
    body->label = spec->label;
    body->stopped = spec->stopped;
    body->program_by_node = spec->program_by_node;
    body->kill_on_bad_exit = spec->kill_on_bad_exit || config->kill_on_bad_exit;
    body->wait_s = spec->wait_s;
    body->stdin_task = spec->stdin_task;
    body->gpu_bind = xstrdup(spec->gpu_bind);
    body->mpi = xstrdup(spec->mpi);
    body->patient = spec->patient;
    body->task_prolog = xstrdup(spec->task_prolog);
    body->task_epilog = xstrdup(spec->task_epilog);
    body->node_level = spec->node_level;
    fill_limits(spec->limits, spec->limits_n, body);
}

static void make_body(const struct control *control, const struct step *step, struct strbuf *bytes)
{
    const struct model_config *config = &control->model->config;
    const struct job_record *job = &step->job->rec;
    AUTO(launch_body) struct launch_body body;

    launch_body_init(&body);
    body.job_id = job->id;
    body.step_id = step->rec.step_id;
    body.job_name = xstrdup(job->spec->name);
    body.user_name = xstrdup(job->user_name);
    body.job_nodes = xstrdup(job->node_list);
    body.array_job_id = job->array_job_id;
    body.array_task = job->array_task;
    fill_layout(control->model, step, &body);
    if (step->rec.spec) {
        fill_step(config, step->rec.spec, &body);
    } else if (step->rec.step_id == STEP_EXTERN) {
        body.service = STEP_SERVICE_EXTERN;
        body.work_dir = xstrdup("/");
    } else {
        fill_batch(step->job, &body);
    }
    if (step->rec.spec)
        fill_binding(control->model, step, &body);
    jobenv_make(control->model, step, &body.environment, &body.environment_n);
    schema_encode(launch_body_schema(), &body, bytes);
}

static struct blob blob_of(struct strbuf *bytes)
{
    return (struct blob){ xmemdup(bytes->data, bytes->len), (uint32_t)bytes->len };
}

/* Adds the files of the devices that the step may use; devices without files are only counted. */
static void fill_devices(const struct node_info *conf, const struct step_node *part,
                         struct launch_cred *cred)
{
    struct gres_device device;

    for (uint32_t i = 0; i < part->gres_n; i++) {
        const struct job_gres *gres = &part->gres[i];

        for (uint32_t k = 0; k < gres->devices_n; k++) {
            const char *file = gres_find_device(conf, gres->name, gres->devices[k], &device)
                                   ? gres_device_file(conf, &device)
                                   : NULL;

            if (file)
                *ARRAY_PUSH(cred->devices, cred->devices_n) = xstrdup(file);
        }
    }
}

static void fill_job(const struct job *job, const char *node, struct launch_cred *cred)
{
    const int64_t position = job_position(job, node);

    if (position < 0)
        return; /* it has left the job meanwhile, and the step with it */
    const struct job_node *place = &job->rec.nodes[position];
    cred->job_cpus = xmemdup(place->cpus, place->cpus_n * sizeof(*place->cpus));
    cred->job_cpus_n = place->cpus_n;
    cred->job_memory = place->memory;
    cred->needs_prolog = place->prolog != JOB_PROLOG_NONE;
}

static struct blob make_cred(const struct control *control, const struct step *step,
                             uint32_t position)
{
    const struct job_record *job = &step->job->rec;
    const struct step_node *part = &step->rec.nodes[position];
    const struct node *node = model_find_node(control->model, part->name);
    AUTO(launch_cred) struct launch_cred cred;
    AUTO(strbuf) struct strbuf bytes = { 0 };

    launch_cred_init(&cred);
    cred.label = xstrdup(LAUNCH_CRED_LABEL);
    cred.cluster = xstrdup(control->model->config.cluster_name);
    cred.incarnation = control->incarnation;
    cred.node = xstrdup(part->name);
    cred.boot_id = xstrdup(part->boot_id);
    cred.job_id = step->rec.job_id;
    cred.step_id = step->rec.step_id;
    cred.launch_number = step->rec.launch_number;
    cred.uid = job->uid;
    cred.gid = job->gid;
    cred.groups = xmemdup(job->groups, job->groups_n * sizeof(*job->groups));
    cred.groups_n = job->groups_n;
    cred.user_name = job->user_name ? xstrdup(job->user_name) : xasprintf("%u", job->uid);
    cred.cpus = xmemdup(part->cpus, part->cpus_n * sizeof(*part->cpus));
    cred.cpus_n = part->cpus_n;
    cred.memory = part->memory;
    fill_job(step->job, part->name, &cred);
    cred.node_index = position;
    cred.body_sha256 = blob_copy(&step->rec.body_sha256);
    cred.kill_wait_s = control->model->config.kill_wait_s;
    cred.tasks_n = part->tasks_n;
    cred.oom_kill_step = step_ends_for_memory(control, step);
    if (node)
        fill_devices(node->conf, part, &cred);
    schema_encode(launch_cred_schema(), &cred, &bytes);
    return blob_of(&bytes);
}

static void seal(struct step *step, const struct strbuf *body)
{
    free(step->rec.body_sha256.data);
    step->rec.body_sha256.data = xmalloc(SHA256_BYTES);
    step->rec.body_sha256.n = SHA256_BYTES;
    crypt_sha256(body->data, body->len, step->rec.body_sha256.data);
}

static void order(struct act *act, struct step *step, uint32_t position, struct strbuf *body)
{
    struct order_launch *msg = xmalloc(sizeof(*msg));
    const int64_t at = job_position(step->job, step->rec.nodes[position].name);

    if (at >= 0)
        hook_order_prolog(act, step->job, (uint32_t)at);
    order_launch_init(msg);
    msg->cred = make_cred(act->control, step, position);
    msg->body = blob_of(body);
    turn_order(act->turn, step->rec.nodes[position].name, MSG_ORDER_LAUNCH, msg);
}

void launch_orders(struct act *act, struct step *step)
{
    AUTO(strbuf) struct strbuf body = { 0 };

    make_body(act->control, step, &body);
    seal(step, &body);
    turn_note_step(act->turn, &step->rec);
    for (uint32_t i = 0; i < step->rec.nodes_n; i++)
        order(act, step, i, &body);
}

void launch_again(struct act *act, struct step *step, uint32_t position)
{
    AUTO(strbuf) struct strbuf body = { 0 };

    make_body(act->control, step, &body);
    seal(step, &body);
    turn_note_step(act->turn, &step->rec);
    order(act, step, position, &body);
}
