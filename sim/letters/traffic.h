/* traffic.h: how much of a scenario's traffic reaches each service, and what each can take. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LETTERS_TRAFFIC_H
#define LETTERS_TRAFFIC_H

#include <stdint.h>

#include <retrystorm/scenario.h>

/* Requests per second that the clients want all the time (of rates that change: on average), on
   their way through the services: flow[service], without any retry. Consumers hand on what reaches
   their queue. */
void traffic_of_clients(const struct storm_scenario *scenario, double *flow);

/* How often one request of this population reaches each service. */
void traffic_of_request(const struct storm_scenario *scenario, uint32_t population, double *flow);

/* Seconds that an attempt holds a worker of the service when nobody else is there. */
double traffic_hold_time(const struct storm_scenario *scenario, uint32_t service);

/* What the service can do, per second: its workers, or its rate limit if that is less; +inf: any
   number. */
double traffic_capacity(const struct storm_scenario *scenario, uint32_t service);

/* What the consumers of a queue can do, per second, with nobody in their way. */
double traffic_consumer_capacity(const struct storm_scenario *scenario, uint32_t population);

/* The least time that any caller of the service waits for an answer; STORM_NEVER: for ever. */
storm_time traffic_patience(const struct storm_scenario *scenario, uint32_t service);

#endif
