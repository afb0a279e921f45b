/*
 * request.h - a job's request understood once: when it is accepted, altered, loaded, requeued or
 * split off an array, and when the configuration is another.
 */
#pragma once

#include "ctld/model/model.h"
#include "ctld/model/request.h"

/*
 * Reads what the record's spec asks for, for the partition of that number, or PARTITION_NONE. `ret`
 * is cleared first. What the configuration does not know (any more) is left out and makes it
 * unreadable: the job then waits, whatever else it asks for.
 */
void request_read(const struct model *model, const struct job_spec *spec, uint32_t partition,
                  struct job_request *ret);

/* Reads the request of a job that is there. */
void job_read_request(const struct model *model, struct job *job);
