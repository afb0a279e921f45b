/*
 * body.h - the bodies of jobs in memory: one for each name, however many jobs have it.
 *
 * The model owns them; a body lives as long as somebody counts on it: each job does on its own.
 */
#pragma once

#include "ctld/model/model.h"

struct body {
    uint8_t sha256[SHA256_BYTES];
    struct job_body msg; /* never changes */
    uint32_t users_n;
    UT_hash_handle hh; /* of model->bodies */
};

/* Returns the body of that name; NULL: no job in memory has it. */
struct body *model_find_body(const struct model *model, const uint8_t sha256[SHA256_BYTES]);

/* Returns the body of that name, made from a copy of `msg` where there is none; to be given to
 * body_unref. */
struct body *body_ref(struct model *model, const uint8_t sha256[SHA256_BYTES],
                      const struct job_body *msg);

/* Gives back one use of a body, which may be NULL. */
void body_unref(struct model *model, struct body *body);

/* Gives the job that body from now on; its record names it. */
void job_set_body(struct model *model, struct job *job, struct body *body);
