/*
 * The first byte chooses sbatch, srun or salloc; each line after it is a word of the command line,
 * and an input variable too. Whatever they say, an error has a code and a text, and the rest is
 * freed.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "cli/submit/environment.h"
#include "cli/submit/options.h"
#include "common/text/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Options that open a file would let the fuzzer read what it likes. */
static bool names_files(const char *text)
{
    return strchr(text, '/') || strchr(text, 'F') || strstr(text, "nodef");
}

static void parse(struct submit_options *options, struct words *words)
{
    struct err err = { 0 };
    int operand = 0;

    *ARRAY_PUSH(words->at, words->n) = NULL;
    words->n--;
    if (submit_options_parse(options, FROM_COMMAND_LINE, (int)words->n, words->at, &operand, &err) <
            0 ||
        submit_options_from_env(options, words->at, &err) < 0 ||
        submit_options_check(options, &err) < 0) {
        assert(err.code && err.text[0]);
        return;
    }
    AUTO(environment) struct environment environment = { 0 };

    environment_describe(&environment, options);
    assert(operand >= 0 && (uint32_t)operand <= words->n + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum submit_command commands[] = { SUBMIT_SBATCH, SUBMIT_SRUN, SUBMIT_SALLOC };
    struct submit_options options;
    AUTO_FREE char *text = NULL;
    AUTO(words) struct words words = { 0 };

    if (size < 2)
        return 0;
    text = xstrndup((const char *)data + 1, size - 1);
    if (names_files(text))
        return 0;
    words = words_split(text, "\n");
    submit_options_init(&options, commands[data[0] % ARRAY_N(commands)]);
    if (words.n)
        parse(&options, &words);
    submit_options_clear(&options);
    return 0;
}
