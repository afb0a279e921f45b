#include "unit/check_main.h"

#include "common/msg/job.h"
#include "common/msg/node.h"
#include "common/msg/types.h"

#define SEEDS       200
#define SEEDS_A_ROW 20 /* a process for each takes longer than what is done in it */

static size_t types_n(void)
{
    size_t n = 0;

    while (msg_type_at(n))
        n++;
    return n;
}

static void encode_and_decode(const struct schema *schema, uint64_t seed)
{
    AUTO_FREE void *sent = xcalloc(1, schema->size);
    AUTO_FREE void *got = xcalloc(1, schema->size);
    AUTO(strbuf) struct strbuf wire = { 0 };
    struct err err = { 0 };

    schema_random(schema, sent, seed);
    schema_encode(schema, sent, &wire);
    int rc = schema_decode(schema, wire.data, wire.len, got, &err);

    ck_assert_msg(rc == 0, "%s: %s", schema->name, err.text);
    ck_assert_msg(schema_equal(schema, sent, got), "%s differs", schema->name);
    schema_clear(schema, sent);
    schema_clear(schema, got);
}

START_TEST(every_message_decodes_to_what_was_encoded)
{
    for (size_t i = 0; i < types_n(); i++) {
        for (int k = 0; k < SEEDS_A_ROW; k++)
            encode_and_decode(msg_schema(msg_type_at(i)), (uint64_t)(_i * SEEDS_A_ROW + k));
    }
}
END_TEST

START_TEST(messages_decoded_into_one_piece_of_memory_are_the_same)
{
    for (size_t i = 0; i < types_n(); i++) {
        const struct schema *schema = msg_schema(msg_type_at(i));
        AUTO_FREE void *sent = xcalloc(1, schema->size);
        AUTO_FREE void *got = xcalloc(1, schema->size);
        AUTO(strbuf) struct strbuf wire = { 0 };
        struct arena arena = { 0 };
        struct err err = { 0 };

        schema_random(schema, sent, (uint64_t)_i);
        schema_encode(schema, sent, &wire);
        int rc = schema_decode_in(&arena, schema, wire.data, wire.len, got, &err);

        ck_assert_msg(rc == 0, "%s: %s", schema->name, err.text);
        ck_assert_msg(schema_equal(schema, sent, got), "%s differs", schema->name);
        arena_clear(&arena);
        schema_clear(schema, sent);
    }
}
END_TEST

START_TEST(a_copy_equals_and_shares_nothing)
{
    const struct schema *schema = job_info_schema();
    struct job_info job, copy;

    schema_random(schema, &job, (uint64_t)_i);
    schema_copy(schema, &copy, &job);

    ck_assert(schema_equal(schema, &job, &copy));
    job_info_clear(&job);
    job_info_clear(&copy); /* a shared pointer would be freed twice */
}
END_TEST

START_TEST(a_message_cut_anywhere_is_refused_or_read_and_never_crashes)
{
    AUTO(strbuf) struct strbuf wire = { 0 };
    AUTO(node_register) struct node_register node;

    schema_random(node_register_schema(), &node, 7);
    schema_encode(node_register_schema(), &node, &wire);

    for (size_t n = 0; n < wire.len; n++) {
        AUTO(node_register) struct node_register got;

        schema_decode(node_register_schema(), wire.data, n, &got, NULL);
    }
}
END_TEST

START_TEST(type_numbers_and_tags_are_unique)
{
    for (size_t i = 0; i < types_n(); i++) {
        const struct schema *schema = msg_schema(msg_type_at(i));

        for (size_t k = 0; k < i; k++)
            ck_assert_uint_ne(msg_type_at(i), msg_type_at(k));
        for (uint32_t a = 0; a < schema->fields_n; a++) {
            ck_assert_uint_ge(schema->fields[a].tag, 1);
            ck_assert_uint_le(schema->fields[a].tag, SCHEMA_TAG_MAX);
            for (uint32_t b = 0; b < a; b++)
                ck_assert_uint_ne(schema->fields[a].tag, schema->fields[b].tag);
        }
    }
}
END_TEST

START_TEST(job_states_read_back_in_both_forms)
{
    uint32_t state = 99, flags = 0;

    for (uint32_t i = 0; i < JOB_STATES_N; i++) {
        ck_assert_int_eq(job_state_parse(job_state_name(i, 0), &state, &flags), 0);
        ck_assert_uint_eq(state, i);
        ck_assert_int_eq(job_state_parse(job_state_code(i, 0), &state, &flags), 0);
        ck_assert_uint_eq(state, i);
    }
    ck_assert_int_lt(job_state_parse("SLEEPING", &state, &flags), 0);
}
END_TEST

START_TEST(fields_copied_one_by_one_make_a_copy)
{
    const struct schema *schema = job_record_schema();
    AUTO(job_record) struct job_record from;
    AUTO(job_record) struct job_record to;

    schema_random(schema, &from, (uint64_t)_i);
    schema_random(schema, &to, (uint64_t)_i + 1);
    for (uint32_t i = 0; i < schema->fields_n; i++)
        schema_copy_field(schema_find_tag(schema, schema->fields[i].tag), &to, &from);
    ck_assert(schema_equal(schema, &from, &to));
    ck_assert_ptr_eq(schema_find_tag(schema, SCHEMA_TAG_MAX), NULL);
}
END_TEST

/* An update names fields of both by their tags; and old records had all of them in one. */
START_TEST(no_tag_is_of_a_jobs_spec_and_of_its_body)
{
    const struct schema *body = job_body_schema();

    ck_assert_uint_gt(body->fields_n, 0);
    for (uint32_t i = 0; i < body->fields_n; i++)
        ck_assert_msg(!schema_find_tag(job_spec_schema(), body->fields[i].tag), "%s",
                      body->fields[i].name);
}
END_TEST

CHECK_MAIN(msg, LOOP_CASE(every_message_decodes_to_what_was_encoded, SEEDS / SEEDS_A_ROW),
           LOOP_CASE(messages_decoded_into_one_piece_of_memory_are_the_same, 5),
           LOOP_CASE(a_copy_equals_and_shares_nothing, SEEDS),
           LOOP_CASE(fields_copied_one_by_one_make_a_copy, SEEDS),
           CASE(a_message_cut_anywhere_is_refused_or_read_and_never_crashes),
           CASE(type_numbers_and_tags_are_unique), CASE(no_tag_is_of_a_jobs_spec_and_of_its_body),
           CASE(job_states_read_back_in_both_forms))
