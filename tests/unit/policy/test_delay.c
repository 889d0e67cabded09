/* test_delay.c: what must hold for any settings of the delay family. What its settings make of the
   products is in laws/test_presets.c. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/delay.h"

#include <math.h>
#include <stdbool.h>

#include "base/mathx.h"
#include "base/stream.h"
#include "policy/registry.h"
#include "support/retries.h"
#include "support/test.h"

static const double almost_one = 1 - 0x1p-53;

static struct storm_delay product_delay(const char *name) {
    const struct policy_preset *preset = policy_preset_find(name);
    assert_non_null(preset);
    return preset->policy.delay;
}

static double share_at(const struct storm_delay *delay, uint32_t n, double value) {
    uint32_t hits = 0;
    for (uint32_t i = 0; i < DRAWS; i++)
        hits += retries_nth(delay, n, (i + 0.5) / DRAWS) == value;
    return (double)hits / DRAWS;
}

static void a_sticky_rule_stays_exactly_at_its_cap(void **state) {
    (void)state;
    struct storm_delay delay = product_delay("finagle-exponential-jittered");
    struct storm_delay_state s = {0};
    double d = 0;
    for (uint32_t n = 1; n <= 40 && d < delay.cap; n++)
        d = delay_next(&delay, &s, 0.9);
    assert_true(d == delay.cap);
    for (uint32_t n = 0; n < 10; n++)
        assert_true(delay_next(&delay, &s, 0) == delay.cap);
}

static void a_rule_sticks_where_its_jitter_takes_it_to_the_cap_but_not_at_the_first(void **state) {
    (void)state;
    struct storm_delay delay = {.growth = STORM_GROWTH_EXPONENTIAL,
                                .base = 4,
                                .factor = 2,
                                .cap = 4,
                                .cap_when = STORM_CAP_AFTER,
                                .jitter_high = 1,
                                .sticky = true};
    struct storm_delay_state after = {0}, before = {0};
    assert_true(delay_next(&delay, &after, 0.25) == 1);
    assert_true(delay_next(&delay, &after, 0.25) == 2);
    assert_true(delay_next(&delay, &after, 0.5) == 4);
    assert_true(delay_next(&delay, &after, 0) == 4);
    delay.cap_when = STORM_CAP_BEFORE;
    assert_true(delay_next(&delay, &before, 0.25) == 1);
    assert_true(delay_next(&delay, &before, 0) == 4);
}

/* With whole milliseconds and no jitter nothing may be lost to the quantum, whatever k / 1000 is
   in binary. */
static void rounding_to_a_quantum_leaves_whole_quanta_alone(void **state) {
    (void)state;
    static const enum storm_rounding roundings[] = {STORM_ROUND_DOWN, STORM_ROUND_NEAREST,
                                                    STORM_ROUND_UP};
    for (int r = 0; r < 3; r++) {
        for (int k = 1; k <= 50000; k++) {
            struct storm_delay delay = {.growth = STORM_GROWTH_CONSTANT,
                                        .base = k / 1000.0,
                                        .cap = HUGE_VAL,
                                        .jitter_low = 1,
                                        .jitter_high = 1,
                                        .quantum = 0.001,
                                        .rounding = roundings[r]};
            storm_time ns = storm_time_from_seconds(retries_nth(&delay, 1, 0.3));
            if (ns != k * STORM_MILLISECOND)
                fail_msg("%d ms became %lld ns", k, (long long)ns);
        }
    }
}

static void rounding_goes_the_way_it_is_told(void **state) {
    (void)state;
    struct storm_delay delay = {.growth = STORM_GROWTH_CONSTANT,
                                .base = 2.5,
                                .cap = HUGE_VAL,
                                .jitter_low = 1,
                                .jitter_high = 1,
                                .quantum = 1};
    delay.rounding = STORM_ROUND_DOWN;
    assert_true(retries_nth(&delay, 1, 0) == 2);
    delay.rounding = STORM_ROUND_NEAREST;
    assert_true(retries_nth(&delay, 1, 0) == 3);
    delay.rounding = STORM_ROUND_UP;
    assert_true(retries_nth(&delay, 1, 0) == 3);
    delay.base = 2.25;
    delay.rounding = STORM_ROUND_NEAREST;
    assert_true(retries_nth(&delay, 1, 0) == 2);
}

static const struct storm_delay doubling = {.growth = STORM_GROWTH_EXPONENTIAL,
                                            .base = 1,
                                            .factor = 2,
                                            .cap = HUGE_VAL,
                                            .jitter_low = 1,
                                            .jitter_high = 1};

static void an_overflow_is_the_cap_or_the_ceiling_and_never_zero(void **state) {
    (void)state;
    static const uint32_t retries[] = {31, 32, 33, 34, 64, 1000, 1024, 1025, 1026, 100000, 1000000};
    static const double draws[] = {0, 0.5, almost_one};
    struct storm_delay capped = doubling, jittered = doubling;
    capped.cap = 60;
    jittered.jitter_high = 3; /* its high end overflows before the delay itself */
    for (size_t i = 0; i < sizeof retries / sizeof retries[0]; i++) {
        for (int k = 0; k < 3; k++) {
            capped.cap_when = STORM_CAP_BEFORE;
            assert_true(retries_nth(&capped, retries[i], draws[k]) == 60);
            capped.cap_when = STORM_CAP_AFTER;
            assert_true(retries_nth(&capped, retries[i], draws[k]) == 60);
            bool far = retries[i] > 33;
            assert_true(!far || retries_nth(&doubling, retries[i], draws[k]) == DELAY_CEILING);
            assert_true(!far || retries_nth(&jittered, retries[i], draws[k]) == DELAY_CEILING);
        }
    }
    assert_true(storm_time_from_seconds(DELAY_CEILING) < STORM_NEVER);
}

static void a_base_of_zero_stays_zero(void **state) {
    (void)state;
    static const enum storm_growth growths[] = {
        STORM_GROWTH_CONSTANT,  STORM_GROWTH_EXPONENTIAL,  STORM_GROWTH_GEOMETRIC_SUM,
        STORM_GROWTH_FIBONACCI, STORM_GROWTH_DECORRELATED, STORM_GROWTH_POLLY};
    for (size_t i = 0; i < sizeof growths / sizeof growths[0]; i++) {
        struct storm_delay delay = doubling;
        delay.growth = growths[i];
        delay.base = 0;
        struct storm_delay_state s = {0};
        for (uint32_t n = 1; n < 3000; n++)
            assert_true(delay_next(&delay, &s, 0.5) == 0);
        assert_true(retries_nth(&delay, 1000000, 0.5) == 0);
    }
}

static void a_factor_below_one_shrinks_towards_zero(void **state) {
    (void)state;
    struct storm_delay delay = doubling;
    delay.factor = 0.5;
    for (uint32_t n = 1; n < 60; n++)
        assert_true(retries_nth(&delay, n, 0.5) == ldexp(1, 1 - (int)n));
    assert_true(retries_nth(&delay, 1000000, 0.5) == 0);
    delay.growth = STORM_GROWTH_GEOMETRIC_SUM; /* would be negative */
    assert_true(retries_nth(&delay, 3, 0.5) == 0);
}

/* The exponential law is the inverse of its distribution at the one draw, to the last bit, whatever
   the window says. */
static void the_exponential_law_is_minus_the_logarithm_of_the_draw(void **state) {
    (void)state;
    struct storm_delay delay = doubling;
    delay.base = 0.75;
    delay.law = STORM_JITTER_EXPONENTIAL;
    for (uint32_t i = 0; i < DRAWS; i++) {
        double u = stream_uniform(i, STREAM_BACKOFF, 0);
        uint32_t n = 1 + i % 8;
        delay.jitter_low = i % 3;
        delay.jitter_high = delay.jitter_low + i % 2;
        delay.jitter_add = i % 5;
        delay.jitter_add_grows = delay.inclusive = i % 2 == 0;
        double d = retries_nth(&delay, n, u);
        assert_true(d == ldexp(0.75, (int)n - 1) * -mathx_log1p(-u));
        assert_true(fabs(d / ldexp(0.75, (int)n - 1) + log1p(-u)) <= 1e-15 * -log1p(-u));
    }
    assert_true(retries_nth(&delay, 1, 0) == 0);
    retries_near(retries_nth(&delay, 1, almost_one), 0.75 * 53 * log(2), 1e-13, "the longest", 1);
}

/* -log(1 - u) has mean 1 and variance 1; its square has variance 20. */
static void exponential_delays_have_the_delay_for_mean_and_deviation(void **state) {
    (void)state;
    double mean[RETRIES], variance[RETRIES];
    struct storm_delay delay = doubling;
    delay.law = STORM_JITTER_EXPONENTIAL;
    delay.cap = 64;
    delay.cap_when = STORM_CAP_BEFORE;
    retries_sample(&delay, 77, mean, variance);
    for (int i = 0; i < RETRIES; i++) {
        double d = fmin(ldexp(1, i), 64);
        retries_near(mean[i], d, 4 * d / sqrt(DRAWS), "mean", (size_t)i + 1);
        retries_near(variance[i], d * d, 4 * d * d * sqrt(8.0 / DRAWS), "variance", (size_t)i + 1);
    }
}

/* A cap before the law bounds the mean alone; one behind it cuts the tail, e^(-cap / d) of all. */
static void caps_floor_and_quantum_apply_to_an_exponential_delay(void **state) {
    (void)state;
    struct storm_delay delay = doubling;
    delay.law = STORM_JITTER_EXPONENTIAL;
    delay.cap = 3;
    delay.cap_when = STORM_CAP_BEFORE;
    retries_near(share_at(&delay, 3, 3), 0, 2.0 / DRAWS, "before", 3);
    assert_true(retries_nth(&delay, 3, 0.875) == 3 * -mathx_log1p(-0.875));
    delay.cap_when = STORM_CAP_AFTER;
    retries_near(share_at(&delay, 3, 3), exp(-3.0 / 4), 1.0 / DRAWS, "after", 3);
    delay.cap_when = STORM_CAP_BOTH;
    retries_near(share_at(&delay, 3, 3), exp(-1), 1.0 / DRAWS, "both", 3);
    delay.floor = 0.5;
    retries_near(share_at(&delay, 2, 0.5), -expm1(-0.25), 1.0 / DRAWS, "floor", 2);
    delay.floor = 0;
    delay.quantum = 0.25;
    retries_near(share_at(&delay, 2, 0), -expm1(-0.125), 1.0 / DRAWS, "quantum", 2);
    retries_near(share_at(&delay, 2, 0.25), exp(-0.125) - exp(-0.25), 1.0 / DRAWS, "quantum", 2);
    delay.plain_first = 2;
    assert_true(retries_nth(&delay, 2, 0.1) == 2); /* the first two take no law at all */
}

static void an_exponential_delay_feeds_the_next_one(void **state) {
    (void)state;
    struct storm_delay delay = doubling;
    struct storm_delay_state s = {0};
    delay.law = STORM_JITTER_EXPONENTIAL;
    delay.feedback = STORM_FEEDBACK_FACTOR;
    double first = delay_next(&delay, &s, 0.25), second = delay_next(&delay, &s, 0.75);
    assert_true(first == -mathx_log1p(-0.25));
    assert_true(second == first * 2 * -mathx_log1p(-0.75));
}

/* Any settings that scenarios may have, with every field drawn by itself. */
static struct storm_delay any_delay(uint64_t key) {
    uint32_t k = 0;
#define PICK(count) ((uint32_t)(stream_uniform(key, 1, k++) * (count)))
    static const double numbers[] = {0, 1e-9, 0.001, 0.3, 1, 1.5, 2, 3, 1000};
    static const double caps[] = {HUGE_VAL, 2592000, 1e18, 2592000.5};
    struct storm_delay d = {.growth = (enum storm_growth)PICK(STORM_GROWTH_POLLY + 1)};
    d.base = numbers[PICK(9)];
    d.factor = numbers[PICK(9)];
    d.step = numbers[PICK(9)];
    d.shift = (double)PICK(129) - 64;
    d.skip = PICK(3);
    d.cap = caps[PICK(4)];
    d.cap_when = (enum storm_cap_when)PICK(4);
    d.floor = numbers[PICK(9)];
    d.jitter_low = numbers[PICK(9)];
    d.jitter_high = fmax(d.jitter_low, numbers[PICK(9)]);
    d.jitter_add = numbers[PICK(9)];
    d.jitter_add_grows = PICK(2);
    d.plain_first = PICK(3);
    d.feedback = (enum storm_feedback)PICK(3);
    d.sticky = PICK(2);
    d.decorrelated_low = (enum storm_decorrelated_low)PICK(2);
    d.quantum = numbers[PICK(5)];
    d.rounding = (enum storm_rounding)PICK(3);
    d.inclusive = PICK(2);
    d.table_length = 1 + PICK(STORM_DELAY_TABLE_MAX);
    for (uint32_t i = 0; i < d.table_length; i++)
        d.table[i] = numbers[PICK(9)];
    d.law = (enum storm_jitter_law)PICK(2);
#undef PICK
    return d;
}

static void any_settings_give_a_delay_from_zero_to_the_ceiling(void **state) {
    (void)state;
    static const double draws[] = {0, almost_one, 0.5, 1e-300};
    for (uint64_t key = 1; key <= 4000; key++) {
        struct storm_delay delay = any_delay(stream_mix64(key));
        for (int rule = 0; rule < 5; rule++) {
            struct storm_delay_state s = {0};
            for (uint32_t n = 1; n <= 1500; n++) {
                double u = rule < 4 ? draws[rule] : stream_uniform(key, 2, n);
                u = rule == 4 && n % 7 == 0 ? 0 : u;
                double d = delay_next(&delay, &s, u);
                if (!(d >= 0 && d <= DELAY_CEILING)) /* the function asserts it as well */
                    fail_msg("settings %llu, retry %u: %g", (unsigned long long)key, n, d);
                bool bounded =
                    delay.cap_when == STORM_CAP_AFTER || delay.cap_when == STORM_CAP_BOTH;
                assert_true(!bounded || d <= delay.cap || d == delay.floor);
            }
        }
    }
}

static void decorrelated_delays_never_fall_below_their_low_end(void **state) {
    (void)state;
    struct storm_delay aws = product_delay("aws-arch-decorrelated");
    struct storm_delay finagle = product_delay("finagle-tries");
    for (uint64_t key = 0; key < 1000; key++) {
        struct storm_delay_state a = {0}, f = {0};
        double last_a = aws.base, last_f = 0;
        for (uint32_t n = 1; n <= 50; n++) {
            double u = stream_uniform(key, STREAM_BACKOFF, n);
            double next_a = delay_next(&aws, &a, u), next_f = delay_next(&finagle, &f, u);
            assert_true(next_a >= aws.base && next_a <= fmin(aws.cap, 3 * last_a));
            assert_true(next_f >= last_f && next_f <= finagle.cap);
            last_a = next_a;
            last_f = next_f;
        }
    }
}

/* What a table of delays shows beside their windows: without the chance, the rounding, the floor
   and the cap behind the jitter, and without the plain first ones. */
static void the_nominal_delay_is_the_growth_alone(void **state) {
    (void)state;
    struct storm_delay delay = {.growth = STORM_GROWTH_EXPONENTIAL,
                                .base = 1,
                                .factor = 2,
                                .cap = 10,
                                .cap_when = STORM_CAP_AFTER,
                                .floor = 3,
                                .jitter_high = 1,
                                .quantum = 0.3,
                                .shift = -1,
                                .plain_first = 1,
                                .skip = 2};
    assert_true(delay_nominal(&delay, 2) == 0);
    assert_true(delay_nominal(&delay, 3) == 2);
    assert_true(delay_nominal(&delay, 6) == 16);
    delay.cap_when = STORM_CAP_BEFORE;
    assert_true(delay_nominal(&delay, 6) == 10);
    delay.skip = 0;
    assert_true(delay_nominal(&delay, 1) == 0.5);
    delay.cap_when = STORM_CAP_NONE;
    assert_true(delay_nominal(&delay, 2000) == DELAY_CEILING);
    delay.growth = STORM_GROWTH_DECORRELATED;
    assert_true(delay_nominal(&delay, 7) == 1);
    delay.growth = STORM_GROWTH_POLLY;
    delay.shift = 0;
    assert_true(delay_nominal(&delay, 3) == 4);
    assert_true(delay_nominal(&delay, 9) == 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sticky_rule_stays_exactly_at_its_cap),
        cmocka_unit_test(a_rule_sticks_where_its_jitter_takes_it_to_the_cap_but_not_at_the_first),
        cmocka_unit_test(rounding_to_a_quantum_leaves_whole_quanta_alone),
        cmocka_unit_test(rounding_goes_the_way_it_is_told),
        cmocka_unit_test(an_overflow_is_the_cap_or_the_ceiling_and_never_zero),
        cmocka_unit_test(a_base_of_zero_stays_zero),
        cmocka_unit_test(a_factor_below_one_shrinks_towards_zero),
        cmocka_unit_test(the_exponential_law_is_minus_the_logarithm_of_the_draw),
        cmocka_unit_test(exponential_delays_have_the_delay_for_mean_and_deviation),
        cmocka_unit_test(caps_floor_and_quantum_apply_to_an_exponential_delay),
        cmocka_unit_test(an_exponential_delay_feeds_the_next_one),
        cmocka_unit_test(any_settings_give_a_delay_from_zero_to_the_ceiling),
        cmocka_unit_test(decorrelated_delays_never_fall_below_their_low_end),
        cmocka_unit_test(the_nominal_delay_is_the_growth_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
