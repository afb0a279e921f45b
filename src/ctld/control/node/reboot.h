/* reboot.h - scontrol reboot. */
#pragma once

#include "common/msg/node.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

int control_node_reboot(struct act *act, const struct node_reboot *request, struct err *err);

/* Tells a node that is to be rebooted to do so if nothing runs there. More calls than needed are
 * fine. */
void reboot_go_on(struct act *act, struct node *node);

/* Gives up a node that was told to reboot and is not back within ResumeTimeout. */
void reboot_tick(struct act *act, struct node *node);

/* Takes back a node that has registered from another boot than it was told to end; true: that was
 * awaited. */
bool reboot_back(struct node *node, struct moment now);

/* Cancels the reboot of a node that was not told to yet. */
void reboot_cancel(struct node *node, struct moment now);

/* Drops a reboot when an operator has decided otherwise about the node's state. */
void reboot_forget(struct node *node);
