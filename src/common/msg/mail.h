/* mail.h - a message of one line about a job for its owner, as MailProg gets it. */
#pragma once

#include "common/schema/schema.h"

#define MAIL(FIELD, LIST, PART)                                                                    \
    FIELD(2, STR, to, FIELD_REQUIRED, "user or address")                                           \
    FIELD(3, STR, subject, FIELD_REQUIRED, "all that there is to say")                             \
    FIELD(4, STRS, environment, 0, "NAME=value: the program's environment")
SCHEMA_DECLARE(mail, MAIL);
