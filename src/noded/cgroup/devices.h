/*
 * devices.h - which device files the tasks of a step may not open.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cgroup_device {
    bool is_block;
    uint32_t major, minor;
};

/* Finds the numbers of a device file; returns false for what is no device, or not there. */
bool cgroup_device_find(const char *path, struct cgroup_device *ret);
