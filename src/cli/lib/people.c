#include "cli/lib/people.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"

static void clear(struct person *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free(at[i].name);
    free(at);
}

void people_clear(struct people *people)
{
    clear(people->users, people->users_n);
    clear(people->groups, people->groups_n);
    *people = (struct people){ 0 };
}

/* Returns the index of the first one whose id is not below. */
static uint32_t place_of(const struct person *at, uint32_t n, uint32_t id)
{
    uint32_t low = 0, high = n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (at[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const char *name_of_user(uint32_t uid)
{
    const struct passwd *entry = getpwuid((uid_t)uid);

    return entry ? entry->pw_name : NULL;
}

static const char *name_of_group(uint32_t gid)
{
    const struct group *entry = getgrgid((gid_t)gid);

    return entry ? entry->gr_name : NULL;
}

static const char *find(struct person **at, uint32_t *n, uint32_t id,
                        const char *(*name_of)(uint32_t id))
{
    const uint32_t place = place_of(*at, *n, id);

    if (place < *n && (*at)[place].id == id)
        return (*at)[place].name;
    (void)ARRAY_PUSH(*at, *n);
    memmove(*at + place + 1, *at + place, (*n - 1 - place) * sizeof(**at));
    (*at)[place] = (struct person){ id, xstrdup(name_of(id)) };
    return (*at)[place].name;
}

const char *people_user(struct people *people, uint32_t uid)
{
    return find(&people->users, &people->users_n, uid, name_of_user);
}

const char *people_group(struct people *people, uint32_t gid)
{
    return find(&people->groups, &people->groups_n, gid, name_of_group);
}
