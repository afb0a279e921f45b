/* sanitizer.c - what the sanitizers are asked of every program; $ASAN_OPTIONS comes on top of it.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

/*
 * Behaviour that is undefined traps: the trap is to be reported, with where it was, rather than end
 * the program in silence. Memory that was freed is kept from use until 16 MB more have been freed,
 * rather than 256: a test that frees much spends a fifth of its time on fresh memory otherwise.
 */
#define FOR_ALL "handle_sigill=1:quarantine_size_mb=16"

/*
 * The tests of the cluster run these commands ten thousand times. To look for leaks at the end and
 * to fence every string constant at the start takes longer than all that such a command does, so
 * they are only done where $ASAN_OPTIONS asks for them: the tables of command lines ask for it in
 * one call of five (tests/cluster/query/play.py).
 */
#define FOR_SHORT_ONES FOR_ALL ":detect_leaks=0:report_globals=0"
static const char SHORT_ONES[] = " sacct sbatch scancel scontrol sdiag sinfo sprio squeue ";

/* Nothing is there yet that instrumented code needs, nor are the functions of libc that are
 * watched. */
#define BEFORE_ALL __attribute__((no_sanitize_address, no_sanitize_undefined))

/* read_own_name: the name this program was started by, at most CAPACITY - 1 bytes; returns its
 * length. */
static BEFORE_ALL size_t read_own_name(char *name, size_t capacity)
{
    int fd = (int)syscall(SYS_open, "/proc/self/comm", O_RDONLY);
    if (fd < 0)
        return 0;
    long length = syscall(SYS_read, fd, name, capacity);
    syscall(SYS_close, fd);
    return length > 1 ? (size_t)length - 1 : 0; // the last one ends the line
}

static BEFORE_ALL bool is_short_one(const char *name, size_t length)
{
    for (const char *at = SHORT_ONES; *at != '\0'; at++) {
        size_t same = 0;
        while (same < length && at[1 + same] == name[same])
            same++;
        if (*at == ' ' && same == length && at[1 + same] == ' ')
            return length > 0;
    }
    return false;
}

BEFORE_ALL const char *__asan_default_options(void)
{
    char name[32];
    size_t length = read_own_name(name, sizeof name);
    return is_short_one(name, length) ? FOR_SHORT_ONES : FOR_ALL;
}

/* Excuses what cgroup_init of libcgroup allocates, which no function of the library frees. */
const char *__lsan_default_suppressions(void)
{
    return "leak:cgroup_init\n";
}

/* Keeps the suppression itself from being reported. */
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
