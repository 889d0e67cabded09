/* test_presets.c: the products against the numbers that were taken from them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/stream.h"
#include "policy/classify.h"
#include "policy/delay.h"
#include "policy/registry.h"
#include "support/csv.h"
#include "support/retries.h"
#include "support/test.h"

enum { PRODUCTS = 103, CELLS_MOST = 64000 };
static const double almost_one = 1 - 0x1p-53;
static const double published_draws = 20000;

/* ---- the table of vectors ----------------------------------------------------------------- */

/* One row: what a reference that is independent of this program says about one delay. */
struct vector {
    const char *name;
    const struct storm_delay *delay;
    uint32_t n;
    bool is_recursive; /* then low, high and mean are those of so many published draws */
    double nominal, low, high, mean;
};

static struct vector vector_at(const struct csv *csv, size_t row) {
    struct vector v = {.name = csv_text(csv, row, "preset"),
                       .n = (uint32_t)csv_number(csv, row, "retry_n"),
                       .nominal = csv_number(csv, row, "nominal_no_jitter_s"),
                       .low = csv_number(csv, row, "lo_s"),
                       .high = csv_number(csv, row, "hi_s"),
                       .mean = csv_number(csv, row, "mean_s")};
    v.is_recursive = strcmp(csv_text(csv, row, "note"), "closed form") != 0;
    const struct policy_preset *preset = policy_preset_find(v.name);
    if (preset == NULL)
        fail_msg("there is no preset '%s'", v.name);
    v.delay = &preset->policy.delay;
    return v;
}

static struct csv vectors_read(void) {
    struct csv csv = csv_read(STORM_SOURCE_DIR "/tests/data/vectors.csv");
    assert_int_equal(csv.rows, PRODUCTS * RETRIES);
    return csv;
}

static void without_jitter_every_product_grows_as_it_should(void **state) {
    (void)state;
    struct csv csv = vectors_read();
    for (size_t row = 0; row < csv.rows; row++) {
        struct vector v = vector_at(&csv, row);
        assert_int_equal(v.n, row % RETRIES + 1);
        retries_near(delay_nominal(v.delay, v.n), v.nominal, 1e-8 * v.nominal, v.name, v.n);
    }
    csv_free(&csv);
}

/* A product without jitter waits exactly so, whatever is drawn. */
static void what_has_no_jitter_is_the_same_at_every_draw(void **state) {
    (void)state;
    struct csv csv = vectors_read();
    uint32_t fixed = 0;
    for (size_t row = 0; row < csv.rows; row++) {
        struct vector v = vector_at(&csv, row);
        if (v.is_recursive || v.low != v.high)
            continue;
        for (int k = 0; k < 5; k++)
            retries_near(retries_nth(v.delay, v.n, k < 4 ? k / 4.0 : almost_one), v.low,
                         1e-8 * v.low, v.name, v.n);
        fixed++;
    }
    assert_true(fixed > 300);
    csv_free(&csv);
}

/* The lowest draw gives the window's low end, the highest its high end less at most one quantum. */
static void check_window(const struct vector *v) {
    const struct storm_delay *delay = v->delay;
    double a = retries_nth(delay, v->n, 0), b = retries_nth(delay, v->n, almost_one);
    bool is_ragged = delay->quantum > 0 && fabs(remainder(v->low, delay->quantum)) > 1e-9;
    retries_near(a, v->low, is_ragged ? delay->quantum : 1e-8 * v->low, v->name, v->n);
    retries_near(b, v->high, 1e-8 * v->high + (v->high > v->low ? delay->quantum : 0), v->name,
                 v->n);
    if (b > v->high * (1 + 1e-8) + (delay->inclusive ? delay->quantum : 0))
        fail_msg("%s, retry %u: %.12g is above %.12g", v->name, v->n, b, v->high);
}

static void the_window_of_every_product_has_the_right_ends(void **state) {
    (void)state;
    struct csv csv = vectors_read();
    for (size_t row = 0; row < csv.rows; row++) {
        struct vector v = vector_at(&csv, row);
        if (!v.is_recursive)
            check_window(&v);
    }
    csv_free(&csv);
}

/* Polly's n-th delay is a difference of f: at least 0, at most from f(n - 2) to f(n). */
static double polly_most(const struct storm_delay *delay, uint32_t n) {
    double before = n < 3 ? 0 : pow(delay->factor, n - 2) * tanh(sqrt(4 * (n - 2.0)));
    double after = pow(delay->factor, n) * tanh(sqrt(4.0 * n));
    return fmin((after - before) * delay->base / 1.4, delay->cap);
}

/* What 20,000 published draws have come to lies between the delays of the lowest and of the highest
   luck. */
static void rules_that_feed_on_themselves_keep_within_their_bounds(void **state) {
    (void)state;
    struct csv csv = vectors_read();
    struct storm_delay_state low = {0}, high = {0};
    for (size_t row = 0; row < csv.rows; row++) {
        struct vector v = vector_at(&csv, row);
        if (!v.is_recursive)
            continue;
        if (v.n == 1)
            low = high = (struct storm_delay_state){0};
        bool is_polly = v.delay->growth == STORM_GROWTH_POLLY;
        double least = delay_next(v.delay, &low, 0), most = delay_next(v.delay, &high, almost_one);
        least = is_polly ? 0 : least;
        most = is_polly ? polly_most(v.delay, v.n) : most;
        if (!(least <= v.low * (1 + 1e-8) && most >= v.high * (1 - 1e-8)))
            fail_msg("%s, retry %u: [%g, %g] is not within [%g, %g]", v.name, v.n, v.low, v.high,
                     least, most);
    }
    csv_free(&csv);
}

/* The mean over equally spaced draws: exact where the delay is linear in the draw or a staircase
   of quanta. */
static double mean_of(const struct storm_delay *delay, uint32_t n, double width,
                      double *tolerance) {
    double cells = delay->quantum > 0 ? width / delay->quantum + delay->inclusive : 1000;
    uint32_t count = cells < 1 ? 1 : (uint32_t)(cells + 0.5);
    if (count > CELLS_MOST) {
        count = CELLS_MOST - 1;
        *tolerance += delay->quantum;
    }
    double sum = 0;
    count *= 2;
    for (uint32_t i = 0; i < count; i++)
        sum += retries_nth(delay, n, (i + 0.5) / count);
    return sum / count;
}

static void the_mean_of_every_product_is_exact(void **state) {
    (void)state;
    struct csv csv = vectors_read();
    for (size_t row = 0; row < csv.rows; row++) {
        struct vector v = vector_at(&csv, row);
        const struct storm_delay *delay = v.delay;
        if (v.is_recursive)
            continue;
        double d = delay_nominal(delay, v.n), tolerance = 1e-6 * v.mean;
        double width = (delay->jitter_high - delay->jitter_low) * d +
                       delay->jitter_add * (delay->jitter_add_grows ? v.n : 1);
        /* Where the window ends between two quanta, or is cut, the reference only estimates the
           rounding. */
        bool is_cut = delay->cap_when == STORM_CAP_AFTER && delay->jitter_high * d > delay->cap;
        bool is_ragged =
            delay->quantum > 0 && fabs(remainder(delay->jitter_low * d, delay->quantum)) > 1e-9;
        tolerance += is_cut || is_ragged ? delay->quantum / 2 : 0;
        double mean = mean_of(delay, v.n, width, &tolerance);
        retries_near(mean, v.mean, tolerance, v.name, v.n);
    }
    csv_free(&csv);
}

static void rules_that_feed_on_themselves_have_the_published_means(void **state) {
    (void)state;
    struct csv csv = vectors_read();
    uint32_t compared = 0;
    double mean[RETRIES] = {0}, variance[RETRIES] = {0};
    for (size_t row = 0; row < csv.rows; row++) {
        struct vector v = vector_at(&csv, row);
        if (!v.is_recursive)
            continue;
        if (v.n == 1)
            retries_sample(v.delay, stream_mix64(row + 1), mean, variance);
        double error = sqrt(fmax(variance[v.n - 1], 0) * (1.0 / DRAWS + 1 / published_draws));
        retries_near(mean[v.n - 1], v.mean, 4 * error + 1e-8 * v.mean, v.name, v.n);
        compared++;
    }
    assert_int_equal(compared, 90);
    csv_free(&csv);
}

/* ---- single facts ------------------------------------------------------------------------- */

static const struct storm_policy *policy_of(const char *name) {
    const struct policy_preset *preset = policy_preset_find(name);
    assert_non_null(preset);
    return &preset->policy;
}

/* Polly's delays are differences, so n of them sum to a function of the last draw alone. */
static void polly_delays_telescope(void **state) {
    (void)state;
    const struct storm_delay *delay = &policy_of("polly-v8-exponential-jitter")->delay;
    for (uint32_t call = 0; call < 1000; call++) {
        struct storm_delay_state s = {0};
        double sum = 0;
        for (uint32_t n = 1; n <= 12; n++) {
            double u = stream_uniform(call, STREAM_BACKOFF, n), t = n - 1 + u;
            sum += delay_next(delay, &s, u);
            double whole = delay->base / 1.4 * pow(2, t) * tanh(sqrt(4 * t));
            retries_near(sum, whole, 1e-12 * whole, "sum", n);
        }
    }
}

/* How often a delay is exactly so long, and its mean. */
struct atom {
    double share, mean;
};

static struct atom atom_at(const char *name, uint32_t n, double value) {
    const struct storm_delay *delay = &policy_of(name)->delay;
    struct atom atom = {0, 0};
    for (uint32_t i = 0; i < DRAWS; i++) {
        double d = retries_nth(delay, n, (i + 0.5) / DRAWS);
        atom.share += (d == value) / (double)DRAWS;
        atom.mean += d / DRAWS;
    }
    return atom;
}

static void a_cap_behind_the_jitter_collects_an_atom_and_one_before_it_does_not(void **state) {
    (void)state;
    struct atom kafka = atom_at("kafka-client-java", 8, 1);
    retries_near(kafka.share, 0.5, 1e-4, "kafka-client-java", 8);
    retries_near(kafka.mean, 0.95, 5e-4, "kafka-client-java", 8); /* cut to whole ms */
    struct atom p_retry = atom_at("p-retry-randomize-max10", 4, 10);
    retries_near(p_retry.share, 0.75, 1e-4, "p-retry", 4); /* rounding adds half a ms */
    retries_near(p_retry.mean, 9.75, 1e-3, "p-retry", 4);
    for (uint32_t n = 5; n <= 30; n++) {
        retries_near(atom_at("linkerd-route-annotation", n, 0.25).share, 1, 1e-9, "linkerd", n);
        retries_near(atom_at("tenacity-wait-exponential-jitter-max8", n - 1, 8).share, 1, 1e-9,
                     "tenacity", n - 1);
    }
    retries_near(atom_at("grpc-service-config", 9, 1).share, 0, 2.0 / DRAWS, "grpc", 9);
    assert_true(retries_nth(&policy_of("grpc-service-config")->delay, 9, almost_one) > 1.19);
}

/* ---- every row ---------------------------------------------------------------------------- */

static void every_preset_is_sound_and_says_where_it_is_from(void **state) {
    (void)state;
    assert_true(policy_preset_count() >= PRODUCTS + 5);
    for (size_t i = 0; i < policy_preset_count(); i++) {
        const struct policy_preset *preset = policy_preset_at(i);
        const char *key = "", *wrong = policy_check(&preset->policy, &key);
        if (wrong != NULL)
            fail_msg("%s: %s %s", preset->name, key, wrong);
        assert_ptr_equal(policy_preset_find(preset->name), preset);
        assert_string_equal(preset->policy.name, preset->name);
        assert_string_equal(preset->policy.headline, preset->name);
        assert_null(policy_headline_find(preset->name));
        assert_true(strlen(preset->source) > 8 && strlen(preset->family) > 1);
        assert_true(strlen(preset->attempts) > 4 && strlen(preset->retries) > 4);
        assert_true(preset->policy.attempts >= 1 && preset->policy.persist == 1);
    }
    assert_null(policy_preset_find("envoy"));
    assert_null(policy_preset_find(""));
}

static void a_preset_classes_a_status_once_and_never_as_it_is_anyway(void **state) {
    (void)state;
    static const struct storm_policy usual = {.attempts = 2};
    for (size_t i = 0; i < policy_preset_count(); i++) {
        const struct policy_preset *preset = policy_preset_at(i);
        const struct storm_class_row *rows = preset->policy.classes;
        for (uint32_t k = 0; k < preset->policy.class_count; k++) {
            assert_true(rows[k].status >= 1 && rows[k].status < 600);
            bool is_new = classify_status(&usual, rows[k].status) != rows[k].class;
            if (!is_new)
                fail_msg("%s: %u is classed as usual", preset->name, rows[k].status);
            for (uint32_t j = 0; j < k; j++) {
                if (rows[j].status == rows[k].status)
                    fail_msg("%s: %u is classed twice", preset->name, rows[k].status);
            }
        }
    }
}

/* Total calls, whatever the product's own setting counts, and seconds. */
static void attempts_times_and_sources_are_those_of_the_products(void **state) {
    (void)state;
    struct csv csv = csv_read(STORM_SOURCE_DIR "/tests/data/products.csv");
    assert_true(csv.rows >= PRODUCTS + 5);
    for (size_t row = 0; row < csv.rows; row++) {
        const char *name = csv_text(&csv, row, "name"), *attempts = csv_text(&csv, row, "attempts");
        const struct storm_policy *policy = policy_of(name);
        double expected = csv_number(&csv, row, "attempts");
        bool is_unlimited = policy->attempts == STORM_ATTEMPTS_UNLIMITED;
        if (attempts[0] != '\0' && (is_unlimited ? HUGE_VAL : policy->attempts) != expected)
            fail_msg("%s: %u attempts, not %s", name, policy->attempts, attempts);
        if (storm_time_to_seconds(policy->total_time) != csv_number(&csv, row, "total_s"))
            fail_msg("%s stops at another time", name);
        assert_string_equal(policy_preset_find(name)->source, csv_text(&csv, row, "source"));
    }
    csv_free(&csv);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_jitter_every_product_grows_as_it_should),
        cmocka_unit_test(what_has_no_jitter_is_the_same_at_every_draw),
        cmocka_unit_test(the_window_of_every_product_has_the_right_ends),
        cmocka_unit_test(rules_that_feed_on_themselves_keep_within_their_bounds),
        cmocka_unit_test(the_mean_of_every_product_is_exact),
        cmocka_unit_test(rules_that_feed_on_themselves_have_the_published_means),
        cmocka_unit_test(polly_delays_telescope),
        cmocka_unit_test(a_cap_behind_the_jitter_collects_an_atom_and_one_before_it_does_not),
        cmocka_unit_test(every_preset_is_sound_and_says_where_it_is_from),
        cmocka_unit_test(a_preset_classes_a_status_once_and_never_as_it_is_anyway),
        cmocka_unit_test(attempts_times_and_sources_are_those_of_the_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
