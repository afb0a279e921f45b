/* reboot.h - scontrol reboot. */
#pragma once

#include "common/msg/node.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

int control_node_reboot(struct act *act, const struct node_reboot *request, struct err *err);

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
