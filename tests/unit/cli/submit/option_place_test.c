/* Options about placement, checked and complete, as Slurm 22.05.8 takes and refuses them. */
#include "unit/check_main.h"

#include <string.h>

#include "cli/submit/environment.h"
#include "cli/submit/option_table.h"
#include "common/text/words.h"

static int parse_and_check(struct submit_options *options, const char *line, struct err *err)
{
    AUTO(words) struct words words = words_split(line, " ");
    char *argv[64] = { "" };
    int operand;
    int rc;

    for (uint32_t i = 0; i < words.n; i++)
        argv[i + 1] = words.at[i];
    rc = submit_options_parse(options, FROM_COMMAND_LINE, (int)words.n + 1, argv, &operand, err);
    return rc < 0 ? rc : submit_options_check(options, err);
}

static const struct {
    enum submit_command command;
    const char *line;
    const char *job; /* as schema_print shows it */
} values[] = {
    /* enum distribution: block 1, cyclic 2, plane 3, arbitrary 4, fcyclic 5 */
    { SUBMIT_ALL, "-m block", "dist_nodes=1" },
    { SUBMIT_ALL, "-m cyclic", "dist_nodes=2" },
    { SUBMIT_ALL, "-m plane=4 -n8", "ntasks=8 dist_nodes=3 plane_size=4" },
    { SUBMIT_ALL, "-m arbitrary -w a,b", "ntasks=2 req_nodes='a,b' dist_nodes=4" },
    { SUBMIT_ALL, "-m block:cyclic", "dist_nodes=1 dist_sockets=2" },
    { SUBMIT_ALL, "-m block:fcyclic", "dist_nodes=1 dist_sockets=5" },
    { SUBMIT_ALL, "-m *:cyclic", "dist_sockets=2" },
    { SUBMIT_ALL, "-m block:*:cyclic", "dist_nodes=1 dist_cores=2" },
    { SUBMIT_ALL, "-m Cyclic:cyclic:fcyclic", "dist_nodes=2 dist_sockets=2 dist_cores=5" },
    { SUBMIT_ALL, "-m *:*:*", "" },
    { SUBMIT_ALL, "-m block::cyclic", "dist_nodes=1 dist_sockets=2" },
    { SUBMIT_ALL, "-m :cyclic:", "dist_nodes=2" },
    { SUBMIT_ALL, "-m block,Pack", "dist_nodes=1 pack_nodes=1" },
    { SUBMIT_ALL, "-m block:block,NoPack", "dist_nodes=1 dist_sockets=1 pack_nodes=2" },
    { SUBMIT_ALL, "-m Pack", "pack_nodes=1" },
    { SUBMIT_ALL, "-m block:cyclic -m cyclic", "dist_nodes=2" },
    { SUBMIT_ALL, "--hint=nomultithread", "threads_per_core=1" },
    { SUBMIT_ALL, "--hint=multithread", "" },
    { SUBMIT_ALL, "--hint=compute_bound -c2", "cpus_per_task=2 threads_per_core=1" },
    { SUBMIT_ALL, "--hint=memory_bound", "cores_per_socket=1 threads_per_core=1" },
    { SUBMIT_ALL, "--hint=nomultithread,memory_bound", "cores_per_socket=1 threads_per_core=1" },
    { SUBMIT_ALL, "--hint=nomultithread --threads-per-core=2", "threads_per_core=2" },
    { SUBMIT_ALL, "--hint=nomultithread --ntasks-per-core=2", "ntasks_per_core=2" },
    { SUBMIT_ALL, "--hint=memory_bound --cores-per-socket=4",
      "cores_per_socket=1 threads_per_core=1" },
    { SUBMIT_ALL, "-B 2", "ntasks=2 sockets_per_node=2" },
    { SUBMIT_ALL, "-B 2:4:2",
      "ntasks=16 sockets_per_node=2 cores_per_socket=4 threads_per_core=2" },
    { SUBMIT_ALL, "-B 2:4:1 -N2",
      "min_nodes=2 max_nodes=2 ntasks=16 sockets_per_node=2 "
      "cores_per_socket=4 threads_per_core=1" },
    { SUBMIT_ALL, "-B *:4:2", "ntasks=8 cores_per_socket=4 threads_per_core=2" },
    { SUBMIT_ALL, "-B 1-2:4", "ntasks=4 sockets_per_node=1 cores_per_socket=4" },
    { SUBMIT_ALL, "-B 2:4:2 -n4",
      "ntasks=4 sockets_per_node=2 cores_per_socket=4 threads_per_core=2" },
    { SUBMIT_ALL, "--hint=nomultithread -B 2:4:2",
      "ntasks=16 sockets_per_node=2 cores_per_socket=4 threads_per_core=2" },
    { SUBMIT_ALL, "--sockets-per-node=2 --cores-per-socket=4",
      "sockets_per_node=2 cores_per_socket=4" },
    { SUBMIT_ALL, "--ntasks-per-socket=2 --ntasks-per-core=1",
      "ntasks_per_socket=2 ntasks_per_core=1" },
    { SUBMIT_ALL, "--switches=1", "switches=1" },
    { SUBMIT_ALL, "--switches=2@10", "switches=2 switch_wait_s=600" },
    { SUBMIT_ALL, "--switches=1@00:10:00", "switches=1 switch_wait_s=600" },
    { SUBMIT_ALL, "--use-min-nodes --spread-job", "use_min_nodes=yes spread_job=yes" },
    { SUBMIT_ALL, "-S1", "core_spec=1" },
    { SUBMIT_ALL, "--core-spec=0", "core_spec=0" },
    { SUBMIT_ALL, "--thread-spec=2", "thread_spec=2" },
    { SUBMIT_ALL, "-L matlab:2,ansys", "licenses='matlab:2,ansys'" },
    { SUBMIT_ALL, "--reservation=maint", "reservation='maint'" },
    { SUBMIT_ALL, "--gres=gpu", "tres_per_node='gres/gpu:1'" },
    { SUBMIT_ALL, "--gres=gpu:tesla:2,net:4K", "tres_per_node='gres/gpu:tesla:2,gres/net:4096'" },
    { SUBMIT_ALL, "--gres=gres:gpu:2", "tres_per_node='gres/gpu:2'" },
    { SUBMIT_ALL, "--gres=none", "" },
    { SUBMIT_ALL, "--gpus=2 --gres=NONE", "tres_per_job='gres/gpu:2'" },
    { SUBMIT_ALL, "-G tesla:1,k80:1", "tres_per_job='gres/gpu:tesla:1,gres/gpu:k80:1'" },
    { SUBMIT_ALL, "--gpus-per-node=tesla --gres=net:1",
      "tres_per_node='gres/net:1,gres/gpu:tesla:1'" },
    { SUBMIT_ALL, "--gpus-per-socket=1 --sockets-per-node=2",
      "sockets_per_node=2 tres_per_socket='gres/gpu:1'" },
    { SUBMIT_ALL, "--gpus-per-task=1 -n2", "ntasks=2 tres_per_task='gres/gpu:1'" },
    { SUBMIT_ALL, "-G1 --cpus-per-gpu=2 --mem-per-gpu=1G",
      "tres_per_job='gres/gpu:1' cpus_per_gpu=2 mem_per_gpu=1024" },
    { SUBMIT_ALL, "-G1 --ntasks-per-gpu=2", "tres_per_job='gres/gpu:1' ntasks_per_gpu=2" },
    { SUBMIT_ALL, "-G1 --ntasks-per-tres=2", "tres_per_job='gres/gpu:1' ntasks_per_gpu=2" },
    { SUBMIT_ALL, "--gres-flags=enforce-binding", "gres_flags=1" },
    { SUBMIT_ALL, "--gres-flags=disable-binding", "gres_flags=2" },
};

START_TEST(what_is_said_about_place_goes_into_the_request)
{
    for (int command = SUBMIT_SBATCH; command <= SUBMIT_SALLOC; command *= 2) {
        AUTO(submit_options) struct submit_options options;
        AUTO(strbuf) struct strbuf out = { 0 };
        struct err err = { 0 };

        submit_options_init(&options, (enum submit_command)command);
        if (!(values[_i].command & (enum submit_command)command))
            continue;
        ck_assert_msg(parse_and_check(&options, values[_i].line, &err) == 0, "%s", err.text);
        schema_print(job_spec_schema(), &options.job, &out);
        ck_assert_str_eq(strbuf_text(&out), values[_i].job);
    }
}
END_TEST

#define BAD_PLANE "Invalid plane size or size not specified\nInvalid --distribution specification"
#define BAD_GRES  "Invalid generic resource (gres) specification"

static const struct {
    enum submit_command command;
    const char *line;
    int status; /* of the process */
    const char *text;
} refusals[] = {
    { SUBMIT_ALL, "-m foo", 255, "Invalid --distribution specification" },
    { SUBMIT_ALL, "-m fcyclic", 255, "Invalid --distribution specification" },
    { SUBMIT_ALL, "-m block,foo", 255, "Invalid --distribution specification" },
    { SUBMIT_ALL, "-m block:plane", 255, "Invalid --distribution specification" },
    { SUBMIT_ALL, "-m block:arbitrary", 255, "Invalid --distribution specification" },
    { SUBMIT_ALL, "-m ::", 255, "Invalid --distribution specification" },
    { SUBMIT_ALL, "-m block:block:block:block", 255, "Invalid --distribution specification" },
    { SUBMIT_ALL, "-m plane", 255, BAD_PLANE },
    { SUBMIT_ALL, "-m plane=0", 255, BAD_PLANE },
    { SUBMIT_ALL, "-m plane=x", 255, BAD_PLANE },
    { SUBMIT_ALL, "-m plane=4:block", 255, BAD_PLANE },
    { SUBMIT_SBATCH, "-m arbitrary", 1,
      "With Arbitrary distribution you need to specify a nodelist or hostfile with the -w option" },
    { SUBMIT_SRUN, "--exact --whole", 1, "--exact and --whole are mutually exclusive." },
    { SUBMIT_SRUN, "-T0", 1, "Invalid numeric value \"0\" for --threads." },
    { SUBMIT_SRUN, "--msg-timeout=x", 1, "Invalid numeric value \"x\" for --msg-timeout." },
    { SUBMIT_ALL, "-B x", 255, "Invalid --extra-node-info specification" },
    { SUBMIT_ALL, "-B 1:2:3:4", 255, "Invalid --extra-node-info specification" },
    { SUBMIT_ALL, "-B 2-1", 255, "Invalid --extra-node-info specification" },
    { SUBMIT_ALL, "--switches=0", 1, "Invalid numeric value \"0\" for --switches." },
    { SUBMIT_ALL, "--switches=x", 1, "Invalid numeric value \"x\" for --switches." },
    { SUBMIT_ALL, "--core-spec=-1", 1, "Invalid numeric value \"-1\" for --core-spec." },
    { SUBMIT_ALL, "--core-spec=x", 1, "Invalid numeric value \"x\" for --core-spec." },
    { SUBMIT_ALL, "--thread-spec=0", 1, "Invalid numeric value \"0\" for --thread-spec." },
    { SUBMIT_ALL, "-S1 --thread-spec=2", 1,
      "-S/--core-spec and --thread-spec options are mutually exclusive" },
    { SUBMIT_ALL, "--gres=gpu:", 1, BAD_GRES },
    { SUBMIT_ALL, "--gres=gpu=2", 1, BAD_GRES },
    { SUBMIT_ALL, "--gres=gpu:x:y:1", 1, BAD_GRES },
    { SUBMIT_ALL, "--gres=", 1, BAD_GRES },
    { SUBMIT_ALL, "--gpus=x:y:1", 1, BAD_GRES },
    { SUBMIT_ALL, "--gres-flags=foo", 255, "Invalid --gres-flags specification" },
    { SUBMIT_ALL, "--gres-flags=enforce-binding,disable-binding", 255,
      "Invalid --gres-flags specification" },
    { SUBMIT_ALL, "--cpus-per-gpu=0", 1, "Invalid numeric value \"0\" for --cpus-per-gpu." },
    { SUBMIT_ALL, "--ntasks-per-gpu=0", 1, "Invalid numeric value \"0\" for --ntasks-per-gpu." },
    { SUBMIT_ALL, "--mem-per-gpu=x", 255, "Invalid --mem-per-gpu specification" },
    { SUBMIT_ALL, "--mem-per-gpu=1 --mem=2", 1,
      "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive." },
    { SUBMIT_ALL, "--cpus-per-gpu=2 -c2", 1,
      "--cpus-per-gpu is mutually exclusive with --cpus-per-task" },
    { SUBMIT_ALL, "--ntasks-per-gpu=2 --gpus-per-task=1 -n2", 1,
      "--gpus-per-task is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU" },
    { SUBMIT_ALL, "--ntasks-per-gpu=2 --ntasks-per-node=2", 1,
      "--ntasks-per-node is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU" },
    /* Ours. */
    { SUBMIT_ALL, "--hint=foo", 1, "unrecognized --hint argument \"foo\", see --hint=help" },
    { SUBMIT_ALL, "--hint=", 1, "unrecognized --hint argument \"\", see --hint=help" },
    { SUBMIT_ALL, "--switches=1@x", 255, "Invalid --switches specification" },
    { SUBMIT_SRUN, "--jobid=5 -n3 --ntasks-per-gpu=2", 1,
      "Invalid generic resource (gres) specification" },
};

START_TEST(what_cannot_be_placed_is_refused_in_slurms_words)
{
    for (int command = SUBMIT_SBATCH; command <= SUBMIT_SALLOC; command *= 2) {
        AUTO(submit_options) struct submit_options options;
        struct err err = { 0 };

        submit_options_init(&options, (enum submit_command)command);
        if (!(refusals[_i].command & (enum submit_command)command))
            continue;
        ck_assert_int_lt(parse_and_check(&options, refusals[_i].line, &err), 0);
        ck_assert_str_eq(err.text, refusals[_i].text);
        ck_assert_int_eq(submit_exit_status(&err), refusals[_i].status);
    }
}
END_TEST

/* SLURM_HINT and its kin in the environment, a command line, and what comes of both. */
static const struct {
    const char *variable, *line, *shape;
    const char *hint; /* that the job is told */
    bool remarked;    /* by -v, as by Slurm */
} nearer[] = {
    { NULL, "--hint=nomultithread --ntasks-per-core=1", "ntasks_per_core=1", NULL, true },
    { NULL, "--hint=memory_bound -B 1:1:1",
      "ntasks=1 sockets_per_node=1 cores_per_socket=1 threads_per_core=1", NULL, true },
    { "SBATCH_HINT=nomultithread", "--threads-per-core=2", "threads_per_core=2", NULL, false },
    { "SBATCH_THREADS_PER_CORE=2", "--hint=nomultithread", "threads_per_core=1", "nomultithread",
      false },
    { "SBATCH_THREADS_PER_CORE=2", "--hint=multithread", "", "multithread", false },
};

START_TEST(of_a_hint_and_threads_the_nearer_one_counts)
{
    char *environment[] = { xstrdup(nearer[_i].variable), NULL };
    AUTO(submit_options) struct submit_options options;
    AUTO(environment) struct environment told = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(submit_options_from_env(&options, environment, &err), 0);
    ck_assert_msg(parse_and_check(&options, nearer[_i].line, &err) == 0, "%s", err.text);
    environment_describe(&told, &options);

    schema_print(job_spec_schema(), &options.job, &out);
    ck_assert_str_eq(strbuf_text(&out), nearer[_i].shape);
    ck_assert_pstr_eq(environment_get(&told, "SLURM_HINT"), nearer[_i].hint);
    ck_assert(!options.remark == !nearer[_i].remarked);
    free(environment[0]);
}
END_TEST

START_TEST(srun_in_a_job_dealt_by_plane_deals_so_too)
{
    char *const in_job[] = { "SLURM_JOB_ID=5", "SLURM_DISTRIBUTION=plane", "SLURM_DIST_PLANESIZE=2",
                             NULL };
    AUTO(submit_options) struct submit_options options;
    struct err err = { 0 };

    submit_options_init(&options, SUBMIT_SRUN);
    ck_assert_msg(submit_options_from_env(&options, in_job, &err) == 0, "%s", err.text);

    ck_assert_uint_eq(options.job.dist_nodes, DIST_PLANE);
    ck_assert_uint_eq(options.job.plane_size, 2);
}
END_TEST

/* What the batch script finds; recorded from scripts that print their environment. */
static const struct {
    const char *line, *variables;
} environments[] = {
    { "-n2 -m cyclic:block,pack --hint=nomultithread",
      "SLURM_DISTRIBUTION=cyclic:block,pack SLURM_HINT=nomultithread SLURM_THREADS_PER_CORE=1" },
    { "-n2 -m *", "SLURM_DISTRIBUTION=block" },
    { "-n2 -m Cyclic:*:*,NoPack", "SLURM_DISTRIBUTION=cyclic:cyclic:cyclic,nopack" },
    { "-n2 -m *:block:*", "SLURM_DISTRIBUTION=block:block:block" },
    { "-n2 -m pack", "SLURM_DISTRIBUTION=pack" },
    { "-n4 -m plane=2", "SLURM_DISTRIBUTION=plane SLURM_DIST_PLANESIZE=2" },
    { "--ntasks-per-core=1 --ntasks-per-socket=2",
      "SLURM_NTASKS_PER_CORE=1 SLURM_NTASKS_PER_SOCKET=2" },
    { "-G tesla:2 --cpus-per-gpu=3 --mem-per-gpu=100 --ntasks-per-gpu=1",
      "SLURM_GPUS=tesla:2 SLURM_CPUS_PER_GPU=3 SLURM_MEM_PER_GPU=100 SLURM_NTASKS_PER_GPU=1" },
    { "--gpus-per-node=2 --gpus-per-task=1 -n2", "SLURM_GPUS_PER_NODE=2 SLURM_GPUS_PER_TASK=1" },
};

START_TEST(scripts_find_what_was_said_in_their_environment)
{
    AUTO(words) struct words expected = words_split(environments[_i].variables, " ");
    AUTO(submit_options) struct submit_options options;
    AUTO(environment) struct environment environment = { 0 };
    struct err err = { 0 };

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_msg(parse_and_check(&options, environments[_i].line, &err) == 0, "%s", err.text);
    environment_describe(&environment, &options);

    for (uint32_t i = 0; i < expected.n; i++) {
        AUTO_FREE char *name = xstrndup(expected.at[i], strcspn(expected.at[i], "="));

        ck_assert_pstr_eq(environment_get(&environment, name), expected.at[i] + strlen(name) + 1);
    }
}
END_TEST

START_TEST(variables_of_a_job_do_not_stop_its_steps)
{
    char *const variables[] = { "SLURM_JOB_ID=5", "SLURM_GPUS=2", "SLURM_CPUS_PER_GPU=2", NULL };
    AUTO(submit_options) struct submit_options options;
    struct err err = { 0 };

    submit_options_init(&options, SUBMIT_SRUN);

    ck_assert_int_eq(submit_options_from_env(&options, variables, &err), 0);
    ck_assert_msg(submit_options_check(&options, &err) == 0, "%s", err.text);
}
END_TEST

CHECK_MAIN(option_place, LOOP_CASE(what_is_said_about_place_goes_into_the_request, ARRAY_N(values)),
           LOOP_CASE(what_cannot_be_placed_is_refused_in_slurms_words, ARRAY_N(refusals)),
           LOOP_CASE(scripts_find_what_was_said_in_their_environment, ARRAY_N(environments)),
           CASE(srun_in_a_job_dealt_by_plane_deals_so_too),
           LOOP_CASE(of_a_hint_and_threads_the_nearer_one_counts, ARRAY_N(nearer)),
           CASE(variables_of_a_job_do_not_stop_its_steps))
