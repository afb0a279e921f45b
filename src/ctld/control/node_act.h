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
void node_act(struct act *act, const struct node *node, enum node_act what, const char *value);

/* ---- their configuration (node_settings.c) ---- */

/* It has registered: it reads its configuration again if it missed the order to. */
void node_settings_registered(struct act *act, const struct node *node,
                              const struct node_register *reg);

/* ---- health (health.c) ---- */

/* By HealthCheckInterval and HealthCheckNodeState; asks to be woken for the next. */
void health_tick(struct act *act);

/* Its slurmd has started. */
void health_at_start(struct act *act, const struct node *node);

/* ---- rebooting (reboot.c) ---- */

/* A node that is to be rebooted is told so when nothing runs there. More often is fine. */
void reboot_go_on(struct act *act, struct node *node);

/* ResumeTimeout of one that was told. */
void reboot_tick(struct act *act, struct node *node);

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
void node_resume_tick(struct act *act, struct node *node);
