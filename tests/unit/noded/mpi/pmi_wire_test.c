#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "noded/mpi/pmi_wire.h"

START_TEST(a_line_of_version_1_is_read_word_by_word)
{
    static const char line[] = "cmd=put kvsname=1.0 key=P0 value=a=b$c\ncmd=next";
    AUTO(pmi_message) struct pmi_message message = { 0 };

    ck_assert_int_eq(pmi_decode(PMI_1, line, strlen(line), &message, NULL), 39);
    ck_assert_uint_eq(message.n, 4);
    ck_assert_str_eq(pmi_get(&message, "cmd"), "put");
    ck_assert_str_eq(pmi_get(&message, "value"), "a=b$c");
    ck_assert_ptr_null(pmi_get(&message, "rc"));
}
END_TEST

START_TEST(a_packet_of_version_2_is_read_with_doubled_semicolons)
{
    static const char packet[] = "    29cmd=kvs-put;key=a;value=x;;y;    11";
    AUTO(pmi_message) struct pmi_message message = { 0 };

    ck_assert_int_eq(pmi_decode(PMI_2, packet, strlen(packet), &message, NULL), 35);
    ck_assert_str_eq(pmi_get(&message, "value"), "x;y");
}
END_TEST

static const struct {
    enum pmi_version version;
    const char *bytes;
} unfinished[] = {
    { PMI_1, "cmd=init pmi_version=1" },
    { PMI_2, "" },
    { PMI_2, "    1" },
    { PMI_2, "    10cmd=x;" },
};

START_TEST(an_unfinished_message_waits_for_more)
{
    const char *bytes = unfinished[_i].bytes;
    struct pmi_message message = { 0 };

    ck_assert_int_eq(pmi_decode(unfinished[_i].version, bytes, strlen(bytes), &message, NULL), 0);
}
END_TEST

static const struct {
    enum pmi_version version;
    const char *bytes;
} wrong[] = {
    { PMI_1, "hello\n" }, { PMI_1, "\n" },         { PMI_1, "key=a value=b\n" },
    { PMI_1, "=a\n" },    { PMI_2, "cmd=x;" },     { PMI_2, "999999cmd=x;" },
    { PMI_2, "     0" },  { PMI_2, "     4a;b;" },
};

START_TEST(what_is_no_message_is_refused)
{
    const char *bytes = wrong[_i].bytes;
    struct pmi_message message = { 0 };
    struct err err = { 0 };

    ck_assert_int_lt(pmi_decode(wrong[_i].version, bytes, strlen(bytes), &message, &err), 0);
    ck_assert_uint_eq(message.n, 0);
    ck_assert_int_ne(err.code, 0);
}
END_TEST

START_TEST(answers_are_written_in_the_clients_version)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct pmi_answer answer;

    for (int version = PMI_1; version <= PMI_2; version++) {
        pmi_begin(&answer, (enum pmi_version)version, "get_result");
        pmi_add(&answer, "rc", "%d", 0);
        pmi_add(&answer, "value", "a;b");
        pmi_end(&answer, &out);
    }

    ck_assert_str_eq(strbuf_text(&out), "cmd=get_result rc=0 value=a;b\n"
                                        "    31cmd=get_result;rc=0;value=a;;b;");
}
END_TEST

CHECK_MAIN(pmi_wire, CASE(a_line_of_version_1_is_read_word_by_word),
           CASE(a_packet_of_version_2_is_read_with_doubled_semicolons),
           LOOP_CASE(an_unfinished_message_waits_for_more, ARRAY_N(unfinished)),
           LOOP_CASE(what_is_no_message_is_refused, ARRAY_N(wrong)),
           CASE(answers_are_written_in_the_clients_version))
