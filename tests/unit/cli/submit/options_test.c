/* Results and wording were seen with Slurm 22.05 unless the case says otherwise. */
#include "unit/check_main.h"

#include <errno.h>

#include <string.h>

#include "cli/submit/option_table.h"
#include "cli/submit/script.h"
#include "common/text/words.h"

#define NOW 1700000000 /* 2023-11-14T22:13:20Z */

static int parse(struct submit_options *options, const char *line, int *ret_operand,
                 struct err *err)
{
    AUTO(words) struct words words = words_split(line, " ");
    char *argv[64] = { "" };

    for (uint32_t i = 0; i < words.n; i++)
        argv[i + 1] = words.at[i];
    return submit_options_parse(options, FROM_COMMAND_LINE, (int)words.n + 1, argv, ret_operand,
                                err);
}

static const struct {
    enum submit_command command;
    const char *line;
    const char *job; /* and its body, as schema_print shows them */
} values[] = {
    { SUBMIT_ALL, "", "" },
    { SUBMIT_ALL, "-J a -p b,c -A d", "name='a' partition='b,c' account='d'" },
    { SUBMIT_ALL, "--job-name=a --part=b", "name='a' partition='b'" },
    { SUBMIT_ALL, "-N3", "min_nodes=3 max_nodes=3" },
    { SUBMIT_ALL, "-N 2-4", "min_nodes=2 max_nodes=4" },
    { SUBMIT_ALL, "-N 1k", "min_nodes=1024 max_nodes=1024" },
    { SUBMIT_ALL, "-n5 -c2", "ntasks=5 cpus_per_task=2" },
    { SUBMIT_ALL, "--tasks-per-node=4", "ntasks_per_node=4" },
    { SUBMIT_ALL, "--tasks=6", "ntasks_per_node=6" },
    { SUBMIT_ALL, "--mem=1GB", "mem_per_node=1024" },
    { SUBMIT_ALL, "--mem-per-cpu 954M", "mem_per_cpu=954" },
    { SUBMIT_ALL, "--mem=0", "mem_per_node=0" },
    { SUBMIT_ALL, "-t 5", "time_limit=300" },
    { SUBMIT_ALL, "-t 0:01", "time_limit=60" },
    { SUBMIT_ALL, "-t 1-02:03:04 --time-min=10:00", "time_limit=93840 time_min=600" },
    { SUBMIT_ALL, "-w a[1-2],b -x c", "req_nodes='a[1-2],b' exc_nodes='c'" },
    { SUBMIT_ALL, "--exclusive", "share=1" },
    { SUBMIT_ALL, "--exclusive=user", "share=2" },
    { SUBMIT_ALL, "-s", "share=3" },
    { SUBMIT_ALL, "-H -O --contiguous", "overcommit=yes hold=yes contiguous=yes" },
    { SUBMIT_ALL, "--nice", "nice=100" },
    { SUBMIT_ALL, "--nice=-5", "nice=-5" },
    { SUBMIT_ALL, "-k", "no_kill=yes" },
    { SUBMIT_ALL, "-k --no-kill=off", "" },
    { SUBMIT_ALL, "-D /tmp", "work_dir='/tmp'" },
    { SUBMIT_ALL, "--workdir=sub", "work_dir='/here/sub'" }, /* was Slurm's name once */
    { SUBMIT_ALL, "--signal=USR1", "warn_signal=10 warn_before_s=60" },
    { SUBMIT_ALL, "--signal=R:10@90", "warn_signal=10 warn_before_s=90" },
    { SUBMIT_SBATCH, "--signal=rb:USR2@", "warn_signal=12 warn_before_s=60 warn_batch=yes" },
    { SUBMIT_SBATCH, "--sign=B:USR2@30", "warn_signal=12 warn_before_s=30 warn_batch=yes" },
    { SUBMIT_ALL, "--mail-type=END,fail --mail-user=u", "mail_type='END,FAIL' mail_user='u'" },
    { SUBMIT_ALL, "--mail-type=time_limit,begin --mail-type=ALL",
      "mail_type='INVALID_DEPEND,BEGIN,END,FAIL,REQUEUE,STAGE_OUT,TIME_LIMIT'" },
    { SUBMIT_ALL, "--mail-type=END,NONE", "" },
    { SUBMIT_ALL, "--mem-bind=q,map_mem:1,2 --gpu-bind=verbose,single:2 --delay-boot=5", "" },
    { SUBMIT_ALL, "--wckey=w --comment=c -q n", "qos='n' wckey='w' comment='c'" },
    { SUBMIT_ALL, "--extra=e1,e2", "extra='e1,e2'" },
    { SUBMIT_SRUN, "-T 5 --whole", "" },
    { SUBMIT_SRUN, "-c2 --whole", "cpus_per_task=2" },
    { SUBMIT_ALL, "-B 2:*:4", "sockets_per_node=2 threads_per_core=4" },
    { SUBMIT_ALL, "--priority=7", "priority=7" },
    { SUBMIT_ALL, "--gres=none", "" },
    { SUBMIT_SRUN, "--output= --error= --input=", "" },
    { SUBMIT_ALL, "--reservation=", "" },
    { SUBMIT_SBATCH, "-o a -e b -i none", "std_in='/dev/null' std_out='a' std_err='b'" },
    { SUBMIT_SBATCH, "--open-mode=append --no-requeue", "requeue=1 open_mode=1" },
    { SUBMIT_SBATCH, "--no-requeue --requeue", "requeue=2" },
};

static void print_request(const struct submit_options *options, struct strbuf *out)
{
    AUTO(strbuf) struct strbuf body = { 0 };

    schema_print(job_spec_schema(), &options->job, out);
    schema_print(job_body_schema(), &options->body, &body);
    strbuf_addf(out, "%s%s", out->len && body.len ? " " : "", strbuf_text(&body));
}

START_TEST(values_go_where_the_request_has_them)
{
    for (int command = SUBMIT_SBATCH; command <= SUBMIT_SALLOC; command *= 2) {
        AUTO(submit_options) struct submit_options options;
        AUTO(strbuf) struct strbuf out = { 0 };
        struct err err = { 0 };
        int operand;

        submit_options_init(&options, (enum submit_command)command);
        if (!(values[_i].command & (enum submit_command)command))
            continue;
        options.cwd = xstrdup("/here");
        ck_assert_msg(parse(&options, values[_i].line, &operand, &err) == 0, "%s", err.text);
        print_request(&options, &out);
        ck_assert_str_eq(strbuf_text(&out), values[_i].job);
    }
}
END_TEST

static const struct {
    enum submit_command command;
    const char *line;
    int status; /* of the process */
    const char *text;
} refusals[] = {
    { SUBMIT_ALL, "-N abc", 255, "\"abc\" is not a valid node count" },
    { SUBMIT_ALL, "-N 3-2", 255, "Maximum node count 2 is less than minimum node count 3" },
    { SUBMIT_ALL, "-N 1-2-3", 255, "\"2-3\" is not a valid node count" },
    { SUBMIT_ALL, "-n abc", 1, "Invalid numeric value \"abc\" for --ntasks." },
    { SUBMIT_ALL, "-n -1", 1, "Invalid numeric value \"-1\" for --ntasks." },
    { SUBMIT_ALL, "-n 0", 1, "Invalid numeric value \"0\" for --ntasks." },
    { SUBMIT_ALL, "--nice=2147483646", 255, "Invalid --nice value, out of range (+/- 2147483645)" },
    { SUBMIT_ALL, "--nice=-2147483646", 255,
      "Invalid --nice value, out of range (+/- 2147483645)" },
    { SUBMIT_ALL, "--priority=4294967294", 255, "Priority must be < 4294967294" },
    { SUBMIT_ALL, "-c x", 1, "Invalid numeric value \"x\" for --cpus-per-task." },
    { SUBMIT_ALL, "--tasks-per-node=-2", 1, "Invalid numeric value \"-2\" for --ntasks-per-node." },
    { SUBMIT_ALL, "--mem=abc", 255, "Invalid --mem specification" },
    { SUBMIT_ALL, "--mem-per-cpu=abc", 255, "Invalid --mem-per-cpu specification" },
    { SUBMIT_ALL, "--tmp=xx", 255, "Invalid --tmp specification" },
    { SUBMIT_ALL, "-t abc", 255, "Invalid --time specification" },
    { SUBMIT_ALL, "-t 1:2:3:4", 255, "Invalid --time specification" },
    { SUBMIT_ALL, "--time-min=zz", 255, "Invalid --time-min specification" },
    { SUBMIT_ALL, "--signal=FOO", 255, "Invalid --signal specification" },
    { SUBMIT_SBATCH, "--signal=B:USR9@30", 255, "Invalid --signal specification" },
    { SUBMIT_SBATCH, "--signal=R:B:USR1", 255, "Invalid --signal specification" },
    { SUBMIT_ALL, "--deadline=soon", 255,
      "Invalid --deadline specification: time 'soon' is not understood at 'soon'" },
    { SUBMIT_ALL, "--signal=USR1@x", 255, "Invalid --signal specification" },
    { SUBMIT_SBATCH, "--open-mode=x", 255, "Invalid --open-mode specification" },
    { SUBMIT_ALL, "--mail-type=FOO", 255, "Invalid --mail-type specification" },
    { SUBMIT_ALL, "--exclusive=foo", 255, "Invalid --exclusive specification" },
    { SUBMIT_ALL, "--distribution=foo", 255, "Invalid --distribution specification" },
    { SUBMIT_SBATCH, "--propagate=FOO", 1, "Bad rlimit name: FOO\n--propagate=FOO is not valid." },
    { SUBMIT_ALL, "--acctg-freq=cpu=1", 255, "Invalid --acctg-freq specification: cpu=1" },
    { SUBMIT_ALL, "--cpu-freq=fast", 255,
      "unrecognized --cpu-freq argument \"fast\"\nInvalid --cpu-freq argument" },
    { SUBMIT_ALL, "--cpu-freq=low:", 255,
      "unrecognized --cpu-freq argument \"low:\"\nInvalid --cpu-freq argument" },
    { SUBMIT_ALL, "--gpu-bind=x", 255, "Invalid --gpu-bind argument: gpu:x" },
    { SUBMIT_SRUN, "--cpu-bind=foo", 1, "unrecognized --cpu-bind argument \"foo\"" },
    { SUBMIT_ALL, "--mem-bind=local,x", 255, "unrecognized --mem-bind argument \"local,x\"" },
    { SUBMIT_ALL, "--profile=task,x", 255, "invalid --profile=task,x option" },
    { SUBMIT_ALL, "--delay-boot=x", 255, "Invalid --delay-boot specification" },
    { SUBMIT_SBATCH, "--kill-on-invalid-dep=x", 255,
      "Invalid --kill-on-invalid-dep specification" },
    { SUBMIT_SBATCH, "--wait-all-nodes=x", 1, "Invalid numeric value \"x\" for --wait-all-nodes." },
    { SUBMIT_SBATCH, "--get-user-env=10x", 255, "Invalid --get-user-env specification" },
    { SUBMIT_ALL, "--mail-type=END,x", 255, "Invalid --mail-type specification" },
    { SUBMIT_ALL, "-w a[1", 1,
      "Invalid --nodelist specification: host list 'a[1': a bracket is not closed" },
    { SUBMIT_ALL, "--foo", 255, "unrecognized option '--foo'" },
    { SUBMIT_SBATCH, "-l", 255, "invalid option -- 'l'" },
    { SUBMIT_SBATCH, "--label", 255, "unrecognized option '--label'" },
    { SUBMIT_SBATCH, "--out", 255, "option '--output' requires an argument" },
    { SUBMIT_SBATCH, "-N", 255, "option requires an argument -- 'N'" },
    { SUBMIT_SBATCH, "--hold=3", 255, "option '--hold' doesn't allow an argument" },
    { SUBMIT_SBATCH, "--wait=3", 255, "option '--wait' doesn't allow an argument" },
    { SUBMIT_ALL, "--nod=3", 255,
      "option '--nod=3' is ambiguous; possibilities: '--nodefile' '--nodelist' '--nodes'" },
    { SUBMIT_SBATCH | SUBMIT_SALLOC, "--acc=x", 255,
      "option '--acc=x' is ambiguous; possibilities: '--account' '--acctg-freq'" },
    { SUBMIT_SBATCH, "--exp=ALL", 255,
      "option '--exp=ALL' is ambiguous; possibilities: '--export' '--export-file'" },
    { SUBMIT_ALL, "--ntasks-per=3", 255,
      "option '--ntasks-per=3' is ambiguous; possibilities: '--ntasks-per-core' "
      "'--ntasks-per-gpu' '--ntasks-per-node' '--ntasks-per-socket' '--ntasks-per-tres'" },
    /* Ours. */
    { SUBMIT_ALL, "--gpu-per-node=2", 255,
      "unrecognized option '--gpu-per-node=2'\ndid you mean '--gpus-per-node'?" },
    { SUBMIT_ALL, "--memory=4G", 255, "unrecognized option '--memory=4G'\ndid you mean '--mem'?" },
    { SUBMIT_SBATCH, "--container=x", 1,
      "--container is not supported by this version: there are no containers" },
    { SUBMIT_ALL, "--exclusive=mcs", 255, "--exclusive=mcs is not supported by this version" },
};

START_TEST(what_cannot_be_is_refused_in_slurms_words)
{
    for (int command = SUBMIT_SBATCH; command <= SUBMIT_SALLOC; command *= 2) {
        AUTO(submit_options) struct submit_options options;
        struct err err = { 0 };
        int operand;

        submit_options_init(&options, (enum submit_command)command);
        if (!(refusals[_i].command & (enum submit_command)command))
            continue;
        ck_assert_int_lt(parse(&options, refusals[_i].line, &operand, &err), 0);
        ck_assert_str_eq(err.text, refusals[_i].text);
        ck_assert_int_eq(submit_exit_status(&err), refusals[_i].status);
    }
}
END_TEST

START_TEST(options_end_at_the_first_operand)
{
    AUTO(submit_options) struct submit_options options;
    int operand = 0;

    submit_options_init(&options, SUBMIT_SRUN);
    ck_assert_int_eq(parse(&options, "-n 2 ls -l --foo", &operand, NULL), 0);

    ck_assert_int_eq(operand, 3);
    ck_assert_uint_eq(options.job.ntasks, 2);
    ck_assert(!options.label);
}
END_TEST

START_TEST(an_option_without_effect_is_taken_with_a_warning)
{
    AUTO(submit_options) struct submit_options options;
    int operand;

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(parse(&options, "--profile=all --ignore-pbs", &operand, NULL), 0);

    ck_assert_str_eq(strbuf_text(&options.warnings),
                     "warning: --profile has no effect: there are no profiles\n");
}
END_TEST

START_TEST(the_command_line_beats_the_environment_and_that_the_script)
{
    AUTO(submit_options) struct submit_options options;
    char *environment[] = { "SBATCH_PARTITION=env", "SBATCH_TIMELIMIT=2",
                            "SBATCH_REQUEUE=", "SBATCH_OUTPUT=", NULL };
    const char *script = "#!/bin/sh\n#SBATCH -p script -t 3 --no-requeue -o out\n#SBATCH -J s\n";
    int operand;

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(parse(&options, "-p line", &operand, NULL), 0);
    ck_assert_int_eq(submit_options_from_env(&options, environment, NULL), 0);
    ck_assert_int_eq(script_apply_directives("x", script, strlen(script), &options, NULL), 0);

    ck_assert_str_eq(options.job.partition, "line");
    ck_assert_int_eq(options.job.time_limit, 120);
    ck_assert_uint_eq(options.job.requeue, REQUEUE_YES);
    ck_assert_str_eq(options.body.std_out, "out");
    ck_assert_str_eq(options.job.name, "s");
    ck_assert_int_eq(submit_options_source(&options, "time"), FROM_ENVIRONMENT);
}
END_TEST

static const struct {
    const char *variable, *line;
    uint32_t verbose;
} much[] = {
    { "SBATCH_DEBUG=4", "", 4 },
    { "SBATCH_DEBUG=4", "-v", 1 },
    { "SBATCH_DEBUG=no number", "", 0 },
    { "SBATCH_DEBUG=", "", 1 },
};

START_TEST(a_variable_tells_how_much_is_to_be_said)
{
    AUTO(submit_options) struct submit_options options;
    char *environment[] = { (char *)(uintptr_t)much[_i].variable, NULL };
    int operand;

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(parse(&options, much[_i].line, &operand, NULL), 0);
    ck_assert_int_eq(submit_options_from_env(&options, environment, NULL), 0);

    ck_assert_uint_eq(options.verbose, much[_i].verbose);
}
END_TEST

START_TEST(every_variable_stands_for_an_option_of_its_command)
{
    const struct option_variable *variable = &option_variables[_i];

    ck_assert_ptr_nonnull(
        option_row_find((enum submit_command)variable->commands, variable->option));
}
END_TEST

START_TEST(a_bad_variable_is_named)
{
    AUTO(submit_options) struct submit_options options;
    char *environment[] = { "SLURM_NTASKS=many", NULL };
    struct err err = { 0 };

    submit_options_init(&options, SUBMIT_SRUN);
    ck_assert_int_lt(submit_options_from_env(&options, environment, &err), 0);

    ck_assert_str_eq(err.text, "Invalid numeric value \"many\" for --ntasks. (from SLURM_NTASKS)");
}
END_TEST

START_TEST(two_ways_to_ask_for_memory_exclude_each_other)
{
    AUTO(submit_options) struct submit_options options;
    struct err err = { 0 };
    int operand;

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(parse(&options, "--mem=1000 --mem-per-cpu=100", &operand, NULL), 0);

    ck_assert_int_lt(submit_options_check(&options, &err), 0);
    ck_assert_str_eq(err.text, "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
    ck_assert_int_eq(submit_exit_status(&err), 1);
}
END_TEST

START_TEST(special_cores_of_the_environment_give_way_to_threads_on_the_command_line)
{
    AUTO(submit_options) struct submit_options options;
    char *environment[] = { "SBATCH_CORE_SPEC=99", NULL };
    int operand;

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(parse(&options, "--thread-spec=1", &operand, NULL), 0);
    ck_assert_int_eq(submit_options_from_env(&options, environment, NULL), 0);
    ck_assert_int_eq(submit_options_check(&options, NULL), 0);

    ck_assert_uint_eq(options.job.thread_spec, 1);
    ck_assert_uint_eq(options.job.core_spec, COUNT_UNSET);
}
END_TEST

START_TEST(special_cores_and_threads_cannot_both_come_from_the_environment)
{
    AUTO(submit_options) struct submit_options options;
    char *environment[] = { "SBATCH_CORE_SPEC=1", "SBATCH_THREAD_SPEC=1", NULL };
    struct err err = { 0 };

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(submit_options_from_env(&options, environment, NULL), 0);

    ck_assert_int_eq(submit_options_check(&options, &err), -ERANGE);
    ck_assert_str_eq(err.text, "Both --core-spec and --thread-spec set using environment "
                               "variables. Those options are mutually exclusive");
}
END_TEST

START_TEST(memory_on_the_command_line_replaces_that_of_the_environment)
{
    AUTO(submit_options) struct submit_options options;
    char *environment[] = { "SLURM_MEM_PER_CPU=100", NULL };
    int operand;

    submit_options_init(&options, SUBMIT_SRUN);
    ck_assert_int_eq(parse(&options, "--mem=1000", &operand, NULL), 0);
    ck_assert_int_eq(submit_options_from_env(&options, environment, NULL), 0);
    ck_assert_int_eq(submit_options_check(&options, NULL), 0);

    ck_assert_uint_eq(options.job.mem_per_node, 1000);
    ck_assert_uint_eq(options.job.mem_per_cpu, MB_UNSET);
}
END_TEST

START_TEST(nodes_without_a_task_are_not_asked_for)
{
    AUTO(submit_options) struct submit_options options;
    int operand;

    submit_options_init(&options, SUBMIT_SRUN);
    ck_assert_int_eq(parse(&options, "-N3 -n1", &operand, NULL), 0);
    ck_assert_int_eq(submit_options_check(&options, NULL), 0);

    ck_assert_uint_eq(options.job.min_nodes, 1);
    ck_assert_uint_eq(options.job.max_nodes, 1);
    ck_assert_str_eq(strbuf_text(&options.warnings),
                     "Warning: can't run 1 processes on 3 nodes, setting nnodes to 1\n");
}
END_TEST

static const struct {
    const char *script;
    const char *text;
} scripts[] = {
    { "#!/bin/sh\n#SBATCH foo\n", "Invalid directive found in batch script: foo" },
    { "#!/bin/sh\n#SBATCH -J a b\n", "Invalid directive found in batch script: b" },
    { "#!/bin/sh\n#SBATCH -- foo\n", "Invalid directive found in batch script: foo" },
    { "#!/bin/sh\n#SBATCH -N\n", "option requires an argument -- 'N'" },
    { "#!/bin/sh\n#SBATCH -l\n", "invalid option -- 'l'" },
    { "#!/bin/sh\n#SBATCH -J \"a b\n", "x.sh: line 2: Unmatched `\"` in [\"a b]" },
    { "#!/bin/sh\n#SBATCH hetjob\n",
      "x.sh: line 2: 'hetjob' separates components of a heterogeneous job, which is not supported "
      "yet" },
    { "#!/bin/sh\n#SBATCHpackjob x\n",
      "x.sh: line 2: 'packjob' separates components of a heterogeneous job, which is not supported "
      "yet" },
    { "#!/bin/sh\n#SBATCH : -n2\n", "Invalid directive found in batch script: :" },
};

START_TEST(bad_directives_are_refused)
{
    AUTO(submit_options) struct submit_options options;
    struct err err = { 0 };

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_lt(script_apply_directives("x.sh", scripts[_i].script, strlen(scripts[_i].script),
                                             &options, &err),
                     0);
    ck_assert_str_eq(err.text, scripts[_i].text);
}
END_TEST

static const struct {
    enum submit_command command;
    const char *line;
    bool separates;
} components[] = {
    { SUBMIT_SRUN, "-n1 echo A : -n1 echo B", true },
    { SUBMIT_SRUN, "-n1 echo :", true },
    { SUBMIT_SRUN, ": echo", true },
    { SUBMIT_SRUN, "-- echo :", true },
    { SUBMIT_SRUN, "-J : echo A: :: B", false },
    { SUBMIT_SALLOC, "-n1 : -n1 true", true },
    { SUBMIT_SALLOC, "-J : true x : y", false },
    { SUBMIT_SALLOC, "-n1", false },
    { SUBMIT_SBATCH, "-n1 : -n1 --wrap=true", true },
    { SUBMIT_SBATCH, "-n1 x : y", false },
};

START_TEST(a_lone_colon_where_slurm_begins_a_component_is_refused)
{
    AUTO(words) struct words words = words_split(components[_i].line, " ");
    struct submit_options options;
    struct err err = { 0 };
    int operand;

    submit_options_init(&options, components[_i].command);
    ck_assert_int_eq(parse(&options, components[_i].line, &operand, NULL), 0);

    operand--; /* in `words`, which have no program's name */
    int rc = submit_check_components(components[_i].command, (int)words.n - operand,
                                     words.at + operand, &err);

    ck_assert_int_eq(rc, components[_i].separates ? -ERANGE : 0);
    ck_assert_str_eq(err.text, components[_i].separates
                                   ? "':' separates components of a heterogeneous job, which is "
                                     "not supported yet"
                                   : "");
    submit_options_clear(&options);
}
END_TEST

START_TEST(begin_is_counted_from_now)
{
    AUTO(submit_options) struct submit_options options;
    int operand;

    submit_options_init(&options, SUBMIT_SALLOC);
    options.now = NOW;
    ck_assert_int_eq(parse(&options, "--begin=now+1hour", &operand, NULL), 0);

    ck_assert_int_eq(options.job.begin, NOW + 3600);
}
END_TEST

START_TEST(help_lists_what_works_and_nothing_else)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    submit_options_help(SUBMIT_SBATCH, &out);

    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "  -N, --nodes=MIN[-MAX]"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "      --wrap=COMMAND"));
    ck_assert_ptr_null(strstr(strbuf_text(&out), "--cluster-constraint"));
    ck_assert_ptr_null(strstr(strbuf_text(&out), "--label"));
}
END_TEST

static const struct {
    const char *script;
    size_t n;
    const char *text; /* or NULL: fine */
} checks[] = {
    { "", 0, "Batch script is empty!" },
    { " \n\n", 3, "Batch script contains only whitespace!" },
    { "echo\n", 5,
      "This does not look like a batch script.  The first\n"
      "line must start with #! followed by the path to an interpreter.\n"
      "For instance: #!/bin/sh" },
    { "#!/bin/sh\n\0\n", 12,
      "The Slurm controller does not allow scripts that\ncontain a NULL character '\\0'." },
    { "#!/bin/sh\r\n", 11,
      "Batch script contains DOS line breaks (\\r\\n)\n"
      "instead of expected UNIX line breaks (\\n)." },
    { "#!/bin/sh\n", 10, NULL },
};

START_TEST(what_is_no_script_is_refused)
{
    struct err err = { 0 };
    int rc = script_check(checks[_i].script, checks[_i].n, &err);

    ck_assert_int_eq(rc < 0, checks[_i].text != NULL);
    ck_assert_str_eq(err.text, checks[_i].text ? checks[_i].text : "");
}
END_TEST

CHECK_MAIN(options, LOOP_CASE(values_go_where_the_request_has_them, ARRAY_N(values)),
           LOOP_CASE(what_cannot_be_is_refused_in_slurms_words, ARRAY_N(refusals)),
           CASE(options_end_at_the_first_operand),
           CASE(special_cores_of_the_environment_give_way_to_threads_on_the_command_line),
           CASE(special_cores_and_threads_cannot_both_come_from_the_environment),
           CASE(an_option_without_effect_is_taken_with_a_warning),
           CASE(the_command_line_beats_the_environment_and_that_the_script),
           LOOP_CASE(a_variable_tells_how_much_is_to_be_said, ARRAY_N(much)),
           LOOP_CASE(every_variable_stands_for_an_option_of_its_command, option_variables_n),
           CASE(a_bad_variable_is_named), CASE(two_ways_to_ask_for_memory_exclude_each_other),
           CASE(memory_on_the_command_line_replaces_that_of_the_environment),
           CASE(nodes_without_a_task_are_not_asked_for),
           LOOP_CASE(bad_directives_are_refused, ARRAY_N(scripts)),
           LOOP_CASE(a_lone_colon_where_slurm_begins_a_component_is_refused, ARRAY_N(components)),
           CASE(begin_is_counted_from_now), CASE(help_lists_what_works_and_nothing_else),
           LOOP_CASE(what_is_no_script_is_refused, ARRAY_N(checks)))
