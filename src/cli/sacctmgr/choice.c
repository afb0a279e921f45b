#include "cli/sacctmgr/choice.h"

#include <stdio.h>
#include <string.h>

#include "cli/lib/qos_names.h"

bool choice_fits(const struct words *words, const char *text)
{
    return words->n == 0 || (text && words_have(words, text));
}

bool choice_fits_number(const struct words *words, uint32_t number)
{
    AUTO_FREE char *text = xasprintf("%u", number);

    return choice_fits(words, text);
}

static bool fits_number(const struct words *words, int (*find)(const char *word), uint32_t number)
{
    for (uint32_t i = 0; i < words->n; i++) {
        if (find(words->at[i]) == (int)number)
            return true;
    }
    return words->n == 0;
}

bool choice_fits_level(const struct words *words, uint32_t level)
{
    return fits_number(words, admin_level_find, level);
}

bool choice_fits_mode(const struct words *words, uint32_t mode)
{
    return fits_number(words, qos_preempt_mode_find, mode);
}

bool choice_has_wckey(const struct words *names, const struct book *book, const char *user,
                      bool as_default)
{
    for (uint32_t i = 0; i < book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&book->wckeys, i);

        if (!wckey->deleted && strcmp(wckey->user, user) == 0 && choice_fits(names, wckey->name) &&
            (wckey->is_default || !as_default))
            return true;
    }
    return names->n == 0;
}

void choice_of_clusters(struct mgr *mgr, const struct book *book, struct words *clusters)
{
    uint32_t kept = 0;
    const bool is_all = clusters->n == 0;

    for (uint32_t i = 0; i < clusters->n; i++) {
        if (book_cluster(book, clusters->at[i])) {
            clusters->at[kept++] = clusters->at[i];
            continue;
        }
        mgr_refuse(mgr, " This cluster '%s' doesn't exist.", clusters->at[i]);
        puts("        Contact your admin to add it to accounting.");
        free(clusters->at[i]);
    }
    clusters->n = kept;
    for (uint32_t i = 0; is_all && i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);

        if (!cluster->deleted)
            words_add(clusters, cluster->name, ",");
    }
    if (is_all && clusters->n == 0)
        mgr_refuse(mgr,
                   " There is no cluster yet: its slurmctld adds it, or `sacctmgr add cluster`.");
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void choice_sort(struct words *names)
{
    if (names->n)
        qsort(names->at, names->n, sizeof(*names->at), compare);
}

int choice_bad_qos(const struct book *book, const char *name, struct err *err)
{
    return qos_refuse(&book->qos, name, err);
}

void choice_say_default_qos(const struct assoc_record *assoc)
{
    printf("  DefQOS = %-10.10s C = %-10.10s A = %-20.20s", assoc->default_qos, assoc->cluster,
           assoc->account);
    if (assoc->user)
        printf(" U = %-9.9s", assoc->user);
    putchar('\n');
}
