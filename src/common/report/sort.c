#include "common/report/sort.h"

#include <string.h>

#include "common/text/words.h"

static int add_key(const struct report_table *table, const struct report_column *column,
                   bool is_falling, struct report_sort *sort, struct err *err)
{
    struct report_key key = { .column = column, .falling = is_falling };
    int rc = report_path_find(table, column, &key.path, err);

    if (rc < 0)
        return rc;
    if (sort->keys_n == REPORT_KEYS_MAX)
        return err_set(err, E_SYNTAX, "sort specification: more than %d keys", REPORT_KEYS_MAX);
    sort->keys[sort->keys_n++] = key;
    return 0;
}

/* Adds the keys of "P", "-p", "#P" or "P-t", which are one word. */
static int add_letters(const struct report_table *table, const char *at, struct report_sort *sort,
                       struct err *err)
{
    for (; *at; at++) {
        bool is_falling = *at == '-';

        at += *at == '-' || *at == '+';

        const struct report_column *column = report_find_letter(table, *at);

        if (!column)
            return err_set(err, E_SYNTAX, "Invalid sort specification: %.1s", at);
        if (*at == '#' && at[1])
            at++;

        int rc = add_key(table, column, is_falling, sort, err);

        if (rc < 0)
            return rc;
    }
    return 0;
}

static int add_word(const struct report_table *table, const char *word, struct report_sort *sort,
                    struct err *err)
{
    const char *name = word + (*word == '-' || *word == '+');
    const struct report_column *column = name[0] && name[1] ? report_find_name(table, name) : NULL;

    if (column)
        return add_key(table, column, *word == '-', sort, err);
    return add_letters(table, word, sort, err);
}

int report_sort_parse(const struct report_table *table, const char *text,
                      struct report_sort *ret_sort, struct err *err)
{
    AUTO(words) struct words words = words_split(text, ",");
    struct report_sort sort = { 0 };

    for (uint32_t i = 0; i < words.n; i++) {
        int rc = add_word(table, words.at[i], &sort, err);
        if (rc < 0)
            return rc;
    }
    *ret_sort = sort;
    return 0;
}

static int compare(const struct report_sort *sort, const struct report_sorted *a,
                   const struct report_sorted *b)
{
    for (uint32_t i = 0; i < sort->keys_n; i++) {
        int order = report_order_compare(&a->orders[i], &b->orders[i]);

        if (order && sort->keys[i].falling && a->orders[i].is_given == b->orders[i].is_given)
            order = -order;
        if (order)
            return order;
    }
    return 0;
}

/* Merges two sorted halves: qsort of the C library promises nothing about equal rows. */
static void merge(const struct report_sort *sort, struct report_sorted *rows, uint32_t n,
                  struct report_sorted *spare)
{
    uint32_t half = n / 2, a = 0, b = half, at = 0;

    if (n < 2)
        return;
    merge(sort, rows, half, spare);
    merge(sort, rows + half, n - half, spare);
    if (compare(sort, &rows[b], &rows[b - 1]) >= 0)
        return; /* as is usual: what is sorted comes in some order already */
    while (a < half && b < n)
        spare[at++] = compare(sort, &rows[b], &rows[a]) < 0 ? rows[b++] : rows[a++];
    while (a < half)
        spare[at++] = rows[a++];
    memcpy(rows, spare, at * sizeof(*rows)); /* what is left of b is in its place */
}

void report_sort_orders(const struct report_sort *sort, const struct report_context *ctx,
                        const void *row, struct report_order *ret_orders)
{
    for (uint32_t k = 0; k < sort->keys_n; k++)
        report_order_of(sort->keys[k].column, &sort->keys[k].path, ctx, row, &ret_orders[k]);
}

void report_sort_by_orders(const struct report_sort *sort, struct report_sorted *rows, uint32_t n)
{
    AUTO_FREE struct report_sorted *spare = xcalloc(n + 1, sizeof(*spare));

    merge(sort, rows, n, spare);
}

void report_sort_rows(const struct report_sort *sort, const struct report_context *ctx,
                      const void **rows, uint32_t n)
{
    AUTO_FREE struct report_sorted *sorted = xcalloc(n + 1, sizeof(*sorted));
    const uint32_t orders_n = n * sort->keys_n;
    AUTO_FREE struct report_order *orders = xcalloc(orders_n + 1, sizeof(*orders));

    for (uint32_t i = 0; i < n; i++) {
        sorted[i] = (struct report_sorted){ rows[i], &orders[i * sort->keys_n] };
        report_sort_orders(sort, ctx, rows[i], &orders[i * sort->keys_n]);
    }
    report_sort_by_orders(sort, sorted, n);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = sorted[i].row;
    for (uint32_t i = 0; i < orders_n; i++)
        free(orders[i].text);
}
