#include "cli/import/foreign.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"

#define COMPARE(a, b) ((a) < (b) ? -1 : (a) > (b))

static int compare_names(const void *a, const void *b)
{
    return COMPARE(((const struct foreign_name *)a)->id, ((const struct foreign_name *)b)->id);
}

static int compare_assocs(const void *a, const void *b)
{
    return COMPARE(((const struct foreign_assoc *)a)->id, ((const struct foreign_assoc *)b)->id);
}

static void add_name(struct foreign_names *names, uint64_t id, const char *name)
{
    if (name)
        *ARRAY_PUSH(names->at, names->n) = (struct foreign_name){ id, name };
}

static void sort_names(struct foreign_names *names)
{
    if (names->n)
        qsort(names->at, names->n, sizeof(*names->at), compare_names);
}

static const char *find_name(const struct foreign_names *names, uint64_t id)
{
    const struct foreign_name key = { .id = id };
    const struct foreign_name *found =
        names->n ? bsearch(&key, names->at, names->n, sizeof(key), compare_names) : NULL;

    return found ? found->name : NULL;
}

/* Makes "type" or "type/name". */
static void read_tres(struct foreign *foreign, struct foreign_row *row)
{
    const char *type = foreign_text(row, TRES_type), *name = foreign_text(row, TRES_name);
    const uint32_t id = foreign_u32(row, TRES_id, 0);

    if (!type)
        return;
    *ARRAY_PUSH(foreign->owned, foreign->owned_n) =
        name ? xasprintf("%s/%s", type, name) : xstrdup(type);
    add_name(&foreign->tres, id, foreign->owned[foreign->owned_n - 1]);
}

static void read_qos(struct foreign *foreign, struct foreign_row *row)
{
    add_name(&foreign->qos, foreign_u32(row, QOS_id, 0), foreign_text(row, QOS_name));
}

static void read_resv(struct foreign *foreign, struct foreign_row *row)
{
    add_name(&foreign->resvs, foreign_u32(row, RESV_id_resv, 0), foreign_text(row, RESV_resv_name));
}

static void read_assoc(struct foreign *foreign, struct foreign_row *row)
{
    *ARRAY_PUSH(foreign->assocs, foreign->assocs_n) =
        (struct foreign_assoc){ .id = foreign_u32(row, ASSOC_id_assoc, 0),
                                .user = foreign_text(row, ASSOC_user),
                                .account = foreign_text(row, ASSOC_acct),
                                .partition = foreign_text(row, ASSOC_partition) };
}

static int read_table(struct foreign *foreign, enum foreign_table table,
                      void (*read)(struct foreign *foreign, struct foreign_row *row),
                      struct err *err)
{
    const struct kept_rows *rows = &foreign->survey->tables[table];

    for (uint32_t i = 0; i < rows->n; i++) {
        struct foreign_row row = survey_kept(foreign->survey, &rows->at[i]);

        if (rows->at[i].cluster && !survey_is_of_cluster(foreign->survey, rows->at[i].cluster))
            continue;
        read(foreign, &row);
        if (row.err.code)
            return foreign_error(&row, err);
    }
    return 0;
}

static void sort_all(struct foreign *foreign)
{
    sort_names(&foreign->tres);
    sort_names(&foreign->qos);
    sort_names(&foreign->resvs);
    if (foreign->assocs_n)
        qsort(foreign->assocs, foreign->assocs_n, sizeof(*foreign->assocs), compare_assocs);
}

int foreign_make(struct foreign *foreign, const struct survey *survey, const char *own_cluster,
                 struct err *err)
{
    int rc;

    *foreign = (struct foreign){ .survey = survey,
                                 .own_cluster = own_cluster,
                                 .people = xcalloc(1, sizeof(*foreign->people)) };
    rc = read_table(foreign, FOREIGN_TRES, read_tres, err);
    if (rc == 0)
        rc = read_table(foreign, FOREIGN_QOS, read_qos, err);
    if (rc == 0)
        rc = read_table(foreign, FOREIGN_RESV, read_resv, err);
    if (rc == 0)
        rc = read_table(foreign, FOREIGN_ASSOC, read_assoc, err);
    sort_all(foreign);
    return rc;
}

void foreign_make_own(struct foreign *foreign, const struct survey *survey, const struct book *book,
                      const char *own_cluster)
{
    *foreign = (struct foreign){ .survey = survey,
                                 .own_cluster = own_cluster,
                                 .people = xcalloc(1, sizeof(*foreign->people)) };
    for (uint32_t i = 0; i < book->tres.n; i++) {
        const struct tres_record *tres = record_at(&book->tres, i);

        add_name(&foreign->tres, tres->id, tres->name);
    }
    for (uint32_t i = 0; i < book->qos.n; i++) {
        const struct qos_record *qos = record_at(&book->qos, i);

        add_name(&foreign->qos, qos->id, qos->name);
    }
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (strcmp(assoc->cluster, own_cluster) == 0)
            *ARRAY_PUSH(foreign->assocs, foreign->assocs_n) =
                (struct foreign_assoc){ assoc->id, assoc->user, assoc->account, assoc->partition };
    }
    sort_all(foreign);
}

void foreign_clear(struct foreign *foreign)
{
    for (uint32_t i = 0; i < foreign->owned_n; i++)
        free(foreign->owned[i]);
    free(foreign->owned);
    free(foreign->tres.at);
    free(foreign->qos.at);
    free(foreign->resvs.at);
    free(foreign->assocs);
    if (foreign->people)
        people_clear(foreign->people);
    free(foreign->people);
    *foreign = (struct foreign){ 0 };
}

const char *foreign_tres(const struct foreign *foreign, uint64_t id)
{
    return find_name(&foreign->tres, id);
}

const char *foreign_qos(const struct foreign *foreign, uint64_t id)
{
    return find_name(&foreign->qos, id);
}

const char *foreign_resv(const struct foreign *foreign, uint64_t id)
{
    return find_name(&foreign->resvs, id);
}

const struct foreign_assoc *foreign_assoc(const struct foreign *foreign, uint32_t id)
{
    const struct foreign_assoc key = { .id = id };

    return foreign->assocs_n
               ? bsearch(&key, foreign->assocs, foreign->assocs_n, sizeof(key), compare_assocs)
               : NULL;
}

const char *foreign_user(const struct foreign *foreign, uint32_t uid)
{
    return people_user(foreign->people, uid);
}

const char *foreign_group(const struct foreign *foreign, uint32_t gid)
{
    return people_group(foreign->people, gid);
}

const char *foreign_cluster(const struct foreign *foreign, const char *name)
{
    return survey_is_of_cluster(foreign->survey, name) ? foreign->own_cluster : name;
}
