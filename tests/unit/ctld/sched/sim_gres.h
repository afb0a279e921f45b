/*
 * sim_gres.h - generic resources in the lines of sim.h.
 *
 *     a node  gres=gpu:a:2,gpu:b:2@4-7,band::100c    name:type:count, c: counted, @: cpus near it
 *     a job   gres=gpu::2  gres-job=gpu:a:1  gres-task=gpu::1  gres-socket=gpu::1
 */
#pragma once

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ctld/sched/planner.h"

/* One part "name:type:count..."; what stands behind the count is returned. */
static inline const char *sim_gres_part(const char *part, char **ret_name, char **ret_type,
                                        uint64_t *ret_count)
{
    const size_t name = strcspn(part, ":");
    const size_t type = strcspn(part + name + 1, ":");
    char *end;

    ck_assert_msg(part[name] && part[name + 1 + type], "gres part '%s'", part);
    *ret_name = xasprintf("%.*s", (int)name, part);
    *ret_type = type ? xasprintf("%.*s", (int)type, part + name + 1) : NULL;
    *ret_count = strtoull(part + name + type + 2, &end, 10);
    return end;
}

static inline struct bitset *sim_near(uint64_t devices, uint32_t cpus, const char *text)
{
    struct bitset *near = xcalloc(devices, sizeof(*near));
    uint32_t first = 0, last = 0;

    ck_assert_int_eq(sscanf(text, "%u-%u", &first, &last), 2);
    for (uint64_t i = 0; i < devices; i++) {
        bitset_init(&near[i], cpus);
        /* Of cpus that the node does not have none is nearer. */
        for (uint32_t cpu = first < cpus ? first : 0; cpu < cpus && (cpu <= last || first >= cpus);
             cpu++)
            bitset_add(&near[i], cpu);
    }
    return near;
}

static inline void sim_node_gres(struct plan_node *node, const char *text)
{
    struct plan_gres *list = NULL;

    while (text && *text) {
        struct plan_gres *gres = ARRAY_PUSH(list, node->gres_n);
        char *name, *type;

        *gres = (struct plan_gres){ 0 };
        text = sim_gres_part(text, &name, &type, &gres->count);
        gres->name = name;
        gres->type = type;
        gres->counted = *text == 'c';
        if (*text == '@')
            gres->near = sim_near(gres->count, node->cpus, text + 1);
        text += strcspn(text, ",");
        text += *text == ',';
    }
    node->gres = list;
}

static inline void sim_node_gres_free(struct plan_node *node)
{
    for (uint32_t i = 0; i < node->gres_n; i++) {
        const struct plan_gres *gres = &node->gres[i];

        for (uint64_t d = 0; gres->near && d < gres->count; d++)
            bitset_clear((struct bitset *)&gres->near[d]);
        free((void *)gres->near);
        free((char *)gres->name);
        free((char *)gres->type);
    }
    free((void *)node->gres);
}

static inline void sim_ask_gres(struct plan_shape *shape, enum plan_per per, const char *text)
{
    struct plan_gres_ask *asks = (struct plan_gres_ask *)shape->gres;

    while (text && *text) {
        struct plan_gres_ask *ask = ARRAY_PUSH(asks, shape->gres_n);
        char *name, *type;

        *ask = (struct plan_gres_ask){ .per = per };
        text = sim_gres_part(text, &name, &type, &ask->count);
        ask->name = name;
        ask->type = type;
        text += *text == ',';
    }
    shape->gres = asks;
}

static inline void sim_ask_gres_free(struct plan_shape *shape)
{
    for (uint32_t i = 0; i < shape->gres_n; i++) {
        free((char *)shape->gres[i].name);
        free((char *)shape->gres[i].type);
    }
    free((void *)shape->gres);
}
