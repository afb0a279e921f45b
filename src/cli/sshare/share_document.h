/* share_document.h - associations as members of --json and --yaml. */
#pragma once

#include "cli/lib/document.h"
#include "common/msg/share.h"

/* Writes the association as an object of a list. */
void share_document(const struct share_info *info, struct json_writer *json);
