/*
 * dialer.h - reaching srun: its candidate addresses, resolved once, tried in order, again and again
 * with growing pauses, until a connection stands. Before all of them, but only once, its Unix
 * socket: who is on srun's own host needs no proofs and no encryption.
 */
#pragma once

#include "common/net/addr.h"

struct event_base;
struct dialer;

/* Called with the connection: `fd` is then its receiver's; `addr` is where it leads, of a Unix
 * socket the first address. */
typedef void dialer_connected_fn(void *ctx, int fd, const struct net_addr *addr);

/* Called when one try was in vain, for which dialer_why gives the cause; the next follows. */
typedef void dialer_failed_fn(void *ctx);

/*
 * Makes a dialer. `addresses` ("host:port", "@controller:port", STEP_IO_LOCAL and a name) are
 * copied; `controller` stands for "@controller", "" when not known.
 */
struct dialer *dialer_new(struct event_base *base, char *const *addresses, uint32_t addresses_n,
                          const char *controller, dialer_connected_fn *connected,
                          dialer_failed_fn *failed, void *ctx);
struct dialer *dialer_free(struct dialer *dialer); /* NULL is fine */

/* Tries until `connected` ran. The first try is at once, later ones after a pause. */
void dialer_start(struct dialer *dialer);

/* Returns why the last try failed; empty when none did since the last connection. */
const struct err *dialer_why(const struct dialer *dialer);
