/* select_document.h - how cpus are given out, in the words of Slurm's data parser. */
#pragma once

#include "common/json/writer.h"

#include <stdint.h>

/* Writes [ "CORE", "MEMORY" ] of enum select_flags (common/msg/node.h). */
void document_select(struct json_writer *json, const char *key, uint32_t select);
