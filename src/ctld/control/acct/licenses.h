/* licenses.h - what this cluster has of resources, as licenses that its jobs ask for. */
#pragma once

#include "ctld/control/act/act.h"

/* Makes the model's list of licenses anew: those of the configuration, and this cluster's shares of
 * resources that are there. What jobs ask for has to be read. */
void licenses_renew(struct control *control);
