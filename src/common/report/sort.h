/*
 * sort.h - rows in the order that -S asks for: "P,t,-p".
 *
 * Keys are letters of a table's columns, or their long names, each with '+' or '-' before it; rows
 * that are equal in all keys keep their order. Pure.
 */
#pragma once

#include "common/report/column.h"

#define REPORT_KEYS_MAX 16

struct report_key {
    const struct report_column *column;
    struct report_path path;
    bool falling;
};

struct report_sort {
    struct report_key keys[REPORT_KEYS_MAX];
    uint32_t keys_n;
};

/*
 * Parses the value of -S. "#P" is the column with the letter '#': the order of the configuration,
 * when a table has one. Fails with E_SYNTAX, naming the key, for what is no column.
 */
int report_sort_parse(const struct report_table *table, const char *text,
                      struct report_sort *ret_sort, struct err *err);

/* A row with its place in each key. */
struct report_sorted {
    const void *row;
    const struct report_order *orders; /* keys_n */
};

/* Works out the place of a row in each of the keys_n keys. The caller frees their texts. */
void report_sort_orders(const struct report_sort *sort, const struct report_context *ctx,
                        const void *row, struct report_order *ret_orders);

/* Sorts rows by their `orders`. */
void report_sort_by_orders(const struct report_sort *sort, struct report_sorted *rows, uint32_t n);

/*
 * Sorts pointers to rows. Rows without a value in a key come last there, whether it rises or falls.
 */
void report_sort_rows(const struct report_sort *sort, const struct report_context *ctx,
                      const void **rows, uint32_t n);
