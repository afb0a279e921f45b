/*
 * What --gres, --gpus and their kin may ask for together. Asked of Slurm 22.05.8 with
 * GresTypes=gpu,craynetwork and Licenses=matlab:4,ansys; the words of its refusals are kept.
 */
#include "unit/check_main.h"

#include <string.h>

#include "common/text/words.h"
#include "ctld/control/request/spec.h"
#include "ctld/model/model.h"

static struct model *model_new_lab(void)
{
    struct model_config config = { 0 };
    struct words types = words_split("gpu,craynetwork", ",");
    struct license_info *license;
    struct model *model = NULL;

    config.gres_types = types.at;
    config.gres_types_n = types.n;
    license = ARRAY_PUSH(config.licenses, config.licenses_n);
    license_info_init(license);
    license->name = xstrdup("matlab");
    license->total = 4;
    license = ARRAY_PUSH(config.licenses, config.licenses_n);
    license_info_init(license);
    license->name = xstrdup("ansys");
    license->total = 1;
    ck_assert_int_eq(model_new(&config, &model, NULL), 0);
    return model;
}

/* "N=2 n=4 node=gpu:1 ...": the options by their letters, lists by what they are about. */
static void read_spec(const char *text, struct job_spec *spec)
{
    static const struct {
        const char *key;
        size_t at;
    } counts[] = {
        { "n=", offsetof(struct job_spec, ntasks) },
        { "c=", offsetof(struct job_spec, cpus_per_task) },
        { "per_node=", offsetof(struct job_spec, ntasks_per_node) },
        { "sockets=", offsetof(struct job_spec, sockets_per_node) },
        { "cpus_per_gpu=", offsetof(struct job_spec, cpus_per_gpu) },
        { "ntasks_per_gpu=", offsetof(struct job_spec, ntasks_per_gpu) },
    }, lists[] = {
        { "job=", offsetof(struct job_spec, tres_per_job) },
        { "node=", offsetof(struct job_spec, tres_per_node) },
        { "socket=", offsetof(struct job_spec, tres_per_socket) },
        { "task=", offsetof(struct job_spec, tres_per_task) },
    };
    AUTO(words) struct words words = words_split(text, " ");

    job_spec_init(spec);
    for (uint32_t i = 0; i < words.n; i++) {
        const char *rest;

        for (size_t k = 0; k < ARRAY_N(counts); k++)
            if (strncmp(words.at[i], counts[k].key, strlen(counts[k].key)) == 0)
                *(uint32_t *)((char *)spec + counts[k].at) =
                    (uint32_t)atoi(words.at[i] + strlen(counts[k].key));
        for (size_t k = 0; k < ARRAY_N(lists); k++)
            if (word_starts(words.at[i], lists[k].key, &rest))
                *(char **)((char *)spec + lists[k].at) = xstrdup(rest);
        if (strncmp(words.at[i], "N=", 2) == 0)
            spec->min_nodes = spec->max_nodes = (uint32_t)atoi(words.at[i] + 2);
        if (word_starts(words.at[i], "mem_per_gpu=", &rest))
            spec->mem_per_gpu = (uint64_t)atoi(rest);
    }
}

static const struct {
    const char *asked;
    uint32_t nodes, ntasks, ntasks_per_node;
    const char *job, *node;
} fine[] = {
    { "", COUNT_UNSET, COUNT_UNSET, COUNT_UNSET, NULL, NULL },
    { "job=gpu:2", COUNT_UNSET, COUNT_UNSET, COUNT_UNSET, "gres/gpu:2", NULL },
    { "node=gpu:tesla,craynetwork", COUNT_UNSET, COUNT_UNSET, COUNT_UNSET, NULL,
      "gres/gpu:tesla:1,gres/craynetwork:1" },
    { "node=gpu:1,gpu:1", COUNT_UNSET, COUNT_UNSET, COUNT_UNSET, NULL, "gres/gpu:2" },
    { "job=gpu:1 node=gpu:1", 1, COUNT_UNSET, COUNT_UNSET, "gres/gpu:1", "gres/gpu:1" },
    { "job=gpu:4 node=gpu:2", 2, COUNT_UNSET, COUNT_UNSET, "gres/gpu:4", "gres/gpu:2" },
    { "job=gpu:2 node=gpu:1 N=2", 2, COUNT_UNSET, COUNT_UNSET, "gres/gpu:2", "gres/gpu:1" },
    { "job=gpu:2 task=gpu:1", COUNT_UNSET, 2, COUNT_UNSET, "gres/gpu:2", NULL },
    { "task=gpu:1 per_node=2", COUNT_UNSET, COUNT_UNSET, 2, NULL, NULL },
    { "node=gpu:4 task=gpu:2 per_node=2", COUNT_UNSET, COUNT_UNSET, 2, NULL, "gres/gpu:4" },
    { "task=gpu:1 n=2", COUNT_UNSET, 2, COUNT_UNSET, NULL, NULL },
    { "node=gpu:2 task=gpu:1 n=2", COUNT_UNSET, 2, COUNT_UNSET, NULL, "gres/gpu:2" },
    { "node=gpu:2 task=gpu:1 N=2", 2, COUNT_UNSET, 2, NULL, "gres/gpu:2" },
    { "socket=gpu:1 sockets=2", COUNT_UNSET, COUNT_UNSET, COUNT_UNSET, NULL, NULL },
    { "node=gpu:2 socket=gpu:1 sockets=2", COUNT_UNSET, COUNT_UNSET, COUNT_UNSET, NULL,
      "gres/gpu:2" },
    { "job=gpu:2 ntasks_per_gpu=2", COUNT_UNSET, 4, COUNT_UNSET, "gres/gpu:2", NULL },
    { "job=gpu:1 ntasks_per_gpu=2 n=4", COUNT_UNSET, 2, COUNT_UNSET, "gres/gpu:1", NULL },
    { "node=gpu:2 ntasks_per_gpu=2 N=2", 2, 8, COUNT_UNSET, NULL, "gres/gpu:2" },
    { "ntasks_per_gpu=2 n=4", COUNT_UNSET, 4, COUNT_UNSET, "gres/gpu:2", NULL },
    { "ntasks_per_gpu=2 n=6", COUNT_UNSET, 6, COUNT_UNSET, "gres/gpu:3", NULL },
    { "job=gpu:2 cpus_per_gpu=2 mem_per_gpu=100", COUNT_UNSET, COUNT_UNSET, COUNT_UNSET,
      "gres/gpu:2", NULL },
    { "cpus_per_gpu=2", COUNT_UNSET, COUNT_UNSET, COUNT_UNSET, NULL, NULL },
};

START_TEST(numbers_that_agree_give_those_left_open)
{
    struct model *model = model_new_lab();
    AUTO(job_spec) struct job_spec spec;
    struct err err = { 0 };

    read_spec(fine[_i].asked, &spec);

    ck_assert_msg(spec_fill_gres(model, &spec, &err) == 0, "%s: %s", fine[_i].asked, err.text);

    ck_assert_uint_eq(spec.min_nodes, fine[_i].nodes);
    ck_assert_uint_eq(spec.ntasks, fine[_i].ntasks);
    ck_assert_uint_eq(spec.ntasks_per_node, fine[_i].ntasks_per_node);
    ck_assert_pstr_eq(spec.tres_per_job, fine[_i].job);
    ck_assert_pstr_eq(spec.tres_per_node, fine[_i].node);
    model_free(model);
}
END_TEST

#define E_TEXT "Invalid generic resource (gres) specification: "
#define NESTED "Failed to ensure --gpus >= --gres=gpu/--gpus-per-node >= --gpus-per-socket"
#define NO_JOB "Failed to validate job spec"
#define TYPES  "Invalid GRES specification (with and without type identification)"
#define NODES                                                                                      \
    NO_JOB ". Based on --gpu and --gres=gpu/--gpus-per-node required nodes (3) doesn't fall "      \
           "between min_nodes (2) and max_nodes (2) boundaries."
#define NODE_TASKS                                                                                 \
    NO_JOB ". Based on --gres=gpu/--gpus-per-node and --gpus-per-task requested number of tasks "  \
           "per node differ from --ntasks-per-node."

static const struct {
    const char *asked, *text;
} refused[] = {
    { "node=fpga:1", E_TEXT "there is no 'fpga', GresTypes=gpu,craynetwork" },
    { "node=GPU:1", E_TEXT "there is no 'GPU', GresTypes=gpu,craynetwork" },
    { "node=gpu:1,gpu:tesla:1", TYPES },
    { "node=gpu:tesla:1 job=gpu:1", TYPES },
    { "job=gpu:3 node=gpu:2 N=2", NO_JOB ", --gpus is not multiple of --gres=gpu/--gpus-per-node" },
    { "job=gpu:5 node=gpu:2", NO_JOB ", --gpus is not multiple of --gres=gpu/--gpus-per-node" },
    { "job=gpu:6 node=gpu:2 N=2", NODES },
    { "job=gpu:1 N=2", NO_JOB ", --gpus < -N" },
    { "job=gpu:4 task=gpu:2 n=4",
      NO_JOB ". Based on --gpus and --gpus-per-task number of requested tasks differ from "
             "-n/--ntasks." },
    { "job=gpu:3 task=gpu:2", NO_JOB ", --gpus not multiple of --gpus-per-task" },
    { "job=gpu:1 node=gpu:2", NESTED },
    { "job=gpu:1 socket=gpu:2 sockets=1", NESTED },
    { "node=gpu:1 socket=gpu:2 sockets=1", NESTED },
    { "job=gpu:2 task=gpu:4", NESTED },
    { "node=gpu:1 task=gpu:2 n=4", "Failed to ensure --gpus >= --gpus-per-task" },
    { "node=gpu:3 task=gpu:2 n=4",
      NO_JOB ", --gres=gpu/--gpus-per-node not multiple of --gpus-per-task." },
    { "node=gpu:2 task=gpu:1 per_node=1 N=1", NODE_TASKS },
    { "node=gpu:2 task=gpu:1 per_node=3 N=1", NODE_TASKS },
    { "node=gpu:3 socket=gpu:1 sockets=2",
      NO_JOB ". Based on --gres=gpu/--gpus-per-node and --gpus-per-socket required number of "
             "sockets differ from --sockets-per-node." },
    { "node=gpu:3 socket=gpu:2 sockets=2",
      NO_JOB ", --gres=gpu/--gpus-per-node not multiple of --gpus-per-socket." },
    { "socket=gpu:1", "--gpus-per-socket option requires --sockets-per-node specification" },
    { "task=gpu:1",
      NO_JOB ". --gpus-per-task used without either --gpus or -n/--ntasks is not allowed." },
    { "mem_per_gpu=100", "Requested mem_per_tres=gres/gpu:100 but did not request any GPU." },
    { "ntasks_per_gpu=2 n=5", NO_JOB ", -n/--ntasks has to be a multiple of --ntasks-per-gpu." },
    { "cpus_per_gpu=2 c=2", "--cpus-per-gpu is mutually exclusive with --cpus-per-task" },
    { "ntasks_per_gpu=2", "--ntasks-per-gpu needs either a number of gpus or of tasks" },
    { "ntasks_per_gpu=2 task=gpu:1 n=2",
      "--gpus-per-task is mutually exclusive with --ntasks-per-gpu" },
    { "ntasks_per_gpu=2 per_node=2 job=gpu:1",
      "--ntasks-per-node is mutually exclusive with --ntasks-per-gpu" },
};

START_TEST(numbers_that_disagree_are_refused)
{
    struct model *model = model_new_lab();
    AUTO(job_spec) struct job_spec spec;
    struct err err = { 0 };

    read_spec(refused[_i].asked, &spec);

    ck_assert_msg(spec_fill_gres(model, &spec, &err) == -E_GRES, "%s: %s", refused[_i].asked,
                  err.text);

    ck_assert_str_eq(err.text, refused[_i].text);
    model_free(model);
}
END_TEST

START_TEST(a_list_that_cannot_be_read_is_refused_by_its_name)
{
    struct model *model = model_new_lab();
    AUTO(job_spec) struct job_spec spec;
    struct err err = { 0 };

    read_spec("node=gpu:x:y:1", &spec);

    ck_assert_int_eq(spec_fill_gres(model, &spec, &err), -E_GRES);

    ck_assert_msg(strstr(err.text, E_TEXT "'gpu:x:y:1' is not NAME") == err.text, "%s", err.text);
    model_free(model);
}
END_TEST

static const struct {
    const char *asked;
    int answer;
} crowds[] = {
    { "node=gpu:1 task=gpu:1 n=2 N=1", -E_NODE_CONFIG },
    { "node=gpu:2 task=gpu:1 n=5 N=2", -E_NODE_CONFIG },
    { "node=gpu:2 task=gpu:1 n=4 N=2", 0 },
    { "node=gpu:2 task=gpu:1 n=5", 0 },
};

START_TEST(tasks_must_fit_on_the_nodes_by_their_gpus)
{
    struct model *model = model_new_lab();
    AUTO(job_spec) struct job_spec spec;
    struct err err = { 0 };

    read_spec(crowds[_i].asked, &spec);

    ck_assert_msg(spec_fill_gres(model, &spec, &err) == crowds[_i].answer, "%s: %s",
                  crowds[_i].asked, err.text);
    model_free(model);
}
END_TEST

START_TEST(more_tasks_than_can_be_counted_are_refused)
{
    struct model *model = model_new_lab();
    AUTO(job_spec) struct job_spec spec;
    struct err err = { 0 };

    read_spec("job=gpu:1P ntasks_per_gpu=1000000", &spec);

    ck_assert_int_eq(spec_fill_gres(model, &spec, &err), -E_TASK_COUNT);
    model_free(model);
}
END_TEST

static const struct {
    const char *licenses, *text; /* NULL: fine */
} licensed[] = {
    { NULL, NULL },
    { "matlab", NULL },
    { "matlab:4,ansys", NULL },
    { "matlab:0", NULL },
    { "matlab:5", "Invalid license specification: 5 of 'matlab', there are 4" },
    { "matlab:2,matlab:3", "Invalid license specification: 5 of 'matlab', there are 4" },
    { "abaqus", "Invalid license specification: there is no license 'abaqus'" },
    { "matlab=2", "Invalid license specification: 'matlab=2' is not NAME or NAME:COUNT" },
};

START_TEST(licenses_must_exist_and_be_enough)
{
    struct model *model = model_new_lab();
    AUTO(job_spec) struct job_spec spec;
    struct err err = { 0 };

    job_spec_init(&spec);
    spec.licenses = xstrdup(licensed[_i].licenses);

    ck_assert_int_eq(spec_check_licenses(model, &spec, &err), licensed[_i].text ? -E_LICENSES : 0);

    ck_assert_str_eq(err.text, licensed[_i].text ? licensed[_i].text : "");
    model_free(model);
}
END_TEST

CHECK_MAIN(spec_gres, LOOP_CASE(numbers_that_agree_give_those_left_open, ARRAY_N(fine)),
           LOOP_CASE(numbers_that_disagree_are_refused, ARRAY_N(refused)),
           CASE(a_list_that_cannot_be_read_is_refused_by_its_name),
           LOOP_CASE(tasks_must_fit_on_the_nodes_by_their_gpus, ARRAY_N(crowds)),
           CASE(more_tasks_than_can_be_counted_are_refused),
           LOOP_CASE(licenses_must_exist_and_be_enough, ARRAY_N(licensed)))
