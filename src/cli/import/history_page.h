/*
 * history_page.h - jobs that go to the controller in one request. For history.c alone.
 */
#pragma once

#include "cli/import/history.h"
#include "common/msg/import.h"

/* `struct history_page page = { .history = history };` */
struct history_page {
    struct history *history;
    struct import_page msg; /* what is gathered */
    size_t size;            /* of it, encoded */
    uint64_t *hashes;       /* of scripts and environments that are in it */
    uint32_t hashes_n;
};

void history_page_init(struct history_page *page, struct history *history);
void history_page_clear(struct history_page *page);

/* The largest job with its steps that a page takes, encoded. */
#define HISTORY_JOB_MAX (700u << 10)

/* Takes over a job, with the runs before it and the blobs that they name, which it clears. Sends
 * the page first when there is no room. */
struct history_blob {
    uint64_t hash; /* by which the database knows it; odd for environments */
    struct blob data;
};
int history_page_add(struct history_page *page, struct history_job *jobs, uint32_t jobs_n,
                     struct history_blob *blobs, uint32_t blobs_n, struct err *err);

/* Sends what is gathered, but for what the controller has. */
int history_page_send(struct history_page *page, struct err *err);
