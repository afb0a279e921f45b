/*
 * loading.h - where each record goes that the store finds alive: into a control, and numbers also
 * into what else keeps some.
 */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/dispatch/cluster_clock.h"
#include "ctld/dispatch/completion.h"
#include "ctld/store/store.h"

/* Receivers of what is loaded; all are borrowed. */
struct loading {
    struct control *control;
    struct cluster_clock *clock;   /* NULL: it goes on as it is */
    struct completion *completion; /* NULL: it goes on as it is */
};

/* Loads into a struct loading, the `ctx` of its calls. */
extern const struct store_loader loading_loader;
