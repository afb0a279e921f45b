#include "unit/check_main.h"

#include <string.h>

#include "common/schema/schema.h"
#include "noded/priv/verbs.h"

static const uint8_t signature[PRIV_SIGNATURE_N] = { 1, 2, 3 };

static struct priv_launch launch_of(const char *controller, bool environment, bool script)
{
    struct priv_launch launch = { .cred = (const uint8_t *)"cred",
                                  .cred_n = 4,
                                  .signature = signature,
                                  .has_environment = environment,
                                  .has_script = script };

    strcpy(launch.controller, controller);
    return launch;
}

static int through(uint32_t verb, const struct strbuf *bytes, uint32_t fds_n, unsigned side,
                   struct strbuf *packet, struct priv_msg *ret, struct err *err)
{
    struct priv_msg msg = { .verb = verb,
                            .request = 9,
                            .bytes = (const uint8_t *)bytes->data,
                            .bytes_n = (uint32_t)bytes->len,
                            .fds_n = fds_n };

    priv_encode(&msg, packet);
    return priv_decode(packet->data, packet->len, fds_n, side, ret, err);
}

START_TEST(a_launch_comes_out_as_it_went_in)
{
    bool environment = _i & 1, script = _i & 2;
    struct priv_launch sent = launch_of("10.0.0.1", environment, script), got = { 0 };
    AUTO(strbuf) struct strbuf bytes = { 0 }, packet = { 0 };
    struct priv_msg msg = { 0 };
    struct err err = { 0 };

    priv_launch_encode(&sent, &bytes);
    int rc =
        through(PRIV_LAUNCH, &bytes, 1u + environment + script, PRIV_MONITOR, &packet, &msg, &err);
    ck_assert_msg(rc == 0, "%s", err.text);
    rc = priv_launch_decode(&msg, &got, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_uint_eq(msg.request, 9);
    ck_assert_uint_eq(got.cred_n, 4);
    ck_assert_mem_eq(got.cred, "cred", 4);
    ck_assert_mem_eq(got.signature, signature, PRIV_SIGNATURE_N);
    ck_assert_str_eq(got.controller, "10.0.0.1");
    ck_assert_int_eq(got.has_environment, environment);
    ck_assert_int_eq(got.has_script, script);
}
END_TEST

START_TEST(a_launch_with_another_number_of_descriptors_is_refused)
{
    struct priv_launch sent = launch_of("", true, false), got = { 0 };
    AUTO(strbuf) struct strbuf bytes = { 0 }, packet = { 0 };
    struct priv_msg msg = { 0 };
    struct err err = { 0 };

    priv_launch_encode(&sent, &bytes);
    ck_assert_int_eq(through(PRIV_LAUNCH, &bytes, 3, PRIV_MONITOR, &packet, &msg, &err), 0);

    ck_assert_int_eq(priv_launch_decode(&msg, &got, &err), -E_PROTO);
    ck_assert_str_eq(err.text, "verb LAUNCH with bits 0x1 and 3 descriptors");
}
END_TEST

START_TEST(an_end_keeps_its_reason_and_makes_it_printable)
{
    struct priv_end sent = { 12, 0xfffffffb, 3, 30, "CANCELLED\n\033[2J" }, got = { 0 };
    AUTO(strbuf) struct strbuf bytes = { 0 }, packet = { 0 };
    struct priv_msg msg = { 0 };

    priv_end_encode(&sent, &bytes);
    ck_assert_int_eq(through(PRIV_END, &bytes, 0, PRIV_STEP, &packet, &msg, NULL), 0);
    ck_assert_int_eq(priv_end_decode(&msg, &got, NULL), 0);

    ck_assert_uint_eq(got.job_id, 12);
    ck_assert_uint_eq(got.step_id, 0xfffffffb);
    ck_assert_uint_eq(got.launch_number, 3);
    ck_assert_uint_eq(got.kill_wait_s, 30);
    ck_assert_str_eq(got.reason, "CANCELLED??[2J");
}
END_TEST

START_TEST(an_end_means_a_launch_a_step_or_a_job)
{
    const struct priv_end launch = { .job_id = 12, .step_id = 0, .launch_number = 3 };
    const struct priv_end step = { .job_id = 12, .step_id = 0 };
    const struct priv_end job = { .job_id = 12, .step_id = COUNT_UNSET };

    ck_assert(priv_end_means(&launch, 12, 0, 3));
    ck_assert(!priv_end_means(&launch, 12, 0, 4));
    ck_assert(!priv_end_means(&launch, 12, 1, 3));
    ck_assert(!priv_end_means(&launch, 13, 0, 3));
    ck_assert(priv_end_means(&step, 12, 0, 4));
    ck_assert(!priv_end_means(&step, 12, 1, 4));
    ck_assert(priv_end_means(&job, 12, 1, 4));
    ck_assert(!priv_end_means(&job, 13, 1, 4));
}
END_TEST

START_TEST(words_for_a_step_are_made_printable)
{
    struct priv_say sent = { 12, 3, "wake\033 up" }, got = { 0 };
    AUTO(strbuf) struct strbuf bytes = { 0 }, packet = { 0 };
    struct priv_msg msg = { 0 };

    priv_say_encode(&sent, &bytes);
    ck_assert_int_eq(through(PRIV_SAY, &bytes, 0, PRIV_STEP, &packet, &msg, NULL), 0);
    ck_assert_int_eq(priv_say_decode(&msg, &got, NULL), 0);

    ck_assert_uint_eq(got.job_id, 12);
    ck_assert_uint_eq(got.step_id, 3);
    ck_assert_str_eq(got.text, "wake? up");
}
END_TEST

START_TEST(numbers_come_out_as_they_went_in)
{
    struct priv_signal signal = { 1, 2, 15, 4 }, signal_got;
    struct priv_forget forget = { 7, 8, 9 }, forget_got;
    struct priv_answer answer = { 13, "no", 2 }, answer_got;
    AUTO(strbuf) struct strbuf bytes = { 0 }, packet = { 0 };
    struct priv_msg msg = { 0 };

    priv_signal_encode(&signal, &bytes);
    ck_assert_int_eq(through(PRIV_SIGNAL, &bytes, 0, PRIV_MONITOR, &packet, &msg, NULL), 0);
    signal_got = priv_signal_decode(&msg);
    ck_assert_mem_eq(&signal, &signal_got, sizeof(signal));

    strbuf_clear(&bytes);
    strbuf_clear(&packet);
    priv_forget_encode(&forget, &bytes);
    ck_assert_int_eq(through(PRIV_FORGET, &bytes, 0, PRIV_MONITOR, &packet, &msg, NULL), 0);
    forget_got = priv_forget_decode(&msg);
    ck_assert_mem_eq(&forget, &forget_got, sizeof(forget));

    strbuf_clear(&bytes);
    strbuf_clear(&packet);
    priv_answer_encode(&answer, &bytes);
    ck_assert_int_eq(through(PRIV_ANSWER, &bytes, 0, PRIV_AGENT, &packet, &msg, NULL), 0);
    answer_got = priv_answer_decode(&msg);
    ck_assert_int_eq(answer_got.code, 13);
    ck_assert_uint_eq(answer_got.text_n, 2);
    ck_assert_mem_eq(answer_got.text, "no", 2);
}
END_TEST

static const struct {
    uint32_t verb;
    uint32_t bytes_n, fds_n;
    unsigned side;
    const char *error;
} bad[] = {
    { PRIV_LIST, 1, 0, PRIV_MONITOR, "verb LIST with 1 bytes: 0 to 0 are allowed" },
    { PRIV_LIST, 0, 0, PRIV_AGENT, "verb 7 is not for this side" },
    { PRIV_LAUNCH, 100, 1, PRIV_STEP, "verb 3 is not for this side" },
    { PRIV_LAUNCH, 100, 0, PRIV_MONITOR, "verb LAUNCH with 0 descriptors: 1 to 3 are allowed" },
    { PRIV_SIGNAL, 15, 0, PRIV_MONITOR, "verb SIGNAL with 15 bytes: 16 to 16 are allowed" },
    { PRIV_SIGNAL, 16, 1, PRIV_MONITOR, "verb SIGNAL with 1 descriptors: 0 to 0 are allowed" },
    { PRIV_END, 16 + 256, 0, PRIV_MONITOR, "verb END with 272 bytes: 16 to 271 are allowed" },
    { PRIV_LOG, 0, 1, PRIV_MONITOR, "verb 46 is not for this side" },
    { PRIV_LOG, 0, 0, PRIV_AGENT | PRIV_STEP, "verb LOG with 0 descriptors: 1 to 1 are allowed" },
    { 99, 0, 0, PRIV_MONITOR | PRIV_AGENT | PRIV_STEP, "verb 99 is not for this side" },
};

START_TEST(what_breaks_its_row_of_the_table_is_refused)
{
    AUTO(strbuf) struct strbuf packet = { 0 };
    struct priv_msg msg = { 0 };
    struct err err = { 0 };

    bytes_put_u32(&packet, PRIV_MAGIC);
    bytes_put_u16(&packet, (uint16_t)bad[_i].verb);
    bytes_put_u16(&packet, (uint16_t)bad[_i].fds_n);
    bytes_put_u32(&packet, 0);
    bytes_put_u32(&packet, bad[_i].bytes_n);
    for (uint32_t i = 0; i < bad[_i].bytes_n; i++)
        bytes_put_u8(&packet, 0);
    int rc = priv_decode(packet.data, packet.len, bad[_i].fds_n, bad[_i].side, &msg, &err);

    ck_assert_int_lt(rc, 0);
    ck_assert_str_eq(err.text, bad[_i].error);
}
END_TEST

CHECK_MAIN(verbs, LOOP_CASE(a_launch_comes_out_as_it_went_in, 4),
           CASE(a_launch_with_another_number_of_descriptors_is_refused),
           CASE(an_end_keeps_its_reason_and_makes_it_printable),
           CASE(an_end_means_a_launch_a_step_or_a_job), CASE(words_for_a_step_are_made_printable),
           CASE(numbers_come_out_as_they_went_in),
           LOOP_CASE(what_breaks_its_row_of_the_table_is_refused, ARRAY_N(bad)))
