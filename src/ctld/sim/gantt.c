#include "ctld/sim/gantt.h"

#include <string.h>

#include "common/text/duration.h"
#include "common/text/hostlist.h"
#include "ctld/control/control.h"

/* Sizes are in pixels. */
#define WIDTH  1200
#define LEFT   120 /* for the names of nodes */
#define TOP    30  /* for the times */
#define LANE   16
#define GAP    4 /* between nodes */
#define LETTER 7
#define TICKS  10

/* A job on one node. */
struct bar {
    uint32_t job, node, lane;
    int64_t from_ms, to_ms;
};

struct picture {
    const struct world *world;
    char *const *names;
    struct bar *bars; /* by start, then job */
    uint32_t bars_n;
    uint32_t *lanes; /* of each node: how many */
    uint32_t *tops;  /* pixel where each node begins */
    uint32_t nodes_n, height;
    int64_t from_ms, to_ms;
};

/* ---- what there is to draw ---- */

static int add_bars(struct picture *picture, uint32_t number, struct err *err)
{
    const struct world_job *job = world_job(picture->world, number);
    const struct model *model = control_model(world_control(picture->world));
    AUTO(hostlist) struct hostlist *nodes = NULL;
    int rc = hostlist_parse(job->nodes, &nodes, err);

    for (uint32_t i = 0; rc == 0 && i < hostlist_count(nodes); i++) {
        const struct node *node = model_find_node(model, hostlist_get(nodes, i));

        if (picture->bars_n == GANTT_BARS_MAX)
            return err_set(err, E_TOO_BIG,
                           "too many jobs on too many nodes for a picture: more than %d bars",
                           GANTT_BARS_MAX);
        if (node)
            *ARRAY_PUSH(picture->bars, picture->bars_n) = (struct bar){
                .job = number,
                .node = node->index,
                .from_ms = job->start_ms,
                .to_ms = job->end_ms == WORLD_NEVER ? world_now(picture->world) : job->end_ms,
            };
    }
    return rc;
}

static int by_start(const void *a, const void *b)
{
    const struct bar *x = a, *y = b;

    if (x->from_ms != y->from_ms)
        return x->from_ms < y->from_ms ? -1 : 1;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int collect(struct picture *picture, struct err *err)
{
    const uint32_t jobs_n = world_jobs_n(picture->world);
    int rc = 0;

    if (jobs_n > GANTT_JOBS_MAX)
        return err_set(err, E_TOO_BIG, "%u jobs are too many for a picture: more than %d", jobs_n,
                       GANTT_JOBS_MAX);
    if (picture->nodes_n > GANTT_NODES_MAX)
        return err_set(err, E_TOO_BIG, "%u nodes are too many for a picture: more than %d",
                       picture->nodes_n, GANTT_NODES_MAX);
    for (uint32_t i = 0; rc == 0 && i < jobs_n; i++) {
        if (world_job(picture->world, i)->start_ms != WORLD_NEVER)
            rc = add_bars(picture, i, err);
    }
    if (rc == 0 && picture->bars_n)
        qsort(picture->bars, picture->bars_n, sizeof(*picture->bars), by_start);
    return rc;
}

/* ---- where it stands ---- */

/* Ends of the last bars in each lane of one node. */
struct lanes {
    int64_t *ends;
    uint32_t n;
};

static uint32_t take_lane(struct lanes *lanes, const struct bar *bar)
{
    uint32_t lane = 0;

    while (lane < lanes->n && lanes->ends[lane] > bar->from_ms)
        lane++;
    if (lane == lanes->n)
        (void)*ARRAY_PUSH(lanes->ends, lanes->n);
    lanes->ends[lane] = bar->to_ms;
    return lane;
}

static void lay_out(struct picture *picture)
{
    AUTO_FREE struct lanes *lanes = xcalloc(picture->nodes_n, sizeof(*lanes));

    picture->to_ms = INT64_MIN;
    picture->from_ms = picture->bars_n ? picture->bars[0].from_ms : 0;
    for (uint32_t i = 0; i < picture->bars_n; i++) {
        struct bar *bar = &picture->bars[i];

        bar->lane = take_lane(&lanes[bar->node], bar);
        picture->to_ms = bar->to_ms > picture->to_ms ? bar->to_ms : picture->to_ms;
    }
    if (picture->to_ms <= picture->from_ms)
        picture->to_ms = picture->from_ms + 1;
    picture->height = TOP;
    for (uint32_t i = 0; i < picture->nodes_n; i++) {
        picture->lanes[i] = lanes[i].n ? lanes[i].n : 1;
        picture->tops[i] = picture->height;
        picture->height += picture->lanes[i] * LANE + GAP;
        free(lanes[i].ends);
    }
}

static double x_of(const struct picture *picture, int64_t ms)
{
    return LEFT + (double)(ms - picture->from_ms) * (WIDTH - LEFT) /
                      (double)(picture->to_ms - picture->from_ms);
}

/* ---- drawing ---- */

static void add_escaped(struct strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            strbuf_adds(out, "&amp;");
        else if (*text == '<')
            strbuf_adds(out, "&lt;");
        else if ((unsigned char)*text >= ' ')
            strbuf_addc(out, *text);
    }
}

static void add_time(struct strbuf *out, int64_t ms)
{
    duration_format_short(out, ms / 1000);
}

static void draw_times(const struct picture *picture, struct strbuf *out)
{
    for (int i = 0; i <= TICKS; i++) {
        const int64_t ms = picture->from_ms + (picture->to_ms - picture->from_ms) / TICKS * i;
        const double x = x_of(picture, ms);

        strbuf_addf(out,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%u\" stroke=\"#ddd\"/>"
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">",
                    x, TOP - GAP, x, picture->height, x, TOP - 10, i == TICKS ? "end" : "middle");
        add_time(out, ms);
        strbuf_adds(out, "</text>\n");
    }
}

static void draw_nodes(const struct picture *picture, struct strbuf *out)
{
    const struct model *model = control_model(world_control(picture->world));

    for (uint32_t i = 0; i < picture->nodes_n; i++) {
        strbuf_addf(out,
                    "<rect x=\"%d\" y=\"%u\" width=\"%d\" height=\"%u\" fill=\"#f4f4f4\"/>"
                    "<text x=\"4\" y=\"%u\">",
                    LEFT, picture->tops[i], WIDTH - LEFT, picture->lanes[i] * LANE,
                    picture->tops[i] + LANE - GAP);
        add_escaped(out, model->nodes[i].rec.name);
        strbuf_adds(out, "</text>\n");
    }
}

static void draw_bar(const struct picture *picture, const struct bar *bar, struct strbuf *out)
{
    const double x = x_of(picture, bar->from_ms);
    const double width = x_of(picture, bar->to_ms) - x;
    const uint32_t y = picture->tops[bar->node] + bar->lane * LANE;
    const char *name = picture->names[bar->job];

    /* Hues a golden angle apart: neighbours differ. */
    strbuf_addf(out,
                "<g><rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\" "
                "fill=\"hsl(%u,60%%,70%%)\" stroke=\"#555\" stroke-width=\"0.5\"/><title>",
                x, y, width < 0.5 ? 0.5 : width, LANE, bar->job * 137 % 360);
    add_escaped(out, name);
    strbuf_adds(out, ": ");
    add_time(out, bar->from_ms);
    strbuf_adds(out, " to ");
    add_time(out, bar->to_ms);
    strbuf_adds(out, " on ");
    add_escaped(out, world_job(picture->world, bar->job)->nodes);
    strbuf_adds(out, "</title>");
    if (width > (double)(strlen(name) * LETTER)) {
        strbuf_addf(out, "<text x=\"%.1f\" y=\"%u\" text-anchor=\"middle\">", x + width / 2,
                    y + LANE - GAP);
        add_escaped(out, name);
        strbuf_adds(out, "</text>");
    }
    strbuf_adds(out, "</g>\n");
}

static void draw(const struct picture *picture, struct strbuf *out)
{
    strbuf_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
                "font-family=\"sans-serif\" font-size=\"11\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                WIDTH, picture->height);
    draw_nodes(picture, out);
    draw_times(picture, out);
    for (uint32_t i = 0; i < picture->bars_n; i++)
        draw_bar(picture, &picture->bars[i], out);
    strbuf_adds(out, "</svg>\n");
}

int gantt_draw(const struct world *world, char *const *names, struct strbuf *out, struct err *err)
{
    struct picture picture = { .world = world,
                               .names = names,
                               .nodes_n = control_model(world_control(world))->nodes_n };
    int rc = collect(&picture, err);

    if (rc == 0) {
        picture.lanes = xcalloc(picture.nodes_n, sizeof(*picture.lanes));
        picture.tops = xcalloc(picture.nodes_n, sizeof(*picture.tops));
        lay_out(&picture);
        draw(&picture, out);
    }
    free(picture.bars);
    free(picture.lanes);
    free(picture.tops);
    return rc;
}
