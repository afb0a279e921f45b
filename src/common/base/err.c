#include "common/base/err.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CODE_MAX 65535u /* there are no larger error numbers */

int err_fill(struct err *err, int code, const char *fmt, ...)
{
    va_list args;

    if (err) {
        err->code = code;
        va_start(args, fmt);
        vsnprintf(err->text, sizeof(err->text), fmt, args);
        va_end(args);
    }
    return -code;
}

int err_fill_prefix(struct err *err, const char *fmt, ...)
{
    char below[ERR_TEXT_MAX];
    va_list args;
    size_t used;

    if (!err)
        return -EINVAL;
    memcpy(below, err->text, sizeof(below));
    va_start(args, fmt);
    vsnprintf(err->text, sizeof(err->text), fmt, args);
    va_end(args);
    used = strlen(err->text);
    snprintf(err->text + used, sizeof(err->text) - used, ": %s", below);
    return -err->code;
}

int err_code_from(uint32_t code)
{
    return code > 0 && code <= CODE_MAX ? (int)code : E_PROTO;
}

const char *err_string(int code)
{
    static const struct {
        int code;
        const char *text;
    } known[] = {
#define ERR_CODE_ROW(name, number, text) { number, text },
        ERR_CODES(ERR_CODE_ROW)
#undef ERR_CODE_ROW
    };

    code = code < 0 && code >= -INT_MAX ? -code : code;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].code == code)
            return known[i].text;
    }
    return strerror(code);
}
