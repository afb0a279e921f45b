#include "cli/doctor/skew.h"

int64_t skew_s(int64_t asked_s, int64_t told_s, int64_t heard_s)
{
    if (told_s < asked_s)
        return asked_s - told_s;
    return told_s > heard_s ? heard_s - told_s : 0;
}
