/* look_ports.c - whether controller and nodes can be reached from here, and answer. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "cli/doctor/doors.h"
#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"

#define PATIENCE_MS 8000 /* of one node, whose name service may take 5 s */

static void find_shut(struct doctor *doctor, const struct door *door)
{
    AUTO_FREE char *place = mend_place(doctor, door->name);

    doctor_find(doctor,
                xasprintf("%slet port %u/tcp in (nft list ruleset, or firewall-cmd "
                          "--add-port=%u/tcp); or: ping %s",
                          place, door->port, door->port, door->addr),
                "port %u of %s cannot be reached: %s", door->port, door->name,
                err_string(door->why));
}

/* ---- nodes ---- */

/* Fills in what nodes are to look up, for all users at once. */
static void ask_about_users(struct doctor *doctor, struct node_look *look)
{
    node_look_init(look);
    for (uint32_t i = 0; i < doctor->users_n && i < USER_MAPS_MAX; i++) {
        struct user_map *map = ARRAY_PUSH(doctor->asked, doctor->asked_n);

        user_map_init(map);
        map->uid = doctor->users[i].uid;
        map->gid = doctor->users[i].gid;
        map->name = xstrdup(doctor->users[i].name);
    }
    look->users = doctor->asked;
    look->users_n = doctor->asked_n;
}

static char *mend_silence(const struct doctor *doctor, const struct sight *sight)
{
    AUTO_FREE char *place = mend_place(doctor, sight->node);

    if (strstr(sight->why.text, "clock"))
        return mend_clock(doctor, sight->node);
    if (strstr(sight->why.text, "not whom this is for"))
        return xasprintf("mend the line of %s in /etc/hosts, or NodeAddr= and Port= in its line of "
                         "%s",
                         sight->host, doctor->conf->path);
    return xasprintf("%ssluice doctor", place);
}

static void check_answer(struct doctor *doctor, const struct sight *sight)
{
    AUTO_FREE char *place = mend_place(doctor, sight->node);

    if (sight->why.code && doctor_blames_munge(doctor, &sight->why))
        return;
    if (sight->why.code)
        doctor_find(doctor, mend_silence(doctor, sight), "node %s does not answer: %s", sight->node,
                    sight->why.text);
    else if (sight->info.trouble && !sight->info.controller)
        doctor_find(doctor, xasprintf("%ssluice doctor", place),
                    "slurmd of node %s is with no controller: %s", sight->node,
                    sight->info.trouble);
}

static bool is_asked(const struct doctor *doctor, const struct conf_node *node)
{
    return node->state != CONF_NODE_CLOUD && node->state != CONF_NODE_FUTURE &&
           (doctor->all || node == doctor->node);
}

static void add_sight(struct doctor *doctor, const struct door *door, const struct node_look *look)
{
    *ARRAY_PUSH(doctor->sights, doctor->sights_n) =
        (struct sight){ .node = door->name,
                        .host = door->addr,
                        .port = (uint16_t)door->port,
                        .preface = { .target = RPC_TARGET_NODE },
                        .uid = doctor->slurm_uid,
                        .look = look,
                        .patience_ms = PATIENCE_MS };
}

/* Returns whether the node was with the controller when this doctor asked it. */
static bool was_there(const struct doctor *doctor, const char *name)
{
    for (uint32_t i = 0; i < doctor->nodes.n; i++) {
        const struct node_info *info = record_at(&doctor->nodes, i);

        if (strcmp(info->node->name, name) == 0)
            return !(info->flags & NODE_FLAG_NO_RESPOND);
    }
    return false;
}

/* Knocks again where nobody listens any more. Returns whether somebody still does not. */
static bool knock_again(const struct doctor *doctor, struct door *doors, uint32_t n)
{
    bool is_one_shut = false;

    for (uint32_t i = 0; i < n; i++) {
        if (doors[i].why != ECONNREFUSED || !was_there(doctor, doors[i].name))
            continue;
        doors_knock(&doors[i], 1);
        is_one_shut |= doors[i].why == ECONNREFUSED;
    }
    return is_one_shut;
}

static void ask(struct doctor *doctor, struct door *doors, uint32_t n)
{
    struct node_look look;

    ask_about_users(doctor, &look);
    doors_knock(doors, n);
    for (int ms = 0; ms < DOCTOR_RETURN_S * 1000 && knock_again(doctor, doors, n);
         ms += DOCTOR_LOOK_MS)
        (void)poll(NULL, 0, DOCTOR_LOOK_MS);
    for (uint32_t i = 0; i < n; i++) {
        if (doors[i].why == ECONNREFUSED)
            doctor_find(doctor, mend_start(doctor, DAEMON_SLURMD, doors[i].name),
                        "nothing listens on port %u of %s", doors[i].port, doors[i].name);
        else if (doors[i].why && doors[i].why != ENOENT) /* its address has been told of */
            find_shut(doctor, &doors[i]);
        else if (!doors[i].why)
            add_sight(doctor, &doors[i], &look);
    }
    sights_load(doctor->conf, doctor->sights, doctor->sights_n);
    for (uint32_t i = 0; i < doctor->sights_n; i++)
        check_answer(doctor, &doctor->sights[i]);
}

void look_at_answers(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;
    AUTO_FREE struct door *doors = xcalloc(DOORS_MAX, sizeof(*doors));
    uint32_t n = 0, all = 0;

    for (uint32_t i = 0; i < conf->nodes_n; i++) {
        const struct conf_node *node = &conf->nodes[i];

        if (is_asked(doctor, node) && ++all <= DOORS_MAX)
            doors[n++] =
                (struct door){ .name = node->name, .addr = node->addr, .port = node->port };
    }
    ask(doctor, doors, n);
    if (all > n)
        doctor_skip(doctor, "only the first %u of %u nodes", n, all);
}

/* ---- the controller ---- */

/* Returns which controller the node daemon of this host, or of another node, has; or NULL. */
static const char *told_controller(const struct doctor *doctor, const char **ret_node)
{
    for (uint32_t i = 0; i < doctor->sights_n; i++) {
        const struct sight *sight = &doctor->sights[i];

        if (!sight->why.code && sight->info.controller) {
            *ret_node = sight->node;
            return sight->info.controller;
        }
    }
    return NULL;
}

/*
 * Tells that nobody listens there. slurmctld may not run, or may be elsewhere: only who looks on
 * that host can tell, unless some node is with a controller all the same.
 */
static void find_closed(struct doctor *doctor, const struct door *door)
{
    const char *node = NULL, *other = told_controller(doctor, &node);
    const struct slurm_conf *conf = doctor->conf;

    if (other)
        doctor_find(doctor,
                    xasprintf("write that controller's host name as SlurmctldHost= into %s: scp -p "
                              "%.*s:%s %s",
                              conf->path, (int)strcspn(other, ":"), other, conf->path, conf->path),
                    "nothing listens on port %u of %s, and node %s has its controller at %s: "
                    "SlurmctldHost=%s is wrong here",
                    door->port, door->name, node, other, door->name);
    else
        doctor_find(doctor,
                    xasprintf("is %s the controller? If it is, on %s: sluice doctor; else mend "
                              "SlurmctldHost= in %s: scp -p it from the controller",
                              door->name, door->name, conf->path),
                    "nothing listens on port %u of %s", door->port, door->name);
}

/* Knocks at the ports; on the controller itself its process has been looked at. */
void look_at_ports(struct doctor *doctor)
{
    const struct conf_host *head = &doctor->conf->controllers[0];
    struct door door = { .name = head->name,
                         .addr = head->addr,
                         .port = doctor->conf->slurmctld_ports.first };

    if (doctor->is_controller || doctor->controller_answers)
        return;
    doors_knock(&door, 1);
    if (door.why == ECONNREFUSED)
        find_closed(doctor, &door);
    else if (door.why && door.why != ENOENT) /* that has been told of addresses */
        find_shut(doctor, &door);
}
