/*
 * node_act.h - what nodes do for themselves: HealthCheckProgram, rebooting, and what they read in
 * their own configuration.
 *
 * Only nodes that have said, when they registered, that their slurm.conf names such a program are
 * ordered to run it.
 */
#pragma once

#include "ctld/control/core.h"

/* `value` goes with the acts that set something; else it is NULL. */
void node_act(const struct control *control, const struct node *node, enum node_act act,
              const char *value, struct turn *turn);

/* ---- their configuration (node_settings.c) ---- */

/* It has registered: it reads its configuration again if it missed the order to. */
void node_settings_registered(const struct control *control, struct moment now,
                              const struct node *node, const struct node_register *reg,
                              struct turn *turn);

/* ---- health (health.c) ---- */

/* By HealthCheckInterval and HealthCheckNodeState; asks to be woken for the next. */
void health_tick(struct control *control, struct moment now, struct turn *turn);

/* Its slurmd has started. */
void health_at_start(const struct control *control, const struct node *node, struct turn *turn);

/* ---- rebooting (reboot.c) ---- */

/* A node that is to be rebooted is told so when nothing runs there. More often is fine. */
void reboot_go_on(struct control *control, struct moment now, struct node *node, struct turn *turn);

/* ResumeTimeout of one that was told. */
void reboot_tick(struct control *control, struct moment now, struct node *node, struct turn *turn);

/* It has registered from another boot than it was told to end; true: that was awaited. */
bool reboot_back(struct node *node, struct moment now);

/* Of one that was not told to yet. */
void reboot_cancel(struct node *node, struct moment now);

/* An operator has decided otherwise about its state. */
void reboot_forget(struct node *node);

/* ---- what is resumed by itself (node_update.c) ---- */

/* Where nothing is wrong with it any more, there is no reason, and nothing to resume. */
void node_settle(struct node *node, struct moment now);

/* ResumeAfter= of one that was set down or drained. */
void node_resume_tick(struct control *control, struct moment now, struct node *node,
                      struct turn *turn);
