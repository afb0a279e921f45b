/* Words that were split, when quoted again, are split into the same words. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "cli/submit/directive.h"
#include "cli/submit/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_quoted(struct strbuf *out, const char *word)
{
    strbuf_adds(out, " \"");
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            strbuf_addc(out, '\\');
        strbuf_addc(out, *word);
    }
    strbuf_addc(out, '"');
}

static void check_quoted(const struct directive *directive)
{
    AUTO(strbuf) struct strbuf line = { 0 };
    AUTO(directives) struct directives again = { 0 };

    strbuf_adds(&line, "#SBATCH");
    for (uint32_t i = 1; i < directive->words_n; i++)
        add_quoted(&line, directive->words[i]);
    if (line.len > DIRECTIVE_LINE_MAX)
        return;
    int rc = directives_parse(line.data, line.len, DIRECTIVE_MAGIC, &again, NULL);
    assert(rc == 0 && again.n == 1 && again.at[0].words_n == directive->words_n);
    for (uint32_t i = 1; i < directive->words_n; i++)
        assert(strcmp(again.at[0].words[i], directive->words[i]) == 0);
    (void)rc;
}

/* Options that open a file would let the fuzzer read what it likes. */
static bool names_files(const uint8_t *data, size_t size)
{
    return memchr(data, '/', size) || memchr(data, 'F', size) || memmem(data, size, "nodef", 5);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(directives) struct directives found = { 0 };
    struct err err = { 0 };

    if (directives_parse((const char *)data, size, DIRECTIVE_MAGIC, &found, &err) < 0) {
        assert(err.code && err.text[0]);
        return 0;
    }
    for (uint32_t i = 0; i < found.n; i++)
        check_quoted(&found.at[i]);
    if (size > 0 && !names_files(data, size)) {
        AUTO(submit_options) struct submit_options options;

        submit_options_init(&options, SUBMIT_SBATCH);
        if (script_apply_directives("fuzz", (const char *)data, size, &options, &err) == 0)
            submit_options_check(&options, &err);
    }
    return 0;
}
