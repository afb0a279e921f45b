/*
 * manager.h - a daemon's word to the service manager that started it.
 *
 * Speaks the datagrams of sd_notify(3): that we are ready, alive (WatchdogSec=), and how we are,
 * which `systemctl status` shows. Without NOTIFY_SOCKET in the environment all of it does nothing.
 * The protocol is a documented, stable interface; libsystemd would bring five libraries for it.
 */
#pragma once

#include <event2/event.h>

#include "common/base/strbuf.h"

struct net_manager;

/* Appends a line on how the daemon is, without a newline. Called some times a minute. */
typedef void net_describe_fn(void *ctx, struct strbuf *out);

/* Says that the daemon serves. Returns NULL where nobody listens. Borrows `base` and `ctx`. */
struct net_manager *net_manager_new(struct event_base *base, net_describe_fn *describe, void *ctx);

/* Says in one line why the daemon does not start, which `systemctl status` then shows. */
void net_manager_failed(const char *why);

/*
 * Enclose a reload of the configuration, so that `systemctl reload` waits for its end. NULL is
 * fine.
 */
void net_manager_reloading(struct net_manager *manager);
void net_manager_ready(struct net_manager *manager);

/* Says that the daemon stops. NULL is fine. Returns NULL. */
struct net_manager *net_manager_free(struct net_manager *manager);
