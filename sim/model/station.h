/* station.h: the workers and the queue of a service: start, wait, answer, refuse, swallow. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_STATION_H
#define MODEL_STATION_H

#include <stdbool.h>
#include <stdint.h>

struct attempt;
struct world;

/* Gives the attempt a worker and schedules the end of its work. `waited`: it comes out of the
   queue. */
void station_start(struct world *world, uint32_t attempt, bool waited);

/* Puts the attempt at the end of the queue. */
void station_queue(struct world *world, uint32_t attempt);

/* Starts waiting attempts while workers are free. */
void station_pull(struct world *world, uint32_t service);

/* The attempt, working or waiting downstream, leaves with an answer; its worker is free for the
   next. */
void station_answer(struct world *world, uint32_t attempt, uint16_t status);

/* Answers an arriving attempt without any work. */
void station_refuse(struct world *world, uint32_t attempt, uint16_t status);

/* An outage takes the attempt, which must be in no list: with a status (reset) its caller is told,
   with 0 it vanishes, and a caller that waits for it learns by its timeout. Its state still says
   where it was. */
void station_lose(struct world *world, uint32_t attempt, uint16_t status);

/* Sends the attempt's answer back to its caller, or frees the attempt when nobody waits. It must
   be in no list. */
void station_send_back(struct world *world, uint32_t attempt, uint16_t status);

/* The service's own error for this attempt, or one that a fault adds; 0 for none. */
uint16_t station_draw_error(const struct world *world, const struct attempt *attempt);

#endif
