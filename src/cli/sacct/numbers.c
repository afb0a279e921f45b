#include "cli/sacct/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "common/text/words.h"

static int compare_keys(const void *a, const void *b)
{
    const struct assoc_record *left = *(const struct assoc_record *const *)a;
    const struct assoc_record *right = *(const struct assoc_record *const *)b;

    return strcmp(left->key, right->key);
}

int acct_numbers_load(struct acct_numbers *numbers, struct client *client, struct err *err)
{
    int rc = records_load_all(client, KEPT_ASSOC, &numbers->assocs, err);

    if (rc == 0)
        rc = records_load_all(client, KEPT_QOS, &numbers->qos, err);
    if (rc < 0)
        return rc;
    numbers->by_key = xcalloc((size_t)numbers->assocs.n + 1, sizeof(const struct assoc_record *));
    for (uint32_t i = 0; i < numbers->assocs.n; i++)
        numbers->by_key[i] = record_at(&numbers->assocs, i);
    qsort(numbers->by_key, numbers->assocs.n, sizeof(*numbers->by_key), compare_keys);
    return 0;
}

void acct_numbers_clear(struct acct_numbers *numbers)
{
    records_clear(&numbers->assocs);
    records_clear(&numbers->qos);
    free(numbers->by_key);
    *numbers = (struct acct_numbers){ 0 };
}

static uint32_t find(const struct acct_numbers *numbers, const char *cluster,
                     const struct job_record *job, const char *partition)
{
    AUTO_FREE char *key = acct_assoc_key(cluster, job->spec->account, job->user_name, partition);
    const struct assoc_record wanted = { .key = key }, *at = &wanted;
    const struct assoc_record *const *found =
        bsearch(&at, numbers->by_key, numbers->assocs.n, sizeof(*numbers->by_key), compare_keys);

    return found ? (*found)->id : 0;
}

uint32_t acct_number_of_assoc(const struct acct_numbers *numbers, const char *cluster,
                              const struct job_record *job)
{
    uint32_t number;

    if (!numbers || !numbers->by_key || !job->spec->account || !job->user_name)
        return 0;
    number = find(numbers, cluster, job, job->partition);
    return number ? number : find(numbers, cluster, job, NULL);
}

uint32_t acct_number_of_qos(const struct acct_numbers *numbers, const struct job_record *job)
{
    for (uint32_t i = 0; numbers && job->spec->qos && i < numbers->qos.n; i++) {
        const struct qos_record *qos = record_at(&numbers->qos, i);

        if (word_is(qos->name, job->spec->qos))
            return qos->id;
    }
    return 0;
}
