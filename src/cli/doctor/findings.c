#include "cli/doctor/findings.h"

#include "common/base/plain.h"

void doctor_find(struct doctor *doctor, char *mend, const char *fmt, ...)
{
    struct strbuf fact = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&fact, fmt, args);
    va_end(args);
    plain_escape(&fact, 0);
    *ARRAY_PUSH(doctor->findings, doctor->findings_n) =
        (struct finding){ .fact = strbuf_steal(&fact), .mend = mend };
}

void doctor_clear(struct doctor *doctor)
{
    for (uint32_t i = 0; i < doctor->findings_n; i++) {
        free(doctor->findings[i].fact);
        free(doctor->findings[i].mend);
    }
    free(doctor->findings);
    *doctor = (struct doctor){ 0 };
}

void doctor_auto_(struct doctor *doctor)
{
    doctor_clear(doctor);
}
