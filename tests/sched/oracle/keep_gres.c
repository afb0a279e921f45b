/*
 * keep_gres.c - loaded into Debian's slurmd before its own libraries: hands it the node's Gres.
 *
 * Slurm 22.05.8 as Debian builds it reads Gres= of a NodeName line and loses it. Then slurmd takes
 * every line of gres.conf for one too many. The value comes from the environment instead.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

int gres_init_node_config(char *config, void **gres_list);

int gres_init_node_config(char *config, void **gres_list)
{
    int (*original)(char *, void **);

    /* ISO C knows no way from a data pointer to a function; POSIX asks for this one. */
    *(void **)&original = dlsym(RTLD_NEXT, "gres_init_node_config");
    return original(config != NULL ? config : getenv("ORACLE_NODE_GRES"), gres_list);
}
