/* test_queues.c: services without retries are textbook queues: what theory says of them, row by
   row.

   A row with a known asymptotic variance is one long run: |z| < 4. A row without is 64 short runs
   and Student's t: |t| < 5. A row that fails is tried once more with the next seed and four times
   the length, and fails only if both do. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv.h"
#include "support/test.h"
#include "support/world.h"

enum { ROWS_MAX = 200, TOGETHER_MAX = 16, RUNS = 64, YAML_MAX = 1024 };

static const double arrivals_most = 2e6;    /* of the one run of a row with a known variance */
static const double arrivals_short = 10000; /* of each of the 64 */
static const double tolerance = 0.025;      /* aim of 4 standard errors, as a share of the value */
static const double z_most = 4, t_most = 5;

enum quantity {
    LEVEL,
    BUSY,
    WAIT,
    WAIT_OVER,
    SOJOURN,
    SOJOURN_VARIANCE,
    SOJOURN_OVER,
    LOSS,
    GOODPUT,
    TIMEOUTS
};

static const char *const quantity_words[] = {
    "level",        "busy", "wait",    "wait_over", "sojourn", "sojourn_variance",
    "sojourn_over", "loss", "goodput", "timeouts"};

/* A queue and one thing known of it. Numbers that do not apply are +inf. */
struct row {
    double lambda, mu, workers, places, timeout, cv;
    const char *law, *order;
    enum quantity quantity;
    double at, value, sigma2;
    bool per_customer;
};

/* What was seen after the warm-up of a run. */
struct watch {
    storm_time warm, changed;
    double level, busy, level_time, busy_time; /* now, and times seconds */
    double born, arrived, refused, started, succeeded, timed_out;
    double wait, sojourn, sojourn_squares;
    const struct row *rows;
    size_t row_count;
    double over[TOGETHER_MAX]; /* by row: how many waits or sojourns were longer than `at` */
};

/* ---- seeing ---------------------------------------------------------------------------------- */

static void pass_time(struct watch *watch, storm_time now) {
    storm_time from = watch->changed > watch->warm ? watch->changed : watch->warm;
    if (now > from) {
        double seconds = storm_time_to_seconds(now - from);
        watch->level_time += watch->level * seconds;
        watch->busy_time += watch->busy * seconds;
    }
    watch->changed = now;
}

static void count_over(struct watch *watch, enum quantity quantity, double seconds) {
    for (size_t i = 0; i < watch->row_count; i++) {
        watch->over[i] += watch->rows[i].quantity == quantity && seconds > watch->rows[i].at;
    }
}

static void see_start(struct watch *watch, const struct storm_fact *fact) {
    double wait = storm_time_to_seconds(fact->time - fact->since);
    watch->started++;
    watch->wait += wait;
    count_over(watch, WAIT_OVER, wait);
}

static void see_success(struct watch *watch, const struct storm_fact *fact) {
    double sojourn = storm_time_to_seconds(fact->time - fact->since);
    watch->succeeded++;
    watch->sojourn += sojourn;
    watch->sojourn_squares += sojourn * sojourn;
    count_over(watch, SOJOURN_OVER, sojourn);
}

static void see(void *context, const struct storm_fact *fact) {
    struct watch *watch = context;
    pass_time(watch, fact->time);
    watch->level += (fact->kind == STORM_FACT_ARRIVED) - (fact->kind == STORM_FACT_REFUSED) -
                    (fact->kind == STORM_FACT_SERVED);
    watch->busy += (fact->kind == STORM_FACT_STARTED) - (fact->kind == STORM_FACT_SERVED);
    if (fact->time < watch->warm) {
        return;
    }
    watch->born += fact->kind == STORM_FACT_BORN;
    watch->arrived += fact->kind == STORM_FACT_ARRIVED;
    watch->refused += fact->kind == STORM_FACT_REFUSED;
    watch->timed_out += fact->kind == STORM_FACT_GAVE_UP;
    if (fact->kind == STORM_FACT_STARTED) {
        see_start(watch, fact);
    } else if (fact->kind == STORM_FACT_SUCCEEDED) {
        see_success(watch, fact);
    }
}

/* What a row's quantity came to in `seconds` after the warm-up. */
static double measure(const struct watch *watch, size_t row, double seconds) {
    double mean = watch->sojourn / watch->succeeded;
    switch (watch->rows[row].quantity) {
    case LEVEL:
        return watch->level_time / seconds;
    case BUSY:
        return watch->busy_time / seconds;
    case WAIT:
        return watch->wait / watch->started;
    case WAIT_OVER:
        return watch->over[row] / watch->started;
    case SOJOURN:
        return mean;
    case SOJOURN_VARIANCE:
        return watch->sojourn_squares / watch->succeeded - mean * mean;
    case SOJOURN_OVER:
        return watch->over[row] / watch->succeeded;
    case LOSS:
        return watch->refused / watch->arrived;
    case GOODPUT:
        return watch->succeeded / seconds;
    case TIMEOUTS:
        return watch->timed_out / watch->born;
    }
    assert(false && "no such quantity");
    return 0;
}

/* ---- living ---------------------------------------------------------------------------------- */

/* The laws of service as the scenario writes them. */
static void print_law(const struct row *row, char *text, size_t size) {
    if (strcmp(row->law, "lognormal") == 0) {
        world_print(text, size, "{lognormal: {mean: %.9gs, cv: %g}}", 1 / row->mu, row->cv);
    } else {
        world_print(text, size, "{%s: %.9gs}", row->law, 1 / row->mu);
    }
}

static void print_count(double count, char *text, size_t size) {
    world_print(text, size, count < HUGE_VAL ? "%.0f" : "unlimited", count);
}

static struct world_case build(const struct row *row, double seconds) {
    char text[YAML_MAX], law[128], limit[32], timeout[32] = "none";
    print_law(row, law, sizeof law);
    print_count(row->places - row->workers, limit, sizeof limit);
    if (row->timeout < HUGE_VAL) {
        world_print(timeout, sizeof timeout, "%.9gs", row->timeout);
    }
    world_print(text, sizeof text,
                "version: 1\nduration: %.9fs\n"
                "clients: {all: {count: 1, arrivals: {poisson: %.9g/s}, "
                "calls: {to: queue, timeout: %s}}}\n"
                "services: {queue: {workers: %.0f, service_time: %s, "
                "queue: {limit: %s, order: %s}}}\n",
                seconds, row->lambda, timeout, row->workers, law, limit, row->order);
    return world_write(text);
}

/* Ten relaxation times of the queue; near and above saturation as long as a bounded queue takes
   to fill. */
static double warm_up(const struct row *row) {
    double capacity = row->workers * row->mu;
    double gap = 1 - sqrt(row->lambda / capacity);
    double services = 10 / (gap * gap);
    return (services < 5000 ? services : 5000) / capacity;
}

/* One run of a queue: the rows are measured over `seconds` after the warm-up. Returns the
   customers who got in. */
static double live(struct world_case *world, const struct row *rows, size_t count, double seconds,
                   uint64_t seed, uint32_t run, double *values) {
    struct watch watch = {.rows = rows, .row_count = count};
    watch.warm = storm_time_from_seconds(warm_up(rows));
    struct storm_listener listener = {see, &watch};
    world_live(world, seed, run, &listener);
    pass_time(&watch, world->scenario->duration);
    for (size_t i = 0; i < count; i++) {
        values[i] = measure(&watch, i, seconds);
    }
    return watch.started;
}

/* ---- judging --------------------------------------------------------------------------------- */

/* How long one run must be for the aim, at most `arrivals_most` arrivals. */
static double length_of(const struct row *row) {
    double parts = 4 / (tolerance * row->value);
    double length = row->sigma2 * parts * parts / (row->per_customer ? row->lambda : 1);
    double most = arrivals_most / row->lambda;
    return length < most ? length : most;
}

static void tell(const struct row *row, double ours, double error, double score, bool is_z) {
    char at[32] = "";
    if (row->at < HUGE_VAL) {
        world_print(at, sizeof at, " %g", row->at);
    }
    print_message(
        "c %-3g K %-4g lambda %-4g %-11s %s %-16s%-4s truth %-12.10g ours %-11.6g +-%4.1f%% "
        "%s %5.2f\n",
        row->workers, row->places, row->lambda, row->law, row->order, quantity_words[row->quantity],
        at, row->value, ours, row->value > 0 ? 100 * 4 * error / row->value : 0, is_z ? "z" : "t",
        score);
}

/* One long run. Sets good[i] for every row with a known variance. */
static void judge_by_variance(const struct row *rows, size_t count, uint64_t seed, double times,
                              bool *good) {
    double seconds = 0, values[TOGETHER_MAX];
    for (size_t i = 0; i < count; i++) {
        double own = rows[i].sigma2 < HUGE_VAL ? length_of(&rows[i]) : 0;
        seconds = own > seconds ? own : seconds;
    }
    if (seconds == 0) {
        return;
    }
    seconds *= times;
    struct world_case world = build(rows, seconds + warm_up(rows));
    double customers = live(&world, rows, count, seconds, seed, 0, values);
    world_free(&world);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].sigma2 < HUGE_VAL) {
            double error = sqrt(rows[i].sigma2 / (rows[i].per_customer ? customers : seconds));
            double z = (values[i] - rows[i].value) / error;
            tell(&rows[i], values[i], error, z, true);
            good[i] = fabs(z) < z_most;
        }
    }
}

static void judge_by_replication(const struct row *rows, size_t count, uint64_t seed, double times,
                                 bool *good) {
    double sum[TOGETHER_MAX] = {0}, squares[TOGETHER_MAX] = {0}, values[TOGETHER_MAX];
    double seconds = times * arrivals_short / rows->lambda;
    struct world_case world = build(rows, seconds + warm_up(rows));
    for (uint32_t run = 0; run < RUNS; run++) {
        live(&world, rows, count, seconds, seed, run, values);
        for (size_t i = 0; i < count; i++) {
            double off = values[i] - rows[i].value; /* small numbers: their squares lose nothing */
            sum[i] += off;
            squares[i] += off * off;
        }
    }
    world_free(&world);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].sigma2 == HUGE_VAL) {
            double mean = sum[i] / RUNS;
            double variance = (squares[i] - mean * sum[i]) / (RUNS - 1);
            double error = sqrt(variance / RUNS);
            double t = error > 0 ? mean / error : mean == 0 ? 0 : HUGE_VAL;
            tell(&rows[i], mean + rows[i].value, error, t, false);
            good[i] = fabs(t) < t_most;
        }
    }
}

static void judge(const struct row *rows, size_t count, uint64_t seed, double times, bool *good) {
    bool replicate = false;
    for (size_t i = 0; i < count; i++) {
        replicate = replicate || rows[i].sigma2 == HUGE_VAL;
    }
    judge_by_variance(rows, count, seed, times, good);
    if (replicate) {
        judge_by_replication(rows, count, seed, times, good);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static enum quantity quantity_of(const char *word) {
    for (size_t i = 0; i < sizeof quantity_words / sizeof quantity_words[0]; i++) {
        if (strcmp(quantity_words[i], word) == 0) {
            return (enum quantity)i;
        }
    }
    fail_msg("there is no quantity '%s'", word);
    return LEVEL;
}

static struct row read_row(const struct csv *csv, size_t row) {
    return (struct row){.lambda = csv_number(csv, row, "lambda"),
                        .mu = csv_number(csv, row, "mu"),
                        .workers = csv_number(csv, row, "workers"),
                        .places = csv_number(csv, row, "places"),
                        .timeout = csv_number(csv, row, "timeout"),
                        .cv = csv_number(csv, row, "cv"),
                        .law = csv_text(csv, row, "law"),
                        .order = csv_text(csv, row, "order"),
                        .quantity = quantity_of(csv_text(csv, row, "quantity")),
                        .at = csv_number(csv, row, "at"),
                        .value = csv_number(csv, row, "value"),
                        .sigma2 = csv_number(csv, row, "sigma2"),
                        .per_customer = strcmp(csv_text(csv, row, "per"), "customer") == 0};
}

/* True when two rows are about the same queue, so that one run serves both. */
static bool is_same_queue(const struct row *a, const struct row *b) {
    return a->lambda == b->lambda && a->mu == b->mu && a->workers == b->workers &&
           a->places == b->places && a->timeout == b->timeout && a->cv == b->cv &&
           strcmp(a->law, b->law) == 0 && strcmp(a->order, b->order) == 0;
}

static void textbook_queues_agree_with_theory(void **state) {
    (void)state;
    static struct row rows[ROWS_MAX];
    struct csv csv = csv_read(STORM_SOURCE_DIR "/tests/data/queue_truths.csv");
    size_t failures = 0, again = 0;
    assert_true(csv.rows >= 40 && csv.rows <= ROWS_MAX);
    for (size_t i = 0; i < csv.rows; i++) {
        rows[i] = read_row(&csv, i);
    }
    for (size_t first = 0, next; first < csv.rows; first = next) {
        bool good[TOGETHER_MAX];
        for (next = first + 1; next < csv.rows && is_same_queue(&rows[first], &rows[next]);) {
            next++;
        }
        assert_true(next - first <= TOGETHER_MAX);
        judge(&rows[first], next - first, 2 * first + 1, 1, good);
        for (size_t i = first; i < next; i++) {
            if (!good[i - first]) {
                again++;
                judge(&rows[i], 1, 2 * first + 2, 4, &good[i - first]);
                failures += !good[i - first];
            }
        }
    }
    print_message("%zu rows, %zu of them run again, %zu failed\n", csv.rows, again, failures);
    csv_free(&csv);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(textbook_queues_agree_with_theory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
