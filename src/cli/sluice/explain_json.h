/*
 * explain_json.h - where a job stands, for programs. Pure.
 */
#pragma once

#include "cli/sluice/advice.h"
#include "cli/sluice/standing.h"
#include "common/json/writer.h"

/*
 * Writes one object: job_id, array_task, name, user, partition, state, reason and its text, since
 * when and where a job runs; for a waiting job what it lacks, how nodes stand to what it asks, who
 * holds that, which nodes are out, the planned start with how sure it is ("limits": a promise if
 * jobs use up their limits, "forecast", "begin"), and changes that would start it sooner. Times are
 * seconds of the wall clock; members without a value are null.
 */
void explain_json(const struct job_info *info, const struct standing *standing,
                  const struct advice *advice, struct json_writer *json);
