/* sanitizer.c - what the sanitizers are asked of every program; $ASAN_OPTIONS comes on top of it.
 */

const char *__asan_default_options(void);

/*
 * Behaviour that is undefined traps: the trap is to be reported, with where it was, rather than end
 * the program in silence. Memory that was freed is kept from use until 16 MB more have been freed,
 * rather than 256: a test that frees much spends a fifth of its time on fresh memory otherwise.
 */
const char *__asan_default_options(void)
{
    return "handle_sigill=1:quarantine_size_mb=16";
}
