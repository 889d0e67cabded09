/* station.h: the workers and the queue of a service: start, wait, answer, refuse, swallow, take
   back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_STATION_H
#define MODEL_STATION_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/scenario.h>

struct attempt;
struct world;

/* A worker takes up the attempt (where workers are shared: it gets its part of all), and the end of
   its work is scheduled; or, where the service has seen its request before, it is answered at once
   or set aside. `waited`: it comes out of the queue. */
void station_begin(struct world *world, uint32_t attempt, bool waited);

/* Puts the attempt at the end of the queue. */
void station_queue(struct world *world, uint32_t attempt);

/* Starts waiting attempts while workers are free. */
void station_pull(struct world *world, uint32_t service);

/* The attempt, which begins to wait for other services, gives its worker free for the next. */
void station_park(struct world *world, uint32_t attempt);

/* The attempt, working or waiting downstream, leaves with an answer; its worker is free for the
   next. */
void station_answer(struct world *world, uint32_t attempt, uint16_t status);

/* Answers an arriving attempt without any work; status 0: it is dropped without a word. `hint`: how
   long its caller is told to stay away; HINT_NONE: nothing is said. */
void station_refuse(struct world *world, uint32_t attempt, uint16_t status, storm_time hint);

/* The network loses the attempt, or its answer of that status: the call that waits for it waits in
   vain. It must be in no list. */
void station_vanish(struct world *world, uint32_t attempt, uint16_t status);

/* An outage takes the attempt, which must be in no list: with a status (reset) its caller is told,
   with 0 it vanishes, and a caller that waits for it learns by its timeout. Its state still says
   where it was. */
void station_lose(struct world *world, uint32_t attempt, uint16_t status);

/* The attempt's caller takes it back. What is on its way or waits is freed, and with
   STORM_CANCEL_ALL also what is in service, with all that it called. False when it goes on, as
   ghost work or as an answer on its way. */
bool station_cancel(struct world *world, uint32_t attempt, enum storm_cancel mode);

/* Takes the attempt, which is at the service, out of the list that it is in. */
void station_remove(struct world *world, uint32_t attempt);

/* The service's own error for this attempt, or one that a fault adds; 0 for none. */
uint16_t station_draw_error(const struct world *world, const struct attempt *attempt);

#endif
