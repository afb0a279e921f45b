/* What mysqldump writes, in its many ways, as rows; and what it never writes, as errors. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/import/dump.h"
#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "unit/check_main.h"

/* A text that is read as a file. */
struct reading {
    int fd;
    struct dump *dump;
    struct err err;
};

static struct reading *read_text(const char *text, size_t n)
{
    struct reading *reading = xcalloc(1, sizeof(*reading));

    reading->fd = memfd_create("dump", MFD_CLOEXEC);
    ck_assert_int_eq(write(reading->fd, text, n), (int)n);
    reading->dump = dump_new(reading->fd, "a.sql");
    return reading;
}

static void end(struct reading *reading)
{
    dump_free(reading->dump);
    close(reading->fd);
    free(reading);
}

/* Appends "table: value|value" of all rows, a line each; returns what ended them. */
static int rows_of(struct reading *reading, struct strbuf *out)
{
    struct dump_row row;
    int rc;

    while ((rc = dump_next(reading->dump, &row, &reading->err)) > 0) {
        strbuf_addf(out, "%s:", row.place.layout->table);
        for (uint32_t i = 0; i < row.n; i++)
            strbuf_addf(out, "%s%s", i ? "|" : " ", row.cells[i].text ? row.cells[i].text : "NULL");
        strbuf_addc(out, '\n');
    }
    return rc;
}

static void expect_rows(const char *text, const char *rows)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct reading *reading = read_text(text, strlen(text));
    const int rc = rows_of(reading, &out);

    ck_assert_msg(rc == 0, "%s", reading->err.text);
    ck_assert_str_eq(strbuf_text(&out), rows);
    end(reading);
}

static void expect_error(const char *text, int code, const char *error)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct reading *reading = read_text(text, strlen(text));

    ck_assert_int_eq(rows_of(reading, &out), -code);
    ck_assert_str_eq(reading->err.text, error);
    end(reading);
}

#define TABLE_T                                                                                    \
    "CREATE TABLE `t` (\n  `a` int(10) unsigned NOT NULL DEFAULT '0' COMMENT 'x, ) y',\n"          \
    "  `b` enum('(','\\'') DEFAULT NULL,\n  PRIMARY KEY (`a`,`b`(42)),\n  KEY `k` (`b`)\n) "       \
    "ENGINE=X;\n"

START_TEST(rows_have_the_columns_of_their_table)
{
    expect_rows(TABLE_T
                "INSERT INTO `t` VALUES (1,'one'),(2,NULL);\nINSERT INTO `t` VALUES (3,'three');",
                "t: 1|one\nt: 2|NULL\nt: 3|three\n");
}
END_TEST

START_TEST(texts_are_unescaped)
{
    expect_rows(TABLE_T "INSERT INTO `t` VALUES (-1.5e3,'a\\'b''c\\\\d\\n\\t\\r\\Z\\%;\"`');",
                "t: -1.5e3|a'b'c\\d\n\t\r\032%;\"`\n");
}
END_TEST

START_TEST(bytes_come_in_all_their_forms)
{
    expect_rows(
        TABLE_T
        "INSERT INTO t VALUES (0x4142,_binary 'x'),(x'43',X'44'),(_utf8mb4'e',_binary 0x46);",
        "t: AB|x\nt: C|D\nt: e|F\n");
}
END_TEST

START_TEST(a_zero_byte_is_a_byte)
{
    const char text[] = TABLE_T "INSERT INTO t VALUES ('a\\0b',0x610062);";
    struct reading *reading = read_text(text, sizeof(text) - 1);
    struct dump_row row;

    ck_assert_int_eq(dump_next(reading->dump, &row, &reading->err), 1);

    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(row.cells[i].n, 3);
        ck_assert_mem_eq(row.cells[i].text, "a\0b", 4);
    }
    end(reading);
}
END_TEST

START_TEST(an_insert_may_name_its_columns)
{
    struct reading *reading;
    struct dump_row row;
    const char text[] = "INSERT IGNORE INTO `d`.`t` (`b`, `a`) VALUES (1, 2);";

    reading = read_text(text, sizeof(text) - 1);
    ck_assert_int_eq(dump_next(reading->dump, &row, &reading->err), 1);

    ck_assert_str_eq(row.place.layout->database, "d");
    ck_assert_str_eq(row.place.layout->columns[0], "b");
    ck_assert_str_eq(row.cells[1].text, "2");
    end(reading);
}
END_TEST

START_TEST(other_statements_and_comments_are_passed_over)
{
    expect_rows(
        "-- it's a comment\n# another; one\n/*!40101 SET NAMES utf8 */;\n/*M!999999\\- enable */ \n"
        "SET @a='INSERT INTO t VALUES (1)';\nLOCK TABLES `t` WRITE;\n/*!40000 ALTER TABLE `t` "
        "DISABLE KEYS */;\n"
        "DELIMITER ;;\nCREATE TRIGGER x INSERT INTO t VALUES (9,9); END ;;\nDELIMITER ;\n" TABLE_T
        "REPLACE INTO t VALUES (1,2) ON DUPLICATE KEY UPDATE a='(';\nUNLOCK TABLES;\n",
        "t: 1|2\n");
}
END_TEST

START_TEST(the_same_name_in_two_databases_is_two_tables)
{
    struct reading *reading;
    struct dump_row row;
    const char text[] =
        "USE `x`;\nCREATE TABLE t (`a` int);\nUSE `y`;\nCREATE TABLE t (`b` int, `c` int);\n"
        "INSERT INTO t VALUES (1,2);\nUSE x;\nINSERT INTO t VALUES (3);";

    reading = read_text(text, sizeof(text) - 1);
    ck_assert_int_eq(dump_next(reading->dump, &row, &reading->err), 1);
    ck_assert_str_eq(row.place.layout->database, "y");
    ck_assert_int_eq(dump_next(reading->dump, &row, &reading->err), 1);
    ck_assert_str_eq(row.place.layout->database, "x");
    ck_assert_str_eq(row.cells[0].text, "3");
    end(reading);
}
END_TEST

START_TEST(a_row_is_found_again)
{
    const char text[] = TABLE_T "INSERT INTO t VALUES (1,2),\n(3,4),(5,6);\n";
    struct reading *reading = read_text(text, sizeof(text) - 1);
    struct dump *other = dump_fork(reading->dump);
    struct dump_row first, second, again;

    ck_assert_int_eq(dump_next(reading->dump, &first, &reading->err), 1);
    ck_assert_int_eq(dump_next(reading->dump, &second, &reading->err), 1);
    ck_assert_int_eq((int)second.place.line, 8);
    dump_seek(other, &second.place);

    ck_assert_int_eq(dump_next(other, &again, &reading->err), 1);
    ck_assert_str_eq(again.cells[0].text, "3");
    ck_assert_int_eq(dump_next(other, &again, &reading->err), 1);
    ck_assert_str_eq(again.cells[0].text, "5");
    ck_assert_int_eq(dump_next(other, &again, &reading->err), 0);
    dump_free(other);
    end(reading);
}
END_TEST

START_TEST(a_row_longer_than_the_buffer_comes_whole)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct reading *reading;
    struct dump_row row;

    strbuf_adds(&text, TABLE_T "INSERT INTO t VALUES (1,'");
    for (int i = 0; i < 1000000; i++)
        strbuf_addc(&text, (char)('a' + i % 26));
    strbuf_adds(&text, "');");
    reading = read_text(text.data, text.len);

    ck_assert_int_eq(dump_next(reading->dump, &row, &reading->err), 1);
    ck_assert_int_eq(row.cells[1].n, 1000000);
    ck_assert_int_eq(row.cells[1].text[999999], 'a' + 999999 % 26);
    end(reading);
}
END_TEST

static const struct {
    const char *text;
    int code;
    const char *error;
} wrong[] = {
    { TABLE_T "INSERT INTO t VALUES (1,'on", EPIPE,
      "a.sql, line 7: it was cut: it ends in the middle of a text" },
    { TABLE_T "INSERT INTO t VALUES (1,2),(3", EPIPE,
      "a.sql, line 7: it was cut: it ends in the middle of a row" },
    { TABLE_T "INSERT INTO t VALUES (1,2)", EPIPE,
      "a.sql, line 7: it was cut: it ends in the middle of a statement" },
    { "-- MySQL dump 10.13  Distrib 8.0\n" TABLE_T, EPIPE,
      "a.sql: it was cut: its last line is not '-- Dump completed', as its first lines promise" },
    { TABLE_T "INSERT INTO t VALUES (1);", EILSEQ,
      "a.sql, line 7: a row of table t has 1 values, not 2" },
    { TABLE_T "INSERT INTO t VALUES (1,2,3);", EILSEQ,
      "a.sql, line 7: a row of table t has more than its 2 values" },
    { TABLE_T "INSERT INTO t VALUES (1,now());", EILSEQ,
      "a.sql, line 7: what stands in place of a value is none" },
    { TABLE_T "INSERT INTO t VALUES (1,DEFAULT);", EILSEQ, "a.sql, line 7: 'DEFAULT' is no value" },
    { TABLE_T "INSERT INTO t VALUES (1,_a _b 'c');", EILSEQ,
      "a.sql, line 7: two words before a text" },
    { TABLE_T "INSERT INTO t VALUES (0x123,1);", EILSEQ,
      "a.sql, line 7: a hexadecimal value with an odd number of digits" },
    { TABLE_T "INSERT INTO t SELECT 1;", EILSEQ,
      "a.sql, line 7: INSERT into table t without VALUES" },
    { "INSERT INTO t VALUES (1);", EILSEQ,
      "a.sql, line 1: the columns of table t are not known: neither CREATE TABLE nor this INSERT "
      "tells them (mysqldump was called with --no-create-info)" },
    { "/ ELF", EILSEQ, "a.sql, line 1: '/' begins no statement" },
    { "\x1f\x8b\x08", EILSEQ,
      "a.sql: it is packed by gzip: unpack it first, or read it from a pipe, zcat FILE | ... -" },
    { "\xfd"
      "7zXZ",
      EILSEQ,
      "a.sql: it is packed by xz: unpack it first, or read it from a pipe, xzcat FILE | ... -" },
    { "\x28\xb5\x2f\xfd\x04", EILSEQ,
      "a.sql: it is packed by zstd: unpack it first, or read it from a pipe, zstdcat FILE | ... "
      "-" },
    { "BZh91", EILSEQ,
      "a.sql: it is packed by bzip2: unpack it first, or read it from a pipe, bzcat FILE | ... -" },
};

START_TEST(what_is_wrong_is_told_with_its_line)
{
    expect_error(wrong[_i].text, wrong[_i].code, wrong[_i].error);
}
END_TEST

CHECK_MAIN(dump, CASE(rows_have_the_columns_of_their_table), CASE(texts_are_unescaped),
           CASE(bytes_come_in_all_their_forms), CASE(a_zero_byte_is_a_byte),
           CASE(an_insert_may_name_its_columns),
           CASE(other_statements_and_comments_are_passed_over),
           CASE(the_same_name_in_two_databases_is_two_tables), CASE(a_row_is_found_again),
           CASE(a_row_longer_than_the_buffer_comes_whole),
           LOOP_CASE(what_is_wrong_is_told_with_its_line, ARRAY_N(wrong)))
