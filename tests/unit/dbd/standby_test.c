#include "unit/check_main.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "dbd/standby.h"

#define ELSEWHERE     "192.0.2.1" /* for documents: no machine has it */
#define ELSEWHERE_TOO "240.0.0.2"

static char here[256];

/* Returns what is said of a pair; *ret_rank is set if it may be one. */
static const char *try_pair(const char *first, const char *backup, uint32_t storage,
                            enum dbd_rank *ret_rank)
{
    static struct err err;
    const struct conf_dbd conf = { .host = (char *)(uintptr_t)first,
                                   .backup_host = (char *)(uintptr_t)backup,
                                   .storage = storage };

    gethostname(here, sizeof(here) - 1);
    err = (struct err){ 0 };
    return dbd_find_rank(&conf, "slurmdbd.conf", ret_rank, &err) < 0 ? err.text : NULL;
}

START_TEST(a_slurmdbd_knows_which_of_the_two_it_is)
{
    const struct {
        const char *first, *backup;
        uint32_t storage;
        enum dbd_rank rank;
    } rows[] = { { here, NULL, CONF_DBD_SQLITE, DBD_ALONE },
                 { ELSEWHERE, NULL, CONF_DBD_MYSQL, DBD_ALONE },
                 { here, ELSEWHERE, CONF_DBD_MYSQL, DBD_FIRST },
                 { ELSEWHERE, here, CONF_DBD_MYSQL, DBD_BACKUP } };

    gethostname(here, sizeof(here) - 1);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        enum dbd_rank rank = DBD_ALONE;
        const char *said = try_pair(rows[i].first, rows[i].backup, rows[i].storage, &rank);

        ck_assert_msg(!said, "row %zu: %s", i, said);
        ck_assert_msg(rank == rows[i].rank, "row %zu: %d", i, rank);
    }
}
END_TEST

START_TEST(what_is_no_pair_is_refused_in_words)
{
    const struct {
        const char *first, *backup;
        uint32_t storage;
        const char *said;
    } rows[] = { { here, ELSEWHERE, CONF_DBD_SQLITE, "needs StorageType=accounting_storage/mysql" },
                 { "localhost", ELSEWHERE, CONF_DBD_MYSQL, "is each machine itself" },
                 { "127.0.0.1", ELSEWHERE, CONF_DBD_MYSQL, "is each machine itself" },
                 { NULL, ELSEWHERE, CONF_DBD_MYSQL, "is each machine itself" },
                 { ELSEWHERE, ELSEWHERE, CONF_DBD_MYSQL, "are both " ELSEWHERE },
                 { ELSEWHERE, ELSEWHERE_TOO, CONF_DBD_MYSQL, "start slurmdbd there" } };

    gethostname(here, sizeof(here) - 1);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        enum dbd_rank rank;
        const char *said = try_pair(rows[i].first, rows[i].backup, rows[i].storage, &rank);

        ck_assert_msg(said && strstr(said, rows[i].said), "row %zu: %s", i, said ? said : "fine");
    }
}
END_TEST

CHECK_MAIN(standby, CASE(a_slurmdbd_knows_which_of_the_two_it_is),
           CASE(what_is_no_pair_is_refused_in_words))
