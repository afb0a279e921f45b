/* sanitizer.c - what the sanitizers are asked of every program; $ASAN_OPTIONS comes on top of it.
 */

const char *__asan_default_options(void);

/* Behaviour that is undefined traps: the trap is to be reported, with where it was, rather than end
 * the program in silence. */
const char *__asan_default_options(void)
{
    return "handle_sigill=1";
}
