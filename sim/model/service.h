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

/* The call that `attempt` was waiting for has ended with `status`, at the end of a chain of so many
   attempts at this instant. */
void service_resume(struct world *world, uint32_t attempt, uint16_t status, uint32_t chain);

#endif
