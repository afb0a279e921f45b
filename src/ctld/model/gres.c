#include "ctld/model/gres.h"

#include <string.h>

#define DEVICES_LIKELY 64 /* more without files are an amount, such as bandwidth */

bool gres_is_counted(const struct gres_info *gres)
{
    return gres->files_n == 0 && gres->cores_n == 0 && !gres->found && gres->count > DEVICES_LIKELY;
}

/* Goes on to the next row of devices; false: there is none. `at` is 0 before the first. */
static bool next_row(const struct node_info *conf, struct gres_device *at)
{
    if (!gres_is_counted(&conf->devices[at->row]))
        at->number += (uint32_t)conf->devices[at->row].count;
    return ++at->row < conf->devices_n;
}

bool gres_find_device(const struct node_info *conf, const char *name, uint32_t index,
                      struct gres_device *ret)
{
    struct gres_device at = { 0 };
    uint32_t before = 0;

    if (conf->devices_n == 0)
        return false;
    do {
        const struct gres_info *gres = &conf->devices[at.row];

        if (gres_is_counted(gres) || strcmp(gres->name, name) != 0)
            continue;
        if (index < before + gres->count) {
            *ret = (struct gres_device){ at.row, at.number + index - before, index };
            return true;
        }
        before += (uint32_t)gres->count;
    } while (next_row(conf, &at));
    return false;
}

static uint32_t devices_before(const struct node_info *conf, uint32_t row)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < row; i++) {
        if (!gres_is_counted(&conf->devices[i]) &&
            strcmp(conf->devices[i].name, conf->devices[row].name) == 0)
            n += (uint32_t)conf->devices[i].count;
    }
    return n;
}

bool gres_device_at(const struct node_info *conf, uint32_t number, struct gres_device *ret)
{
    struct gres_device at = { 0 };

    if (conf->devices_n == 0)
        return false;
    do {
        const struct gres_info *gres = &conf->devices[at.row];

        if (!gres_is_counted(gres) && number < at.number + gres->count) {
            const uint32_t index = devices_before(conf, at.row) + number - at.number;

            *ret = (struct gres_device){ at.row, number, index };
            return true;
        }
    } while (next_row(conf, &at));
    return false;
}

const char *gres_device_file(const struct node_info *conf, const struct gres_device *device)
{
    const struct gres_info *gres = &conf->devices[device->row];
    const uint32_t in_row = device->index - devices_before(conf, device->row);

    return in_row < gres->files_n ? gres->files[in_row] : NULL;
}

static bool is_same_type(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

uint32_t gres_find_counted(const struct node_info *conf, const char *name, const char *type)
{
    uint32_t row = 0;

    while (row < conf->devices_n &&
           !(gres_is_counted(&conf->devices[row]) && strcmp(conf->devices[row].name, name) == 0 &&
             is_same_type(conf->devices[row].type, type)))
        row++;
    return row;
}

int node_init_gres(struct node *node, struct err *err)
{
    const struct node_info *conf = node->conf;
    uint32_t devices = 0, counted = 0;

    for (uint32_t i = 0; i < conf->devices_n; i++) {
        if (gres_is_counted(&conf->devices[i]))
            counted++;
        else
            devices += (uint32_t)conf->devices[i].count;
    }
    if (counted > GRES_COUNTED_SORTS_MAX)
        return err_set(err, E_NODE_CONFIG,
                       "%u sorts of generic resources have counts above %d and no File=; at most "
                       "%d can",
                       counted, DEVICES_LIKELY, GRES_COUNTED_SORTS_MAX);
    node->gres_used = xcalloc(conf->devices_n, sizeof(*node->gres_used));
    bitset_init(&node->devices_used, devices);
    return 0;
}

static void change_devices(struct node *node, const struct job_gres *gres, bool hold)
{
    struct gres_device device;

    for (uint32_t i = 0; i < gres->devices_n; i++) {
        if (!gres_find_device(node->conf, gres->name, gres->devices[i], &device) ||
            bitset_has(&node->devices_used, device.number) == hold)
            continue;
        if (hold)
            bitset_add(&node->devices_used, device.number);
        else
            bitset_del(&node->devices_used, device.number);
        node->gres_used[device.row] += hold ? 1 : UINT64_MAX;
    }
}

static void change_gres(struct node *node, const struct job_node *place, bool hold)
{
    for (uint32_t i = 0; i < place->gres_n; i++) {
        const struct job_gres *gres = &place->gres[i];
        const uint32_t row = gres_find_counted(node->conf, gres->name, gres->type);

        change_devices(node, gres, hold);
        if (gres->devices_n == 0 && row < node->conf->devices_n)
            node->gres_used[row] += hold ? gres->count : -gres->count;
    }
}

void node_hold_gres(struct node *node, const struct job_node *place)
{
    change_gres(node, place, true);
}

void node_release_gres(struct node *node, const struct job_node *place)
{
    change_gres(node, place, false);
}

/* ---- for people ---- */

/* True if an earlier row has the same name and type. */
static bool is_told(const struct node_info *conf, uint32_t row)
{
    for (uint32_t i = 0; i < row; i++) {
        if (strcmp(conf->devices[i].name, conf->devices[row].name) == 0 &&
            is_same_type(conf->devices[i].type, conf->devices[row].type))
            return true;
    }
    return false;
}

/* Returns the devices in use of the row's name and type. */
static struct job_gres used_like(const struct node *node, uint32_t row)
{
    const struct node_info *conf = node->conf;
    struct job_gres used;

    job_gres_init(&used);
    for (uint32_t i = row; i < conf->devices_n; i++) {
        if (strcmp(conf->devices[i].name, conf->devices[row].name) == 0 &&
            is_same_type(conf->devices[i].type, conf->devices[row].type))
            used.count += node->gres_used[i];
    }
    BITSET_FOREACH (&node->devices_used, number) {
        struct gres_device at;

        if (gres_device_at(conf, (uint32_t)number, &at) &&
            strcmp(conf->devices[at.row].name, conf->devices[row].name) == 0 &&
            is_same_type(conf->devices[at.row].type, conf->devices[row].type))
            *ARRAY_PUSH(used.devices, used.devices_n) = at.index;
    }
    used.name = xstrdup(conf->devices[row].name);
    used.type = xstrdup(conf->devices[row].type);
    used.unnamed = conf->devices[row].files_n == 0;
    return used;
}

static void add_used(const struct job_gres *used, struct strbuf *out)
{
    if (!used->unnamed && used->devices_n) {
        job_gres_format(used, out);
        return;
    }
    strbuf_addf(out, "%s%s%s:%llu%s", used->name, used->type ? ":" : "",
                used->type ? used->type : "", (unsigned long long)used->count,
                used->unnamed ? "" : "(IDX:N/A)");
}

char *node_gres_used(const struct node *node)
{
    struct strbuf out = { 0 };

    for (uint32_t row = 0; row < node->conf->devices_n; row++) {
        struct job_gres used;

        if (is_told(node->conf, row))
            continue;
        used = used_like(node, row);
        strbuf_adds(&out, out.len ? "," : "");
        add_used(&used, &out);
        job_gres_clear(&used);
    }
    return out.len ? strbuf_steal(&out) : NULL;
}
