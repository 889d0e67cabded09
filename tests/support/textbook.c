/* textbook.c: the systems of the truth tables: one population, one service, read from a row and
   written as a scenario. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/textbook.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

enum { YAML_MAX = 2048, PART_MAX = 256 };

/* ---- reading --------------------------------------------------------------------------------- */

static double number(const struct csv *csv, size_t row, const char *column) {
    return csv_has(csv, column) ? csv_number(csv, row, column) : HUGE_VAL;
}

static const char *word(const struct csv *csv, size_t row, const char *column) {
    return csv_has(csv, column) ? csv_text(csv, row, column) : "";
}

struct textbook textbook_read(const struct csv *csv, size_t row) {
    struct textbook system = {.lambda = csv_number(csv, row, "lambda"),
                              .mu = csv_number(csv, row, "mu"),
                              .workers = csv_number(csv, row, "workers"),
                              .places = number(csv, row, "places"),
                              .cv = number(csv, row, "cv"),
                              .timeout = number(csv, row, "timeout"),
                              .persist = number(csv, row, "persist"),
                              .law = csv_text(csv, row, "law"),
                              .order = word(csv, row, "order"),
                              .sharing = word(csv, row, "sharing"),
                              .timeout_law = word(csv, row, "timeout_law"),
                              .cancel = word(csv, row, "cancel"),
                              .drop_expired = word(csv, row, "drop_expired"),
                              .delays = word(csv, row, "delays"),
                              .head_only = word(csv, row, "head_only")};
    const char *attempts = word(csv, row, "attempts");
    system.attempts = strcmp(attempts, "unlimited") == 0 ? HUGE_VAL
                      : attempts[0] == '\0'              ? 1
                                                         : strtod(attempts, NULL);
    return system;
}

static bool is_same_text(const char *a, const char *b) { return strcmp(a, b) == 0; }

bool textbook_is_same(const struct textbook *a, const struct textbook *b) {
    return a->lambda == b->lambda && a->mu == b->mu && a->workers == b->workers &&
           a->places == b->places && a->cv == b->cv && a->timeout == b->timeout &&
           a->attempts == b->attempts && a->persist == b->persist && is_same_text(a->law, b->law) &&
           is_same_text(a->order, b->order) && is_same_text(a->sharing, b->sharing) &&
           is_same_text(a->timeout_law, b->timeout_law) && is_same_text(a->cancel, b->cancel) &&
           is_same_text(a->drop_expired, b->drop_expired) && is_same_text(a->delays, b->delays) &&
           is_same_text(a->head_only, b->head_only);
}

/* ---- for people ------------------------------------------------------------------------------ */

/* Appends a part in front of which a comma belongs. */
static void append(char *text, size_t size, const char *part) {
    size_t length = strlen(text);
    world_print(text + length, size - length, ", %s", part);
}

static void describe_retries(const struct textbook *system, char *text, size_t size) {
    char part[PART_MAX];
    if (system->attempts < HUGE_VAL && system->attempts > 1) {
        world_print(part, sizeof part, "%.0f attempts", system->attempts);
        append(text, size, part);
    }
    if (system->attempts > 1) {
        bool at_once = is_same_text(system->delays, "0");
        world_print(part, sizeof part, at_once ? "retries at once" : "retries after %s",
                    system->delays);
        append(text, size, part);
    }
    if (system->persist < HUGE_VAL) {
        world_print(part, sizeof part, "goes on with %g", system->persist);
        append(text, size, part);
    }
    if (is_same_text(system->head_only, "true")) {
        append(text, size, "only the head retries");
    }
}

static void describe_leaving(const struct textbook *system, char *text, size_t size) {
    char part[PART_MAX];
    if (system->timeout == HUGE_VAL) {
        return;
    }
    world_print(part, sizeof part, "timeout %s%.4g",
                is_same_text(system->timeout_law, "exponential") ? "exp. " : "", system->timeout);
    append(text, size, part);
    if (is_same_text(system->cancel, "waiting")) {
        append(text, size, "cancelled while waiting");
    } else if (is_same_text(system->drop_expired, "true")) {
        append(text, size, "dropped when expired");
    }
}

void textbook_describe(const struct textbook *system, char *text, size_t size) {
    char part[PART_MAX];
    world_print(text, size, "lambda %.7g, mu %g, c %.0f", system->lambda, system->mu,
                system->workers);
    if (system->places < HUGE_VAL) {
        world_print(part, sizeof part, "K %.0f", system->places);
        append(text, size, part);
    }
    if (!is_same_text(system->law, "exponential")) {
        bool staged = is_same_text(system->law, "erlang");
        world_print(part, sizeof part, system->cv < HUGE_VAL ? "%s %s %.3g" : "%s", system->law,
                    staged ? "of stages" : "of cv", system->cv);
        append(text, size, part);
    }
    if (is_same_text(system->order, "lifo")) {
        append(text, size, "LIFO");
    }
    describe_leaving(system, text, size);
    describe_retries(system, text, size);
}

/* ---- for the reader of scenarios ------------------------------------------------------------- */

/* The laws of service as the scenario writes them. */
static void write_law(const struct textbook *system, char *text, size_t size) {
    double mean = 1 / system->mu;
    if (is_same_text(system->law, "two-point")) {
        assert(mean == 1);
        world_print(text, size,
                    "{empirical: {0%%: 500ms, 66.6666666%%: 500ms, "
                    "66.6666667%%: 2s, 100%%: 2s}}");
    } else if (is_same_text(system->law, "erlang")) {
        world_print(text, size, "{erlang: {mean: %.9gs, stages: %.0f}}", mean, system->cv);
    } else if (system->cv < HUGE_VAL) {
        world_print(text, size, "{%s: {mean: %.9gs, cv: %.15g}}", system->law, mean, system->cv);
    } else {
        world_print(text, size, "{%s: %.9gs}", system->law, mean);
    }
}

/* One delay: each time the same mean; several: they double. */
static void write_policy(const struct textbook *system, char *text, size_t size) {
    char attempts[32] = "unlimited", delay[PART_MAX], *next;
    if (system->attempts < HUGE_VAL) {
        world_print(attempts, sizeof attempts, "%.0f", system->attempts);
    }
    double first = strtod(system->delays, &next);
    double second = *next == '/' ? strtod(next + 1, NULL) : first;
    if (system->attempts == 1 || first == 0) {
        /* A full queue's refusal is the end. */
        world_print(delay, sizeof delay, "delay: no-backoff, give_up_on: [503]");
    } else {
        world_print(delay, sizeof delay, "delay: %s, base: %.9gs%s, law: exponential",
                    first == second ? "fixed" : "exponential", first,
                    first == second ? "" : ", cap: none");
        assert(second == first || second == 2 * first);
    }
    world_print(text, size, "{%s, attempts: %s, persist: %.9g%%, head_only: %s}", delay, attempts,
                system->persist < HUGE_VAL ? 100 * system->persist : 100,
                is_same_text(system->head_only, "true") ? "true" : "false");
}

static void write_timeout(const struct textbook *system, char *text, size_t size) {
    if (system->timeout == HUGE_VAL) {
        world_print(text, size, "none");
    } else {
        world_print(text, size, "{%s: %.9gs}", system->timeout_law, system->timeout);
    }
}

static const char *or_else(const char *text, const char *otherwise) {
    return text[0] != '\0' ? text : otherwise;
}

struct world_case textbook_write(const struct textbook *system, double seconds) {
    char text[YAML_MAX], law[PART_MAX], policy[PART_MAX], timeout[PART_MAX],
        limit[32] = "unlimited";
    write_law(system, law, sizeof law);
    write_policy(system, policy, sizeof policy);
    write_timeout(system, timeout, sizeof timeout);
    if (system->places < HUGE_VAL) {
        world_print(limit, sizeof limit, "%.0f", system->places - system->workers);
    }
    world_print(text, sizeof text,
                "version: 1\nduration: %.9fs\n"
                "policies: {again: %s}\n"
                "clients: {all: {count: 1, arrivals: {poisson: %.10g/s}, "
                "calls: {to: queue, timeout: %s, cancel: %s, retry: again}}}\n"
                "services: {queue: {workers: %.0f, service_time: %s, sharing: %s, "
                "queue: {limit: %s, order: %s, drop_expired: %s}}}\n",
                seconds, policy, system->lambda, timeout, or_else(system->cancel, "none"),
                system->workers, law, or_else(system->sharing, "false"), limit,
                or_else(system->order, "fifo"), or_else(system->drop_expired, "false"));
    return world_write(text);
}

/* ---- warming up ------------------------------------------------------------------------------ */

/* Of the queue alone; near and above saturation as long as a bounded queue takes to fill. */
static double warm_queue(const struct textbook *system) {
    double capacity = system->workers * system->mu;
    double gap = 1 - sqrt(system->lambda / capacity);
    double services = 10 / (gap * gap);
    return (services < 5000 ? services : 5000) / capacity;
}

/* Of those who back off. Without end to their patience the orbit is a queue that drains at the
   slower the nearer saturation is: linearised about its mean, by theta (1 - rho)^2 a second; where
   only its head retries it is served like M/M/1 at load sigma = lambda (lambda + theta) / (theta
   mu). With an end it is forgotten once everybody in it has left. */
static double warm_orbit(const struct textbook *system) {
    char *next;
    double delay = strtod(system->delays, &next), load = system->lambda / system->mu;
    if (is_same_text(system->head_only, "true")) {
        double gap = 1 - sqrt(load * (1 + system->lambda * delay));
        return 10 * (delay + 1 / system->mu) / (gap * gap);
    }
    if (system->persist < HUGE_VAL) {
        double places = system->places + 1;
        return 10 * (delay / (1 - system->persist) + places * places / system->workers);
    }
    if (system->attempts < HUGE_VAL) {
        double places = system->places + 1, sum = delay;
        while (*next == '/') {
            sum += strtod(next + 1, &next);
        }
        return 10 * (sum + places * places / system->workers);
    }
    load /= system->workers;
    return 10 * delay / ((1 - load) * (1 - load));
}

/* Of a queue that is bounded by the patience of those in it, not by its load: it fills within a
   patience or two, and at a load of one it diffuses between its bounds. */
static double warm_patience(const struct textbook *system) {
    return 10 * system->timeout + system->mu * system->timeout * system->timeout;
}

double textbook_warm_up(const struct textbook *system) {
    bool leaves = is_same_text(system->cancel, "waiting") || system->drop_expired[0] != '\0';
    return 10 / system->mu + warm_queue(system) + (leaves ? warm_patience(system) : 0) +
           (system->attempts > 1 ? warm_orbit(system) : 0);
}
