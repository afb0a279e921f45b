/*
 * A dump of a database from outside: it is read, row by row, and each row again from its place;
 * then it is looked at as slurmdbd's, and all that would come is counted, without a controller.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/import/history.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(struct dump *dump, const struct dump_row *row)
{
    struct err err = { 0 };
    struct dump_row again;

    dump_seek(dump, &row->place);
    assert(dump_next(dump, &again, &err) == 1);
    assert(again.n == row->n && again.place.offset == row->place.offset);
    for (uint32_t i = 0; i < row->n; i++) {
        assert(again.cells[i].n == row->cells[i].n);
        assert(!row->cells[i].text == !again.cells[i].text);
        assert(!row->cells[i].text ||
               memcmp(again.cells[i].text, row->cells[i].text, row->cells[i].n + 1) == 0);
    }
}

static void read_rows(int fd)
{
    struct dump *dump = dump_new(fd, "fuzz"), *other = dump_new(fd, "fuzz");
    struct err err = { 0 };
    struct dump_row row;

    while (dump_next(dump, &row, &err) > 0)
        check_again(other, &row);
    dump_free(other);
    dump_free(dump);
}

static void tell(uint64_t n, void *ctx)
{
    (void)n;
    (void)ctx;
}

static void tell_rows(enum foreign_table table, uint64_t n, void *ctx)
{
    (void)table;
    (void)n;
    (void)ctx;
}

static void read_history(int fd)
{
    struct dump *dump = dump_new(fd, "fuzz");
    struct survey survey;
    struct foreign foreign = { 0 };
    struct plan plan = { 0 };
    struct err err = { 0 };

    if (survey_make(&survey, dump, NULL, "lab", tell, NULL, &err) == 0 &&
        foreign_make(&foreign, &survey, "lab", &err) == 0) {
        struct history history = {
            .survey = &survey, .foreign = &foreign, .plan = &plan, .tell = tell_rows
        };

        (void)history_run(&history, &err);
    }
    plan_clear(&plan);
    foreign_clear(&foreign);
    survey_clear(&survey);
    dump_free(dump);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);

    assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    read_rows(fd);
    read_history(fd);
    close(fd);
    return 0;
}
