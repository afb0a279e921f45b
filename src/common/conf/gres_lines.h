/*
 * gres_lines.h - gres.conf while it is read: first its lines, then the devices of each node.
 * Private to this folder.
 */
#pragma once

#include "common/conf/load_beside.h"
#include "common/text/numbers.h"

/* A value of AutoDetect=. */
struct gres_detect {
    const char *word;
    enum conf_gpu_detect how;
    uint32_t gpu_env; /* of lines and nodes where no flag says it */
    bool works;
};

/* A line of gres.conf: its texts, then what they say. */
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

/*
 * All lines of gres.conf and, for each node of the configuration, the numbers of those about it.
 * Owns its lines.
 */
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

/* Reads AutoDetect= of the line, which may be missing. */
int gres_detect_read(struct gres_reader *reader, struct gres_line *line, struct err *err);

/* Returns the AutoDetect= that holds for node `node` of the configuration. */
const struct gres_detect *gres_detect_of(const struct gres_reader *reader, uint32_t node);

/* Returns whether GresTypes= names this resource. */
bool gres_is_type(const struct slurm_conf *conf, const char *name);

/*
 * Returns whether the resource is shared: then its count is of parts of devices; otherwise each
 * file is one.
 */
bool gres_line_is_shared(const struct gres_line *line);

/* Fills the devices of the i-th node. */
int gres_settle_node(struct gres_reader *reader, uint32_t i, struct err *err);
