/*
 * Reads AutoDetect= of gres.conf: whether a node looks for its gpus by itself, and what that
 * implies.
 */
#include <errno.h>

#include "common/conf/gres_lines.h"
#include "common/text/words.h"

/* The known values of AutoDetect=. Those of other vendors than NVIDIA only set the variables. */
static const struct gres_detect known[] = {
    { "off", CONF_GPU_DETECT_OFF, CONF_GPU_ALL, true },
    { "none", CONF_GPU_DETECT_OFF, CONF_GPU_ALL, true },
    { "nvml", CONF_GPU_DETECT_NVML, CONF_GPU_NVIDIA, true },
    { "nvidia", CONF_GPU_DETECT_FILES, CONF_GPU_NVIDIA, true },
    { "rsmi", CONF_GPU_DETECT_OFF, CONF_GPU_AMD, false },
    { "oneapi", CONF_GPU_DETECT_OFF, CONF_GPU_INTEL, false },
    { "nrt", CONF_GPU_DETECT_OFF, 0, false },
};

int gres_detect_read(struct gres_reader *reader, struct gres_line *line, struct err *err)
{
    for (size_t i = 0; line->auto_detect && i < ARRAY_N(known); i++) {
        if (word_is(line->auto_detect, known[i].word))
            line->detect = &known[i];
    }
    if (line->auto_detect && !line->detect)
        return conf_err(err, EINVAL, line->at,
                        "AutoDetect=%.80s: is not one of nvml, nvidia and off", line->auto_detect);
    if (line->detect && !line->detect->works)
        conf_notes_add(reader->loader->notes, CONF_NOTE_NO_EFFECT, line->at,
                       "AutoDetect=%s finds nothing here: name the devices with Name= and File=",
                       line->auto_detect);
    if (line->detect && !line->nodes)
        reader->detect = line->detect;
    return 0;
}

const struct gres_detect *gres_detect_of(const struct gres_reader *reader, uint32_t node)
{
    const struct gres_detect *own = reader->of_node[node].detect;

    if (own)
        return own;
    return reader->detect ? reader->detect : &known[0];
}
