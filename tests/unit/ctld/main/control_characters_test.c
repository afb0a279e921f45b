/* What users write is seen by others: what acts on their terminals is refused. */
#include "unit/ctld/main/head.h"

#include "common/msg/alter.h"

static struct job_spec spec;
static struct job_body body;

static void fill_spec(void)
{
    job_spec_init(&spec);
    spec.name = xstrdup("good");
    job_body_init(&body);
    body.work_dir = xstrdup("/tmp");
}

static void clear_spec(void)
{
    job_spec_clear(&spec);
    job_body_clear(&body);
}

static void set_field(const char *name, const char *value)
{
    const struct schema_field *field = schema_find(job_spec_schema(), name);
    char *of = (char *)&spec;

    if (!field) {
        field = schema_find(job_body_schema(), name);
        of = (char *)&body;
    }
    xstrset((char **)(void *)(of + field->offset), value);
}

static int submit(struct head *head, struct guest *guest)
{
    return guest_submit(guest, head, &spec, &body, "#!/bin/sh\nprintf '\x1b[31m'\n");
}

static const char *const refused[] = { "name",      "partition",   "features",   "account", "qos",
                                       "wckey",     "mail_type",   "mail_user",  "token",   "array",
                                       "req_nodes", "submit_host", "dependency", "licenses" };

START_TEST(a_text_that_others_see_has_no_control_characters)
{
    struct head head;
    struct guest guest;

    head_start(&head, "NodeName=n1\nPartitionName=main Nodes=n1 Default=YES");
    guest_connect(&guest, &head);
    for (size_t i = 0; i < ARRAY_N(refused); i++) {
        AUTO_FREE char *said =
            xasprintf("%s 'evil\\x0a7|x': byte 5 is of a control character (\\x0a)", refused[i]);

        fill_spec();
        set_field(refused[i], "evil\n7|x");
        ck_assert_int_eq(submit(&head, &guest), -EINVAL);
        ck_assert_msg(strncmp(guest.last_error.text, said, strlen(said)) == 0, "%s",
                      guest.last_error.text);
        clear_spec();
    }

    guest_leave(&guest, &head);
    head_stop(&head);
}
END_TEST

static const struct {
    const char *field, *value;
} taken[] = {
    { "name", "caf\xc3\xa9 \xf0\x9f\x90\xa7" },
    { "name", "caf\xe9" },
    { "comment", "{\n\t\"run\": 7\r\n}" },
    { "work_dir", "/tmp/odd\ndirectory" },
    { "std_out", "/tmp/odd\tfile" },
    { "submit_line", "sbatch --wrap 'a\nb'" },
    { "command", "/tmp/odd\nscript" },
};

START_TEST(what_others_are_shown_escaped_is_taken)
{
    char *arguments[] = { (char[]){ "two\nlines" }, (char[]){ "\x1b[0m" } };
    struct head head;
    struct guest guest;

    head_start(&head, "NodeName=n1\nPartitionName=main Nodes=n1 Default=YES");
    guest_connect(&guest, &head);
    for (size_t i = 0; i < ARRAY_N(taken); i++) {
        fill_spec();
        set_field(taken[i].field, taken[i].value);
        body.script_args = arguments;
        body.script_args_n = ARRAY_N(arguments);
        ck_assert_msg(submit(&head, &guest) == 0, "%s: %s", taken[i].field, guest.last_error.text);
        body.script_args = NULL;
        body.script_args_n = 0;
        clear_spec();
    }

    guest_leave(&guest, &head);
    head_stop(&head);
}
END_TEST

START_TEST(a_job_gets_no_such_name_later_either)
{
    struct job_spec change;
    struct job_update update;
    struct head head;
    struct guest guest;

    head_start(&head, "NodeName=n1\nPartitionName=main Nodes=n1 Default=YES");
    guest_connect(&guest, &head);
    fill_spec();
    ck_assert_int_eq(submit(&head, &guest), 0);
    clear_spec();
    job_update_init(&update);
    job_spec_init(&change);
    change.name = (char[]){ "\x1b]0;title\a" };
    update.job_id = 1;
    update.spec = &change;

    ck_assert_int_eq(guest_ask_and_wait(&guest, &head, MSG_JOB_UPDATE, &update), -EINVAL);

    guest_leave(&guest, &head);
    head_stop(&head);
}
END_TEST

CHECK_MAIN(control_characters, CASE(a_text_that_others_see_has_no_control_characters),
           CASE(what_others_are_shown_escaped_is_taken), CASE(a_job_gets_no_such_name_later_either))

#undef main
HEAD_MAIN
