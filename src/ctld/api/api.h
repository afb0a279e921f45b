/*
 * api.h - what the controller can be asked: one handler a request, all in tables.
 *
 * To add a request: declare its messages (common/msg), write the handler in the file of its group,
 * add a row to that file's table.
 */
#pragma once

#include "common/base/bitset.h"
#include "ctld/dispatch/conn.h"
#include "ctld/dispatch/watch.h"

/* Returns the handler of a message type, or NULL. */
const struct handler *api_find(uint32_t type);

extern const struct handler job_handlers[], list_handlers[], node_list_handlers[],
    history_handlers[], report_handlers[], node_handlers[], partition_handlers[], kept_handlers[],
    event_handlers[], admin_handlers[], daemon_handlers[], setting_handlers[], import_handlers[],
    move_handlers[], archive_handlers[], amend_handlers[], reservation_handlers[];
extern const size_t job_handlers_n, list_handlers_n, node_list_handlers_n, history_handlers_n,
    report_handlers_n, node_handlers_n, partition_handlers_n, kept_handlers_n, event_handlers_n,
    admin_handlers_n, daemon_handlers_n, setting_handlers_n, import_handlers_n, move_handlers_n,
    archive_handlers_n, amend_handlers_n, reservation_handlers_n;

/* Answers with the bytes of a blob, read from the store. */
void api_send_blob(struct request *request, const uint8_t sha256[SHA256_BYTES]);

/* Sends the script or environment of a job that only the history has. A user who may not read it is
 * told so. */
void api_send_job_blob(struct request *request, struct store *store, const struct job_script *ask);

/* True if a filter's list has the number or text, or is empty. */
bool api_lists_number(const uint32_t *numbers, uint32_t n, uint32_t wanted);

bool api_lists_text(char *const *texts, uint32_t n, const char *wanted);

/* Returns the store that has the history of a cluster, or NULL: nothing is known of it. `cluster`
 * NULL is that of who asks. */
struct store *api_history_of(const struct request *request, const char *cluster);

/* Fails with E_ACCESS where PrivateData keeps this (one CONF_PRIVATE_) from who asks: operators are
 * told all. */
int api_check_private(const struct request *request, uint32_t data, struct err *err);

/* Makes the set of partitions, by index, that are not shown unless asked for. */
void api_hidden_partitions(const struct request *request, struct bitset *ret);

/* Hides the tokens of a step, which admit whoever knows them. Their memory stays with whoever has
 * it: `spec` borrows what it points to. It may be NULL. */
void api_hide_tokens(struct step_spec *spec);
