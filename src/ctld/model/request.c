#include "ctld/model/request.h"

#include <stdlib.h>

void job_request_clear(struct job_request *request)
{
    gres_clear(&request->per_node);
    gres_clear(&request->per_job);
    gres_clear(&request->per_socket);
    gres_clear(&request->per_task);
    licenses_clear(&request->licenses);
    bitset_clear(&request->required);
    bitset_clear(&request->excluded);
    free(request->listed);
    free(request->others);
    free(request->unreadable);
    *request = (struct job_request){ 0 };
}

void job_request_auto_(struct job_request *request)
{
    job_request_clear(request);
}

void step_request_clear(struct step_request *request)
{
    gres_clear(&request->per_node);
    gres_clear(&request->per_step);
    gres_clear(&request->per_task);
    gres_clear(&request->per_socket);
    bitset_clear(&request->required);
    bitset_clear(&request->excluded);
    free(request->listed);
    free(request->unreadable);
    *request = (struct step_request){ 0 };
}

void step_request_auto_(struct step_request *request)
{
    step_request_clear(request);
}
