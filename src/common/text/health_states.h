/* health_states.h - HealthCheckNodeState: on which nodes HealthCheckProgram runs. */
#pragma once

enum health_states {
    HEALTH_IDLE = 1,
    HEALTH_ALLOC = 2,
    HEALTH_MIXED = 4,
    HEALTH_NONDRAINED_IDLE = 8,
    HEALTH_STATES = 15, /* without one of these: any */
    HEALTH_CYCLE = 16,
    HEALTH_START_ONLY = 32,
    HEALTH_ANY = 64, /* whatever other state is named */
};
