/*
 * follow.h - a request whose answer is the life of a job or a step: JOB_ALLOCATE, STEP_RUN,
 * JOB_ATTACH.
 *
 * Runs on the client's loop. When the connection breaks it is made again, for as long as it takes,
 * and the stream taken up by JOB_ATTACH; when nothing had come yet, the request is sent again, and
 * its token keeps that from making a second job or step. Borrows client, request and blobs.
 */
#pragma once

#include "common/client/client.h"
#include "common/msg/job.h"

struct follow_callbacks {
    void (*on_job)(const struct job_event *event, void *ctx);   /* may be NULL */
    void (*on_step)(const struct step_event *event, void *ctx); /* may be NULL */
    void (*on_lost)(const struct err *why, void *ctx); /* may be NULL: trying again from now on */
    void (*on_back)(void *ctx);                        /* may be NULL */
    /* Called last, when the stream is over; `why` is NULL when it ended well. */
    void (*on_over)(const struct err *why, void *ctx);
};

struct follow_request {
    uint32_t type;
    const void *msg;
    const struct strbuf *blob; /* that msg names; NULL is none */
    const struct blob *sha256; /* of the blob */
    const char *token;         /* of the spec in msg, or NULL */
    uint32_t job_id;           /* as far as known, else 0 */
    uint32_t step_id; /* of STEP_RUN and JOB_ATTACH to a step once known, else COUNT_UNSET */
};

struct follow;

struct follow *follow_new(struct client *client, const struct follow_request *request,
                          const struct follow_callbacks *callbacks, void *ctx);

/* Frees the follow; NULL is fine. Returns NULL. No callback runs after it. */
struct follow *follow_free(struct follow *follow);

/* True if the connection is up. */
bool follow_is_up(const struct follow *follow);
