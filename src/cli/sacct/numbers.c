#include "cli/sacct/numbers.h"

#include "common/text/words.h"

int acct_numbers_load_qos(struct acct_numbers *numbers, struct client *client, struct err *err)
{
    return numbers->qos.schema ? 0 : records_load_all(client, KEPT_QOS, &numbers->qos, err);
}

int acct_numbers_load(struct acct_numbers *numbers, struct client *client, struct err *err)
{
    int rc = records_load_all(client, KEPT_ASSOC, &numbers->assocs, err);

    if (rc == 0)
        rc = acct_numbers_load_qos(numbers, client, err);
    if (rc == 0)
        rc = records_load_all(client, KEPT_WCKEY, &numbers->wckeys, err);
    if (rc < 0)
        return rc;
    numbers->by_key = by_key_make(KEPT_ASSOC, &numbers->assocs);
    numbers->wckeys_by_key = by_key_make(KEPT_WCKEY, &numbers->wckeys);
    return 0;
}

void acct_numbers_clear(struct acct_numbers *numbers)
{
    records_clear(&numbers->assocs);
    records_clear(&numbers->qos);
    records_clear(&numbers->wckeys);
    by_key_clear(&numbers->by_key);
    by_key_clear(&numbers->wckeys_by_key);
}

static uint32_t find(const struct acct_numbers *numbers, const char *cluster,
                     const struct job_record *job, const char *partition)
{
    AUTO_FREE char *key = acct_assoc_key(cluster, job->spec->account, job->user_name, partition);
    const struct assoc_record *found = by_key_find(&numbers->by_key, key);

    return found ? found->id : 0;
}

uint32_t acct_number_of_assoc(const struct acct_numbers *numbers, const char *cluster,
                              const struct job_record *job)
{
    uint32_t number;

    if (!numbers || !job->spec->account || !job->user_name)
        return 0;
    number = find(numbers, cluster, job, job->partition);
    return number ? number : find(numbers, cluster, job, NULL);
}

uint32_t acct_number_of_wckey(const struct acct_numbers *numbers, const char *cluster,
                              const struct job_record *job)
{
    const char *name = job_wckey(job);
    AUTO_FREE char *key = numbers && job->user_name
                              ? acct_wckey_key(cluster, job->user_name, name ? name : "")
                              : NULL;
    const struct wckey_record *found = key ? by_key_find(&numbers->wckeys_by_key, key) : NULL;

    return found ? found->id : 0;
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
