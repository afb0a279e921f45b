#include "cli/srun/request.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "cli/srun/hook.h"
#include "cli/srun/pty.h"
#include "common/base/log.h"
#include "common/msg/job_env.h"
#include "common/net/addr.h"
#include "common/text/words.h"

#define ADDRESSES_MAX 16

extern char **environ;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/*
 * Fills in generic resources. A step that asks for no devices gets them as its job asked; what the
 * job's environment repeats of that is not asked for here. The step of srun's own job asks for the
 * same as the job.
 */
static void fill_gres(struct step_spec *step, const struct submit_options *options, bool in_job)
{
    const struct job_spec *job = &options->job;

    step->gres_as_job = !in_job;
    step->no_gres = in_job && options->no_gres;
    if (in_job && !submit_asks_gres(options))
        return;
    xstrset(&step->tres_per_node, job->tres_per_node);
    xstrset(&step->tres_per_step, job->tres_per_job);
    xstrset(&step->tres_per_task, job->tres_per_task);
    xstrset(&step->tres_per_socket, job->tres_per_socket);
}

/* Fills in memory. What the environment tells is the job's: a step that took it would leave none to
   others. */
static void fill_memory(struct step_spec *step, const struct submit_options *options)
{
    if (submit_options_source(options, "mem") == FROM_COMMAND_LINE)
        step->mem_per_node = options->job.mem_per_node;
    if (submit_options_source(options, "mem-per-cpu") == FROM_COMMAND_LINE)
        step->mem_per_cpu = options->job.mem_per_cpu;
}

static void fill_binding(struct step_spec *step, const struct submit_options *options)
{
    const struct job_spec *job = &options->job;
    AUTO(strbuf) struct strbuf text = { 0 };

    step->dist_sockets = job->dist_sockets;
    step->threads_per_core = job->threads_per_core;
    step->ntasks_per_core = job->ntasks_per_core;
    xstrset(&step->gpu_bind, options->step_gpu_bind);
    if (options->cpu_bind.kind != CPU_BIND_UNSAID ||
        submit_options_source(options, "cpu-bind") != FROM_NOWHERE) {
        cpu_bind_format(&options->cpu_bind, &text);
        xstrset(&step->cpu_bind, strbuf_text(&text));
        strbuf_truncate(&text, 0);
    }
    if (!mem_bind_says_nothing(&options->mem_bind)) {
        mem_bind_format(&options->mem_bind, &text);
        xstrset(&step->mem_bind, strbuf_text(&text));
    }
}

static void fill_size(struct step_spec *step, const struct submit_options *options, bool in_job)
{
    const struct job_spec *job = &options->job;

    step->min_nodes = job->min_nodes;
    step->max_nodes = job->max_nodes;
    step->ntasks = job->ntasks;
    step->cpus_per_task = job->cpus_per_task;
    step->ntasks_per_node = job->ntasks_per_node;
    step->relative = options->relative;
    step->overlap = options->overlap;
    step->exact = options->exact;
    step->overcommit = job->overcommit;
    step->immediate = job->immediate;
    step->no_kill = job->no_kill;
    step->distribution = job->dist_nodes;
    step->plane_size = job->plane_size;
    step->pack = job->pack_nodes;
    fill_binding(step, options);
    fill_gres(step, options, in_job);
    step->ntasks_per_gpu = job->ntasks_per_gpu;
    step->cpus_per_gpu = job->cpus_per_gpu;
    step->mem_per_gpu = job->mem_per_gpu;
    xstrset(&step->gpu_freq, options->gpu_freq);
    if (step->distribution == DIST_ARBITRARY)
        xstrset(&step->req_nodes, job->req_nodes);
    if (!in_job)
        return;
    fill_memory(step, options);
    step->time_limit = job->time_limit;
    xstrset(&step->req_nodes, job->req_nodes);
    xstrset(&step->exc_nodes, job->exc_nodes);
}

/*
 * Fills in an interactive step beside everything that the shell is going to start: it holds nothing
 * of its own.
 */
static void fill_interactive(struct step_spec *step)
{
    step->min_nodes = step->max_nodes = step->ntasks = 1;
    step->ntasks_per_node = COUNT_UNSET;
    step->relative = 0;
    step->overlap = true;
    step->exact = false;
    step->mem_per_node = step->mem_per_cpu = step->mem_per_gpu = MB_UNSET;
    step->cpus_per_gpu = step->ntasks_per_gpu = COUNT_UNSET;
    step->no_gres = false;
    step->cpu_unbound = true;
}

static void fill_streams(struct step_spec *step, const struct submit_options *options,
                         const struct stream_plans *plans)
{
    xstrset(&step->std_in, plans->in.node_path);
    xstrset(&step->std_out, plans->out.node_path);
    xstrset(&step->std_err, plans->err.node_path);
    step->open_mode = options->body.open_mode;
    step->pty = options->pty;
    step->label = options->label;
    step->stopped = options->debugger_test;
    step->node_level = options->node_level;
    step->stdin_task = plans->no_input ? COUNT_INFINITE : plans->in.only_task;
    if (options->pty && !plans->no_input)
        step->stdin_task = 0;
}

/*
 * Fills in the MPI type. A MpiDefault that is not known means none, as it does in Slurm for plugins
 * that went away.
 */
static void fill_mpi(struct step_spec *step, const struct submit_options *options,
                     const struct slurm_conf *conf)
{
    const char *type = submit_mpi_type(options->mpi ? options->mpi : conf->mpi_default);

    xstrset(&step->mpi, word_is(type, "none") ? NULL : type);
}

/* Fills in programs. Those that srun is to run are in options and slurm.conf: nodes know only that
   they wait. */
static void fill_programs(struct step_spec *step, const struct submit_options *options,
                          const struct slurm_conf *conf)
{
    step->patient = srun_hook_program(options->prolog, conf->srun_prolog) != NULL;
    xstrset(&step->task_prolog, srun_hook_program(options->task_prolog, NULL));
    xstrset(&step->task_epilog, srun_hook_program(options->task_epilog, NULL));
}

void srun_fill_step(struct step_spec *step, const struct submit_options *options,
                    const struct stream_plans *plans, const struct slurm_conf *conf, bool in_job,
                    int argc, char **argv, int operand)
{
    bool named = submit_options_source(options, "job-name") == FROM_COMMAND_LINE;
    char host[256] = "";

    fill_size(step, options, in_job);
    if (options->interactive)
        fill_interactive(step);
    step->preserve_env = options->preserve_env;
    fill_streams(step, options, plans);
    xstrset(&step->name, named ? options->job.name : base_name(argv[operand]));
    for (int i = operand; i < argc; i++)
        *ARRAY_PUSH(step->argv, step->argv_n) = xstrdup(argv[i]);
    fill_mpi(step, options, conf);
    fill_programs(step, options, conf);
    step->kill_on_bad_exit = options->kill_on_bad_exit == SAID_YES ||
                             (options->kill_on_bad_exit == UNSAID && conf->kill_on_bad_exit);
    step->oom_kill = options->job.oom_kill;
    step->wait_s = options->wait_s == COUNT_UNSET ? conf->wait_time_s : options->wait_s;
    xstrset(&step->work_dir,
            options->body.work_dir ? options->body.work_dir : (options->cwd ? options->cwd : "/"));
    step->umask = submit_umask();
    submit_limits(options->propagate, conf, &step->limits, &step->limits_n);
    step->submit_line = submit_line(argc, argv);
    gethostname(host, sizeof(host) - 1);
    xstrset(&step->srun_host, host);
    step->srun_pid = (uint32_t)getpid();
    step->token = submit_token();
}

static void add_address(struct step_spec *step, char *text)
{
    for (uint32_t i = 0; i < step->io_addresses_n; i++) {
        if (strcmp(step->io_addresses[i], text) == 0) {
            free(text);
            return;
        }
    }
    *ARRAY_PUSH(step->io_addresses, step->io_addresses_n) = text;
}

/*
 * True for an address of this host that others may reach; IPv6 link-local ones mean nothing
 * elsewhere.
 */
static bool is_useful(const struct ifaddrs *it)
{
    if (!it->ifa_addr || !(it->ifa_flags & IFF_UP) || (it->ifa_flags & IFF_LOOPBACK))
        return false;
    if (it->ifa_addr->sa_family == AF_INET)
        return true;
    return it->ifa_addr->sa_family == AF_INET6 &&
           !IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)(void *)it->ifa_addr)->sin6_addr);
}

static char *address_text(const struct sockaddr *from, uint16_t port)
{
    struct net_addr addr = { 0 };

    if (from->sa_family == AF_INET) {
        addr.n = sizeof(struct sockaddr_in);
        memcpy(&addr.storage, from, addr.n);
        ((struct sockaddr_in *)(void *)&addr.storage)->sin_port = htons(port);
    } else {
        addr.n = sizeof(struct sockaddr_in6);
        memcpy(&addr.storage, from, addr.n);
        ((struct sockaddr_in6 *)(void *)&addr.storage)->sin6_port = htons(port);
    }
    return net_addr_text(&addr);
}

void srun_fill_addresses(struct step_spec *step, const struct io_server *io)
{
    const uint16_t port = io_server_port(io);
    struct ifaddrs *all = NULL;

    if (getifaddrs(&all) == 0) {
        for (struct ifaddrs *it = all; it && step->io_addresses_n < ADDRESSES_MAX;
             it = it->ifa_next) {
            if (is_useful(it))
                add_address(step, address_text(it->ifa_addr, port));
        }
        freeifaddrs(all);
    }
    add_address(step, xasprintf("127.0.0.1:%u", port));
    if (io_server_local_name(io)[0])
        add_address(step, xasprintf(STEP_IO_LOCAL "%s", io_server_local_name(io)));
}

void srun_add_controllers_address(struct step_spec *step, const struct io_server *io,
                                  const struct rpc_session *session)
{
    if (!session || !rpc_session_peer(session)->is_local)
        return;
    (void)ARRAY_PUSH(step->io_addresses, step->io_addresses_n);
    memmove(step->io_addresses + 1, step->io_addresses,
            (step->io_addresses_n - 1) * sizeof(*step->io_addresses));
    step->io_addresses[0] = xasprintf("@controller:%u", io_server_port(io));
}

/* Adds srun's address for people and old tools; nothing of ours reads it. */
static void add_own_address(struct environment *environment, const struct step_spec *step,
                            uint16_t port)
{
    const char *first = NULL;
    AUTO_FREE char *host = NULL, *port_text = xasprintf("%u", port);
    struct job_env_facts facts = JOB_ENV_NO_FACTS;
    uint16_t ignored;

    for (uint32_t i = 0; i < step->io_addresses_n && !first; i++)
        first = step->io_addresses[i][0] == '@' ? NULL : step->io_addresses[i];
    if (!first || net_host_port_parse(first, port, &host, &ignored, NULL) < 0)
        return;
    facts.launcher_host = host;
    facts.launcher_port = port_text;
    environment_make(environment, JOB_ENV_SRUN, &facts);
}

/* Keeps the variables that say how large the job is, as srun has them itself. */
static void keep_size(struct environment *environment)
{
    static const char *const names[] = { "SLURM_NNODES", "SLURM_NTASKS", "SLURM_NPROCS" };

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        const char *value = getenv(names[i]);

        if (value)
            environment_set(environment, names[i], "%s", value);
        else
            environment_unset(environment, names[i]);
    }
}

int srun_make_environment(const struct submit_options *options, const struct slurm_conf *conf,
                          bool in_job, uint16_t port, const struct step_spec *step,
                          struct strbuf *out, struct err *err)
{
    AUTO(environment) struct environment environment = { 0 };
    uint32_t rows, columns;
    bool login;

    environment_export(&environment, options->export, environ, &login);
    environment_describe(&environment, options);
    if (options->preserve_env)
        keep_size(&environment);
    if (!in_job)
        submit_environment(&environment, options, conf);
    environment_set(&environment, "SLURM_UMASK", "%04o", (unsigned)step->umask);
    environment_set(&environment, "SRUN_DEBUG", "%u", LOG_INFO + options->verbose);
    add_own_address(&environment, step, port);
    if (options->pty && pty_size(&rows, &columns)) {
        environment_set(&environment, "SLURM_PTY_WIN_ROW", "%u", rows);
        environment_set(&environment, "SLURM_PTY_WIN_COL", "%u", columns);
    }
    return environment_encode(&environment, out, err);
}
