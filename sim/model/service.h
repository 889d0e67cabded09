/* service.h: a callee's side: admit, queue, work, answer; go down, come up, recover. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_SERVICE_H
#define MODEL_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

struct world;

/* Prepares service `index` from its plan. False (with world->error set) at the memory limit. */
bool service_init(struct world *world, uint32_t index);

/* An attempt arrives: it is refused, swallowed, queued or started; it may knock the service
   down. */
void service_admit(struct world *world, uint32_t attempt);

/* The service's own work for an attempt is done: it fails, calls the next service, or is
   answered. */
void service_worked(struct world *world, uint32_t attempt);

/* The first of the attempts that share the workers of service `index` is done. */
void service_shared(struct world *world, uint32_t index);

/* A call that `attempt` was waiting for has ended and leaves it: to be followed by service_resume
   when the call is freed. */
void service_unlink(struct world *world, uint32_t attempt, uint32_t call);

/* How a call has ended. */
struct outcome {
    uint16_t status;
    bool success;
    uint32_t chain; /* attempts that led here at this instant */
};

/* Goes on with `attempt` after the end of a call of its own. */
void service_resume(struct world *world, uint32_t attempt, const struct outcome *outcome);

#endif
