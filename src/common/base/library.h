/*
 * library.h - a shared library that is opened when it is first called.
 *
 * The dynamic loader relocates every linked library at every start, used or not: more than half
 * of what a command takes. So a library that few roles call is not linked. One file of the folder
 * that owns it defines the functions which are used, under their own names, by a FORWARD each; its
 * header stays the declaration, and who calls a function sees no difference. A function without
 * its FORWARD is an undefined reference when the program is linked.
 *
 * A library that cannot be opened, or lacks a function, ends the process and says so: the package
 * depends on it as if it were linked. Who can go on without asks library_open first. Any thread may
 * call.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct library {
    const char *file;              /* as the loader looks it up, "libz.so.1" */
    void *handle;                  /* NULL until the first call */
    void (*on_open)(void *handle); /* once, before that call; NULL: nothing to do */
};

/*
 * LIBRARY(libz, "libz.so.1", "packs credentials", NULL) defines the static variable and its note.
 */
#define LIBRARY(variable, soname, purpose, when_opened)                                            \
    LIBRARY_NOTE(required, variable, soname, purpose);                                             \
    static struct library variable = { .file = (soname), .on_open = (when_opened) }

/*
 * Tools that look for what a program needs see what is linked. Of a library that is opened, this
 * note in the program's file tells them: "ELF dlopen metadata" of the UAPI group, which readelf -n
 * shows and tools/dlopen_notes lists. `need` is required, recommended or suggested, as the package
 * depends on it; `name` is a word of its own in the file. LIBRARY has it; who opens by other means
 * writes it.
 */
#define LIBRARY_NOTE(need, name, soname, purpose)                                                  \
    LIBRARY_NOTE_(name##_note, "[{\"soname\":[\"" soname "\"],\"description\":\"" purpose          \
                               "\",\"priority\":\"" #need "\"}]")
#define LIBRARY_NOTE_(variable, json)                                                              \
    __attribute__((used, section(".note.dlopen"))) _Alignas(uint32_t) static const struct {        \
        uint32_t owner_n, text_n, type;                                                            \
        char owner[4];                                                                             \
        _Alignas(uint32_t) char text[sizeof(json)];                                                \
    } variable = { sizeof("FDO"), sizeof(json), UINT32_C(0x407c0c0a), "FDO", json }

/* Opens the library unless it is open. Fails with ENOENT and the loader's words. */
int library_open(struct library *library, struct err *err);

/* Stores the function's address in the pointer at `ret_function`, for the macros below. */
void library_find_(struct library *library, const char *name, void *ret_function);

/* Yields the address of a function of that name and type, which is looked up once. */
#define LIBRARY_FUNCTION(library, name)                                                            \
    __extension__({                                                                                \
        static __typeof__(&(name)) found_;                                                         \
        __typeof__(&(name)) function_ = __atomic_load_n(&found_, __ATOMIC_ACQUIRE);                \
        if (!function_) {                                                                          \
            library_find_(&(library), #name, &function_);                                          \
            __atomic_store_n(&found_, function_, __ATOMIC_RELEASE);                                \
        }                                                                                          \
        function_;                                                                                 \
    })

/*
 * Closes the library until its next call, so that processes that fork often do not keep its memory.
 * All functions of the library must be forwarded WHILE_OPEN, and nothing that they gave may be
 * left.
 */
void library_close(struct library *library);

/* FORWARD(libz, int, gzclose, (gzFile file), (file)) defines gzclose, which calls the library's. */
#define FORWARD(library, type, name, parameters, arguments)                                        \
    type name parameters                                                                           \
    {                                                                                              \
        return LIBRARY_FUNCTION(library, name) arguments;                                          \
    }
#define FORWARD_VOID(library, name, parameters, arguments)                                         \
    void name parameters                                                                           \
    {                                                                                              \
        LIBRARY_FUNCTION(library, name) arguments;                                                 \
    }

/* Forwards a function of a library that is closed again: its address is looked up at every call. */
#define FORWARD_WHILE_OPEN(library, type, name, parameters, arguments)                             \
    type name parameters                                                                           \
    {                                                                                              \
        __typeof__(&(name)) function_;                                                             \
        library_find_(&(library), #name, &function_);                                              \
        return function_ arguments;                                                                \
    }
#define FORWARD_VOID_WHILE_OPEN(library, name, parameters, arguments)                              \
    void name parameters                                                                           \
    {                                                                                              \
        __typeof__(&(name)) function_;                                                             \
        library_find_(&(library), #name, &function_);                                              \
        function_ arguments;                                                                       \
    }
