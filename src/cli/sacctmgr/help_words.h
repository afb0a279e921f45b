/* help_words.h - the words that `sacctmgr help` tells of each entity: lines, the last one NULL. */
#pragma once

extern const char *const help_words[];
