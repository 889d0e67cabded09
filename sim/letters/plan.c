/* plan.c: before letters are sent again: whose they are, what that will do, what speaks against. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "letters/plan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <retrystorm/units.h>

#include "base/suggest.h"
#include "letters/traffic.h"

/* ---- the target ------------------------------------------------------------------------------ */

static uint32_t find_clients(const struct storm_scenario *scenario, const char *name) {
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        const struct storm_population *population = &scenario->populations[i];
        if (!storm_is_consumer(population) && strcmp(population->name, name) == 0) {
            return i;
        }
    }
    return STORM_NONE;
}

uint32_t plan_origin(const struct storm_scenario *scenario, const struct letter *letter) {
    uint32_t origin = find_clients(scenario, letter->says.population);
    assert(origin != STORM_NONE);
    return origin;
}

/* The population whose dead letters go to the letter's queue: the clients themselves, or the
   consumers of their messages. */
static uint32_t find_owner(const struct storm_scenario *scenario, const struct letter *letter) {
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        const struct storm_population *population = &scenario->populations[i];
        if (strcmp(storm_letter_queue_of(population), letter->says.queue) == 0 &&
            (storm_is_consumer(population) ||
             strcmp(population->name, letter->says.population) == 0)) {
            return i;
        }
    }
    return STORM_NONE;
}

static bool fail_owner(const struct storm_scenario *scenario, const struct letter *letter,
                       struct storm_error *error) {
    struct suggest suggest = suggest_begin(letter->says.queue);
    for (uint32_t i = 0; i < scenario->population_count; i++) {
        suggest_offer(&suggest, storm_letter_queue_of(&scenario->populations[i]));
    }
    storm_fail(error, STORM_INVALID,
               "the scenario has no dead-letter queue '%.60s' for requests of '%.60s'",
               letter->says.queue, letter->says.population);
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return false;
}

/* A letter's clients and member must be there, else nobody can send it. */
static bool check_origin(const struct storm_scenario *scenario, const struct letter *letter,
                         struct storm_error *error) {
    const struct dead_letter *says = &letter->says;
    uint32_t origin = find_clients(scenario, says->population);
    if (origin == STORM_NONE) {
        return storm_fail(error, STORM_INVALID,
                          "the scenario has no clients '%.60s', of letter "
                          "'%.60s'",
                          says->population, says->msg_id[0]);
    }
    uint32_t count = scenario->populations[origin].count;
    return says->member < count ||
           storm_fail(error, STORM_INVALID,
                      "letter '%.60s' is of client %u of '%.60s', who are %u in the scenario",
                      says->msg_id[0], says->member, says->population, count);
}

bool plan_target(const struct plan_wish *wish, struct plan_target *target,
                 struct storm_error *error) {
    const struct storm_scenario *scenario = wish->scenario;
    *target = (struct plan_target){.population = STORM_NONE};
    assert(wish->count > 0);
    for (uint32_t i = 0; i < wish->count; i++) {
        const struct letter *letter = wish->letters[i];
        uint32_t owner = find_owner(scenario, letter);
        if (owner == STORM_NONE) {
            return fail_owner(scenario, letter, error);
        }
        if (!check_origin(scenario, letter, error)) {
            return false;
        }
        if (i > 0 && owner != target->population) {
            storm_fail(error, STORM_INVALID,
                       "the letters are of several queues, such as '%.60s' and '%.60s'",
                       wish->letters[0]->says.queue, letter->says.queue);
            snprintf(error->suggestion, sizeof error->suggestion, "choose one with --queue");
            return false;
        }
        target->population = owner;
    }
    target->is_queue = storm_is_consumer(&scenario->populations[target->population]);
    return true;
}

/* ---- how long it takes ----------------------------------------------------------------------- */

/* Letters for which the run is too short. */
static uint32_t count_unsent(const struct plan_wish *wish) {
    storm_time duration = wish->scenario->duration;
    uint32_t low = 0, high = wish->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (storm_time_add(wish->at, storm_pace_time(&wish->pace, middle)) < duration) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return wish->count - low;
}

/* ---- the load -------------------------------------------------------------------------------- */

/* How long people wait who have not said so. */
#define PATIENCE (10 * STORM_SECOND)

/* The round number below: 1, 2 or 5 of some power of ten. */
static double round_rate(double rate) {
    double power = 1;
    if (!(rate > 0) || isinf(rate)) {
        return 0;
    }
    while (power * 10 <= rate) {
        power *= 10;
    }
    while (power > rate) {
        power /= 10;
    }
    return rate >= 5 * power ? 5 * power : rate >= 2 * power ? 2 * power : power;
}

/* What is asked of a place that does `capacity` letters a second, `live` of them for others, and
   makes `room` wait. At once: against what it does while its callers wait; paced: per second. */
static double ratio_of(const struct plan_wish *wish, double capacity, double live, storm_time waits,
                       double room) {
    double spare = capacity - live;
    if (wish->pace.rate > 0) {
        return (live + wish->pace.rate) / capacity;
    }
    double seconds = storm_time_to_seconds(waits < STORM_NEVER ? waits : PATIENCE);
    double can = fmin(spare * seconds, room);
    return can > 0 ? wish->count / can : HUGE_VAL;
}

/* Whether a service's crash rule strikes: `each` attempts reach it for one letter. */
static bool is_knocked_down(const struct plan_wish *wish, uint32_t index, double each,
                            double live) {
    const struct storm_service *service = &wish->scenario->services[index];
    double own = storm_service_capacity(service);
    double window = storm_time_to_seconds(service->crash_window);
    double at_once = wish->count * each;
    bool is_paced = wish->pace.rate > 0;
    switch (service->crash_when) {
    case STORM_CRASH_NEVER:
        break;
    case STORM_CRASH_OFFERED:
        at_once = is_paced ? wish->pace.rate * each * window : at_once;
        return at_once + live * window > service->crash_offered * own * window;
    case STORM_CRASH_QUEUE_FULL:
        return is_paced ? live + wish->pace.rate * each > own
                        : at_once > (double)service->workers + service->queue_limit;
    }
    return false;
}

/* A service on the way: the worst one so far stays in `load`. */
static void weigh_service(const struct plan_wish *wish, uint32_t index, double each, double live,
                          struct plan_load *load) {
    const struct storm_service *service = &wish->scenario->services[index];
    double capacity = traffic_capacity(wish->scenario, index);
    double room = service->queue_limit == STORM_UNLIMITED
                      ? HUGE_VAL
                      : (double)service->workers + service->queue_limit;
    storm_time waits = traffic_patience(wish->scenario, index);
    if (each <= 0 || isinf(capacity)) {
        return;
    }
    double ratio = ratio_of(wish, capacity / each, live / each, waits, room / each);
    if (isinf(load->capacity) || ratio > load->ratio) {
        load->name = service->name;
        load->capacity = capacity / each;
        load->live = live / each;
        load->waits = waits;
        load->ratio = ratio;
        load->knocks_down = is_knocked_down(wish, index, each, live);
    }
}

/* Letters that go into a queue wait there for its consumers. */
static void weigh_consumers(const struct plan_wish *wish, const struct plan_target *target,
                            const double *live, struct plan_load *load) {
    const struct storm_scenario *scenario = wish->scenario;
    const struct storm_population *consumers = &scenario->populations[target->population];
    const struct storm_queue *queue = &scenario->queues[consumers->queue];
    double capacity = traffic_consumer_capacity(scenario, target->population);
    load->memory = queue->memory;
    load->overflows = wish->pace.rate <= 0 && wish->count > queue->memory;
    load->crashes = load->overflows && queue->on_full == STORM_FULL_CRASH;
    double ratio = ratio_of(wish, capacity, live[queue->service], consumers->in_time, HUGE_VAL);
    if (isfinite(capacity) && (isinf(load->capacity) || ratio > load->ratio)) {
        load->name = consumers->name;
        load->is_consumers = true;
        load->capacity = capacity;
        load->live = live[queue->service];
        load->waits = consumers->in_time;
        load->ratio = ratio;
        load->knocks_down = false;
    }
}

/* All at once into a queue is, for what stands behind it, never more than its consumers have in
   their hands; and they are busy with the letters instead of with live messages. */
static struct plan_wish behind_queue(const struct plan_wish *wish, uint32_t population,
                                     const double *each, double *live) {
    const struct storm_population *consumers = &wish->scenario->populations[population];
    const struct storm_queue *queue = &wish->scenario->queues[consumers->queue];
    struct plan_wish behind = *wish;
    double through = live[queue->service];
    if (wish->pace.rate > 0) {
        return behind;
    }
    behind.count = consumers->count < wish->count ? consumers->count : wish->count;
    for (uint32_t i = 0; i < wish->scenario->service_count; i++) {
        live[i] = i == queue->service ? live[i] : fmax(0, live[i] - through * each[i]);
    }
    return behind;
}

void plan_load(const struct plan_wish *wish, const struct plan_target *target,
               struct plan_load *load) {
    double live[STORM_SERVICES_MAX], each[STORM_SERVICES_MAX];
    const struct storm_scenario *scenario = wish->scenario;
    *load = (struct plan_load){.capacity = HUGE_VAL,
                               .waits = STORM_NEVER,
                               .memory = STORM_UNLIMITED,
                               .drain = STORM_NEVER};
    traffic_of_clients(scenario, live);
    traffic_of_request(scenario, target->population, each);
    struct plan_wish reaching =
        target->is_queue ? behind_queue(wish, target->population, each, live) : *wish;
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        weigh_service(&reaching, i, each[i], live[i], load);
    }
    if (target->is_queue) {
        weigh_consumers(wish, target, live, load);
    }
    double spare = load->capacity - load->live;
    load->rate = round_rate(spare / 2);
    load->length = storm_pace_time(&wish->pace, wish->count - 1);
    load->unsent = count_unsent(wish);
    load->drain = spare > 0 ? storm_time_from_seconds(wish->count / spare) : STORM_NEVER;
}

/* ---- what strikes meanwhile ------------------------------------------------------------------ */

/* Whether letters come to the service: where they are sent, or on from there. */
static bool is_on_way(const struct storm_scenario *scenario, const struct plan_target *target,
                      uint32_t service) {
    double each[STORM_SERVICES_MAX];
    const struct storm_population *population = &scenario->populations[target->population];
    if (target->is_queue && scenario->queues[population->queue].service == service) {
        return true;
    }
    traffic_of_request(scenario, target->population, each);
    return each[service] > 0;
}

bool plan_meets_fault(const struct plan_wish *wish, const struct plan_target *target,
                      uint32_t index, storm_time *from, storm_time *to) {
    assert(index < wish->scenario->fault_count && wish->count > 0);
    const struct storm_fault *fault = &wish->scenario->faults[index];
    storm_time last = storm_time_add(wish->at, storm_pace_time(&wish->pace, wish->count - 1));
    *from = fault->at;
    *to = storm_fault_end(fault);
    if (fault->period > 0 && *to <= wish->at) {
        storm_time skipped = ((wish->at - *to) / fault->period + 1) * fault->period;
        *from += skipped;
        *to += skipped;
    }
    return *from <= last && *to > wish->at && *from < wish->scenario->duration &&
           is_on_way(wish->scenario, target, fault->service);
}

/* ---- once or twice --------------------------------------------------------------------------- */

bool plan_is_idempotent(const struct storm_scenario *scenario, const struct plan_target *target,
                        const char **name) {
    double each[STORM_SERVICES_MAX];
    bool is_protected = false;
    *name = NULL;
    traffic_of_request(scenario, target->population, each);
    for (uint32_t i = 0; i < scenario->service_count; i++) {
        const struct storm_service *service = &scenario->services[i];
        const struct storm_idempotency *idempotency = &service->idempotency;
        bool is_own = storm_queue_at(scenario, i) == STORM_NONE;
        if (each[i] <= 0 || !is_own) {
            continue;
        }
        if (idempotency->counted && idempotency->mode == STORM_IDEMPOTENCY_NONE) {
            *name = service->name;
            return false;
        }
        is_protected = is_protected || idempotency->counted;
        *name = *name == NULL ? service->name : *name;
    }
    return is_protected;
}
