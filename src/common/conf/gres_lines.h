/*
 * gres_lines.h - gres.conf while it is read: its lines, then for each node its devices. Private to
 * this folder.
 */
#pragma once

#include "common/conf/load_beside.h"
#include "common/text/numbers.h"

/* What AutoDetect= says. */
struct gres_detect {
    const char *word;
    enum conf_gpu_detect how;
    uint32_t gpu_env; /* of lines and nodes where no flag says it */
    bool works;
};

/* A line as it stands, then what it says. */
struct gres_line {
    char *nodes, *name, *type, *count_text, *files_text, *parts_text, *cores_text, *auto_detect,
        *flags;
    const struct gres_detect *detect; /* NULL: it does not say */
    uint64_t count;
    uint32_t gpu_env;
    bool env_said;
    char **files;
    uint32_t files_n;
    struct numbers cores;
    struct conf_at at;
};

/* Owns its lines; for each node of the configuration it has the numbers of those about it. */
struct gres_reader {
    struct loader *loader;
    struct gres_line *lines;
    uint32_t lines_n;
    const struct gres_detect *detect; /* of lines for all nodes; NULL: none says it */
    struct gres_node_lines {
        uint32_t *at;
        uint32_t n;
        const struct gres_detect *detect; /* of lines that name the node */
    } * of_node;
};

/* Reads AutoDetect= of the line, of which there may be none. */
int gres_detect_read(struct gres_reader *reader, struct gres_line *line, struct err *err);

/* What counts for the i-th node. */
const struct gres_detect *gres_detect_of(const struct gres_reader *reader, uint32_t node);

/* Whether GresTypes= names it. */
bool gres_is_type(const struct slurm_conf *conf, const char *name);

/* A shared resource counts parts of each device; of others a file is one. */
bool gres_line_is_shared(const struct gres_line *line);

/* Fills the devices of the i-th node. */
int gres_settle_node(struct gres_reader *reader, uint32_t i, struct err *err);
