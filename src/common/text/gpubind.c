#include "common/text/gpubind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

void gpu_bind_clear(struct gpu_bind *bind)
{
    free(bind->numbers);
    *bind = (struct gpu_bind){ 0 };
}

void gpu_bind_auto_(struct gpu_bind *bind)
{
    gpu_bind_clear(bind);
}

static int err_text(struct err *err, const char *text)
{
    return err_set(err, EINVAL, "'%.100s' is no way to bind gpus", text);
}

/* Adds "3" or "0x3" as often as "*4" behind it says. */
static int add_numbers(struct gpu_bind *bind, const char *word, const char *text, struct err *err)
{
    const bool masks = bind->kind == GPU_BIND_MASK;
    unsigned long long number, times = 1;
    char *end;

    errno = 0;
    number = strtoull(word, &end, masks ? 16 : 10);
    if (end != word && *end == '*' && end[1] >= '0' && end[1] <= '9')
        times = strtoull(end + 1, &end, 10);
    if (word[0] == '-' || end == word || *end || errno || times == 0 || (!masks && number >= 64) ||
        times > GPU_BIND_LIST_MAX - bind->numbers_n)
        return err_text(err, text);
    for (unsigned long long i = 0; i < times; i++)
        *ARRAY_PUSH(bind->numbers, bind->numbers_n) = number;
    return 0;
}

static int read_list(struct gpu_bind *bind, const char *list, const char *text, struct err *err)
{
    AUTO(words) struct words words = words_split(list, ",");
    int rc = words.n ? 0 : err_text(err, text);

    for (uint32_t i = 0; i < words.n && rc == 0; i++)
        rc = add_numbers(bind, words.at[i], text, err);
    return rc;
}

static int read_each(struct gpu_bind *bind, const char *count, const char *text, struct err *err)
{
    char *end;
    const unsigned long each = strtoul(count, &end, 10);

    if (*count < '0' || *count > '9' || *end || each == 0 || each > UINT16_MAX)
        return err_text(err, text);
    bind->each = (uint32_t)each;
    return 0;
}

static const struct {
    const char *prefix;
    enum gpu_bind_kind kind;
} kinds[] = {
    { "map_gpu:", GPU_BIND_MAP },   { "map:", GPU_BIND_MAP },
    { "mask_gpu:", GPU_BIND_MASK }, { "mask:", GPU_BIND_MASK },
    { "single:", GPU_BIND_SINGLE }, { "per_task:", GPU_BIND_PER_TASK },
};

static int read_kind(struct gpu_bind *bind, const char *at, const char *text, struct err *err)
{
    if (!*at || word_is(at, "none"))
        return 0;
    if (word_is(at, "closest")) {
        bind->kind = GPU_BIND_CLOSEST;
        return 0;
    }
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        const char *rest;

        if (!word_starts(at, kinds[i].prefix, &rest))
            continue;
        bind->kind = kinds[i].kind;
        if (bind->kind == GPU_BIND_MAP || bind->kind == GPU_BIND_MASK)
            return read_list(bind, rest, text, err);
        return read_each(bind, rest, text, err);
    }
    return err_text(err, text);
}

int gpu_bind_parse(const char *text, struct gpu_bind *ret, struct err *err)
{
    struct gpu_bind bind = { 0 };
    const char *at = text ? text : "";
    int rc;

    if (word_starts(at, "verbose,", &at) || word_starts(at, "v,", &at))
        bind.verbose = true;
    else if (!word_starts(at, "quiet,", &at))
        (void)word_starts(at, "q,", &at);
    rc = read_kind(&bind, at, text, err);
    if (rc < 0)
        gpu_bind_clear(&bind);
    else
        *ret = bind;
    return rc;
}

/* ---- choosing ---- */

static void choose_named(const struct gpu_bind *bind, const uint32_t *gpus, uint32_t gpus_n,
                         uint32_t local, struct bitset *ret)
{
    const uint64_t number = bind->numbers[local % bind->numbers_n];
    const uint64_t mask = bind->kind == GPU_BIND_MASK ? number : UINT64_C(1) << number;

    for (uint32_t i = 0; i < gpus_n; i++) {
        if (gpus[i] < 64 && mask & (UINT64_C(1) << gpus[i]))
            bitset_add(ret, i);
    }
}

void gpu_bind_choose(const struct gpu_bind *bind, const uint32_t *gpus, uint32_t gpus_n,
                     uint32_t local, struct bitset *ret)
{
    if (gpus_n == 0)
        return;
    switch (bind->kind) {
    case GPU_BIND_SINGLE:
        bitset_add(ret, local / bind->each % gpus_n);
        break;
    case GPU_BIND_PER_TASK:
        for (uint32_t i = 0; i < bind->each && i < gpus_n; i++)
            bitset_add(ret, (local * bind->each + i) % gpus_n);
        break;
    case GPU_BIND_MAP:
    case GPU_BIND_MASK:
        choose_named(bind, gpus, gpus_n, local, ret);
        break;
    case GPU_BIND_NONE:
    case GPU_BIND_CLOSEST:
        break;
    }
    if (bitset_count(ret) > 0)
        return;
    for (uint32_t i = 0; i < gpus_n; i++)
        bitset_add(ret, i);
}
