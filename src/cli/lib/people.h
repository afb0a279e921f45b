/*
 * people.h - names of users and groups by their numbers, as this host knows them. Each number is
 * asked for once. `struct people people = { 0 };` knows none.
 */
#pragma once

#include <stdint.h>

struct person {
    uint32_t id;
    char *name; /* NULL: the host knows none */
};

struct people {
    struct person *users, *groups; /* sorted by id */
    uint32_t users_n, groups_n;
};

void people_clear(struct people *people);

/* Return the name, which people keeps, or NULL. */
const char *people_user(struct people *people, uint32_t uid);
const char *people_group(struct people *people, uint32_t gid);
