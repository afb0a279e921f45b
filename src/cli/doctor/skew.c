#include "cli/doctor/skew.h"

#define MUCH_S 3

int64_t skew_s(int64_t asked_s, int64_t told_s, int64_t heard_s)
{
    if (told_s < asked_s)
        return asked_s - told_s;
    return told_s > heard_s ? heard_s - told_s : 0;
}

bool skew_is_much(int64_t skew_s)
{
    return skew_s > MUCH_S || skew_s < -MUCH_S;
}
