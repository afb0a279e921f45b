#include "unit/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/log.h"

/* A file that is gone when the test ends, however it ends: only its descriptor is kept. */
struct sink {
    int fd;
    char path[64]; /* names the descriptor */
};

static struct sink sink_open(void)
{
    char path[] = "/tmp/log_test.XXXXXX";
    struct sink sink = { .fd = mkstemp(path) };

    ck_assert_int_ge(sink.fd, 0);
    unlink(path);
    snprintf(sink.path, sizeof(sink.path), "/proc/self/fd/%d", sink.fd);
    return sink;
}

static const char *sink_text(const struct sink *sink)
{
    static char text[4096];
    ssize_t n = pread(sink->fd, text, sizeof(text) - 1, 0);

    ck_assert_int_ge(n, 0);
    text[n] = '\0';
    return text;
}

/* From here on stderr goes to the sink. */
static void catch_stderr(const struct sink *sink)
{
    ck_assert_int_ge(dup2(sink->fd, STDERR_FILENO), 0);
}

static void assert_matches(const char *text, const char *pattern)
{
    regex_t regex;

    ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    ck_assert_msg(regexec(&regex, text, 0, NULL, 0) == 0, "'%s' does not match", text);
    regfree(&regex);
}

START_TEST(a_command_says_its_name_and_the_level)
{
    struct sink sink = sink_open();
    struct log *log = log_new_command("srun", LOG_VERBOSE);

    catch_stderr(&sink);
    log_error(log, "no answer from %s", "tux3");
    log_info(log, "job 7 queued");
    log_verbose(log, "more");
    log_debug(log, "too much");
    log_free(log);

    ck_assert_str_eq(sink_text(&sink),
                     "srun: error: no answer from tux3\nsrun: job 7 queued\nsrun: more\n");
}
END_TEST

START_TEST(a_daemon_stamps_its_lines)
{
    struct sink sink = sink_open();
    struct log *log = log_new_daemon("slurmctld", LOG_DEBUG2);
    struct err err = { 0 };

    ck_assert_msg(log_open(log, sink.path, &err) == 0, "%s", err.text);
    log_error(log, "first");
    log_at(log, LOG_DEBUG2, "second");
    log_free(log);

    assert_matches(sink_text(&sink),
                   "^\\[[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}\\] error: first\n"
                   "\\[[^]]*\\] debug2: second\n$");
}
END_TEST

START_TEST(nothing_that_is_logged_looks_like_a_line_of_its_own)
{
    struct sink sink = sink_open();
    struct log *log = log_new_daemon("slurmctld", LOG_INFO);

    ck_assert_int_eq(log_open(log, sink.path, NULL), 0);
    log_info(log, "job 7 of %s", "a\n[2026-11-20T00:00:00.000] fatal: b\x1b[31m");
    log_free(log);

    assert_matches(sink_text(&sink),
                   "^[^\n]*\\] job 7 of a\\\\x0a\\[2026[^\n]*fatal: b\\\\x1b\\[31m\n$");
}
END_TEST

START_TEST(a_command_may_say_several_lines_but_no_more)
{
    struct sink sink = sink_open();
    struct log *log = log_new_command("srun", LOG_INFO);

    catch_stderr(&sink);
    log_error(log, "one\ntwo \x1b[31m");
    log_free(log);

    ck_assert_str_eq(sink_text(&sink), "srun: error: one\ntwo \\x1b[31m\n");
}
END_TEST

START_TEST(an_open_file_takes_the_lines_from_stderr_unless_both_are_wanted)
{
    struct sink file = sink_open(), terminal = sink_open();
    struct log *log = log_new_daemon("slurmd", LOG_INFO);

    catch_stderr(&terminal);
    log_info(log, "before");
    ck_assert_int_eq(log_open(log, file.path, NULL), 0);
    log_info(log, "file only");
    log_set_stderr(log, true);
    log_info(log, "both");
    log_free(log);

    assert_matches(sink_text(&terminal), "^[^\n]*\\] before\n[^\n]*\\] both\n$");
    assert_matches(sink_text(&file), "^[^\n]*\\] file only\n[^\n]*\\] both\n$");
}
END_TEST

START_TEST(reopening_goes_on_in_the_new_file)
{
    struct sink old = sink_open(), new = sink_open();
    struct log *log = log_new_daemon("slurmd", LOG_INFO);

    ck_assert_int_eq(log_open(log, old.path, NULL), 0);
    log_info(log, "one");
    ck_assert_int_eq(log_open(log, new.path, NULL), 0);
    log_info(log, "two");
    log_free(log);

    assert_matches(sink_text(&old), "\\] one\n$");
    assert_matches(sink_text(&new), "^[^\n]*\\] two\n$");
}
END_TEST

START_TEST(a_file_that_another_opened_can_be_gone_on_in)
{
    struct sink old = sink_open(), new = sink_open();
    struct log *log = log_new_daemon("slurmd", LOG_INFO),
               *other = log_new_daemon("slurmd", LOG_INFO);

    ck_assert_int_eq(log_fd(other), -1);
    ck_assert_int_eq(log_open(log, old.path, NULL), 0);
    ck_assert_int_eq(log_open(other, new.path, NULL), 0);
    ck_assert_int_eq(log_use(log, log_fd(other), NULL), 0);
    log_free(other);
    log_info(log, "two");
    ck_assert_int_eq(log_use(log, -1, NULL), -EBADF);
    log_info(log, "three");
    log_free(log);

    ck_assert_str_eq(sink_text(&old), "");
    assert_matches(sink_text(&new), "^[^\n]*\\] two\n[^\n]*\\] three\n$");
}
END_TEST

START_TEST(a_file_that_cannot_be_opened_is_named_and_the_log_goes_on)
{
    struct sink sink = sink_open();
    struct log *log = log_new_daemon("slurmd", LOG_INFO);
    struct err err = { 0 };

    catch_stderr(&sink);
    ck_assert_int_eq(log_open(log, "/nonexistent/log", &err), -ENOENT);
    log_info(log, "still here");
    log_free(log);

    ck_assert_str_eq(err.text,
                     "log file /nonexistent/log: /nonexistent: No such file or directory");
    assert_matches(sink_text(&sink), "\\] still here\n$");
}
END_TEST

START_TEST(a_new_log_file_is_for_its_owner_only)
{
    char dir[] = "/tmp/log_test.XXXXXX";
    struct log *log = log_new_daemon("slurmd", LOG_INFO);
    struct stat st;

    umask(0);
    ck_assert_ptr_nonnull(mkdtemp(dir));
    AUTO_FREE char *path = xasprintf("%s/log", dir);
    int rc = log_open(log, path, NULL);
    int found = stat(path, &st);
    unlink(path);
    rmdir(dir);
    log_free(log);

    ck_assert_int_eq(rc, 0);
    ck_assert_int_eq(found, 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0600);
}
END_TEST

START_TEST(levels_are_slurms_words_and_numbers)
{
    enum log_level level = LOG_QUIET;

    ck_assert_int_eq(log_level_parse("info", &level), 0);
    ck_assert_int_eq(level, LOG_INFO);
    ck_assert_int_eq(log_level_parse("Debug5", &level), 0);
    ck_assert_int_eq(level, LOG_DEBUG5);
    ck_assert_int_eq(log_level_parse("3", &level), 0);
    ck_assert_int_eq(level, LOG_INFO);
    ck_assert_str_eq(log_level_name(LOG_VERBOSE), "verbose");
    ck_assert_int_eq(log_level_parse("", &level), -EINVAL);
    ck_assert_int_eq(log_level_parse("10", &level), -EINVAL);
    ck_assert_int_eq(log_level_parse("-1", &level), -EINVAL);
    ck_assert_int_eq(log_level_parse("loud", &level), -EINVAL);
    ck_assert_int_eq(level, LOG_INFO);
}
END_TEST

START_TEST(no_log_says_nothing)
{
    log_error(NULL, "nobody hears");
    ck_assert_ptr_null(log_free(NULL));
}
END_TEST

CHECK_MAIN(log, CASE(a_command_says_its_name_and_the_level), CASE(a_daemon_stamps_its_lines),
           CASE(nothing_that_is_logged_looks_like_a_line_of_its_own),
           CASE(a_command_may_say_several_lines_but_no_more),
           CASE(an_open_file_takes_the_lines_from_stderr_unless_both_are_wanted),
           CASE(reopening_goes_on_in_the_new_file),
           CASE(a_file_that_another_opened_can_be_gone_on_in),
           CASE(a_file_that_cannot_be_opened_is_named_and_the_log_goes_on),
           CASE(a_new_log_file_is_for_its_owner_only), CASE(levels_are_slurms_words_and_numbers),
           CASE(no_log_says_nothing))
