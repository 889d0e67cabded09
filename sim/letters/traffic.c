/* traffic.c: how much of a scenario's traffic reaches each service, and what each can take. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "letters/traffic.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <retrystorm/dist.h>
#include <retrystorm/units.h>

/* ---- along the calls ------------------------------------------------------------------------- */

/* What leaves the services after `now` has reached them. */
static void pass_on(const struct storm_scenario *scenario, const double *now, double *next) {
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        const struct storm_service *service = &scenario->services[i];
        for (uint32_t j = 0; j < service->call_count; j++) {
            next[scenario->calls[service->call_first + j].to] += now[i];
        }
        uint32_t queue = storm_queue_at(scenario, i);
        if (queue != STORM_NONE) {
            uint32_t consumers = scenario->queues[queue].consumers;
            next[scenario->populations[consumers].call.to] += now[i];
        }
    }
}

/* Adds up what reaches the services when `flow` does from outside. Calls do not go round in a
   circle, but messages may: those go round once for each service. */
static void spread(const struct storm_scenario *scenario, double *flow) {
    double now[STORM_SERVICES_MAX] = {0}, next[STORM_SERVICES_MAX];
    uint32_t count = scenario->service_count;
    assert(count <= STORM_SERVICES_MAX);
    memcpy(now, flow, count * sizeof *now);
    for (uint32_t round = 0; round < count; round++) {
        memset(next, 0, sizeof next);
        pass_on(scenario, now, next);
        for (uint32_t i = 0; i < count; i++) {
            flow[i] += next[i];
        }
        memcpy(now, next, sizeof now);
    }
}

/* The mean of a rate that follows a table. */
static double mean_rate(const struct storm_population *population) {
    const struct storm_rate_point *points = population->points;
    uint32_t last = population->point_count - 1;
    double sum = 0;
    for (uint32_t i = 0; i < last; i++) {
        double seconds = storm_time_to_seconds(points[i + 1].at - points[i].at);
        sum += (points[i].rate + points[i + 1].rate) / 2 * seconds;
    }
    double length = storm_time_to_seconds(points[last].at - points[0].at);
    return length > 0 ? sum / length : points[last].rate;
}

/* Births per second. */
static double rate_of(const struct storm_scenario *scenario,
                      const struct storm_population *population) {
    switch (population->arrival) {
    case STORM_ARRIVAL_POISSON:
    case STORM_ARRIVAL_EVEN:
        return population->rate;
    case STORM_ARRIVAL_EVERY:
        return population->count / storm_time_to_seconds(population->period);
    case STORM_ARRIVAL_RATE:
        return mean_rate(population);
    case STORM_ARRIVAL_CLOSED:
        return population->count / (storm_dist_mean(&population->think) +
                                    2 * storm_dist_mean(&population->call.network) +
                                    traffic_hold_time(scenario, population->call.to));
    case STORM_ARRIVAL_AT:    /* once */
    case STORM_ARRIVAL_QUEUE: /* they have no births of their own */
        break;
    }
    return 0;
}

void traffic_of_clients(const struct storm_scenario *scenario, double *flow) {
    memset(flow, 0, scenario->service_count * sizeof *flow);
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        const struct storm_population *population = &scenario->populations[i];
        double rate = rate_of(scenario, population);
        flow[population->call.to] += isfinite(rate) ? rate : 0;
    }
    spread(scenario, flow);
}

void traffic_of_request(const struct storm_scenario *scenario, uint32_t population, double *flow) {
    assert(population < scenario->population_count);
    memset(flow, 0, scenario->service_count * sizeof *flow);
    flow[scenario->populations[population].call.to] = 1;
    spread(scenario, flow);
}

/* ---- what is possible ------------------------------------------------------------------------ */

static double call_time(const struct storm_scenario *scenario, const struct storm_edge *edge) {
    return 2 * storm_dist_mean(&edge->network) + traffic_hold_time(scenario, edge->to);
}

double traffic_hold_time(const struct storm_scenario *scenario, uint32_t service) {
    const struct storm_service *s = &scenario->services[service];
    double own = storm_dist_mean(&s->service_time), calls = 0;
    for (uint32_t i = s->call_first; s->hold && i < s->call_first + s->call_count; i++) {
        double time = call_time(scenario, &scenario->calls[i]);
        calls = s->fan_out ? fmax(calls, time) : calls + time;
    }
    return own + calls;
}

double traffic_capacity(const struct storm_scenario *scenario, uint32_t service) {
    const struct storm_service *s = &scenario->services[service];
    double time = traffic_hold_time(scenario, service);
    double work = s->workers == STORM_UNLIMITED || time <= 0 ? HUGE_VAL : s->workers / time;
    return s->limit_rate > 0 ? fmin(work, s->limit_rate) : work;
}

double traffic_consumer_capacity(const struct storm_scenario *scenario, uint32_t population) {
    const struct storm_population *consumers = &scenario->populations[population];
    double time = call_time(scenario, &consumers->call);
    assert(storm_is_consumer(consumers));
    return time > 0 ? consumers->count / time : HUGE_VAL;
}

static storm_time edge_patience(const struct storm_edge *edge) {
    return storm_time_earlier(storm_edge_timeout(edge), edge->deadline);
}

storm_time traffic_patience(const struct storm_scenario *scenario, uint32_t service) {
    storm_time least = STORM_NEVER;
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        const struct storm_edge *edge = &scenario->populations[i].call;
        least = edge->to == service ? storm_time_earlier(least, edge_patience(edge)) : least;
    }
    for (uint32_t i = 0; i < scenario->call_count; i++) {
        const struct storm_edge *edge = &scenario->calls[i];
        least = edge->to == service ? storm_time_earlier(least, edge_patience(edge)) : least;
    }
    return least;
}
