/* test_stream.c: hashes that are uniform, avalanche, and keep every path apart. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/stream.h"
#include "support/test.h"

enum { DRAWS = 1000000, CELLS = 1024 };

/* What is counted up while the rest stands still: a stream must be uniform along every axis. */
enum axis { ALONG_K, ALONG_KEY, ALONG_PURPOSE, ALONG_EDGE, ALONG_ATTEMPT, ALONG_ORDINAL, AXES };

static uint64_t bits_along(enum axis axis, uint32_t i) {
    switch (axis) {
    case ALONG_K:
        return stream_bits(1, STREAM_SERVICE, i);
    case ALONG_KEY:
        return stream_bits(i, STREAM_SERVICE, 0);
    case ALONG_PURPOSE:
        return stream_bits(1, i, 0);
    case ALONG_EDGE:
        return stream_child(1, i, 0);
    case ALONG_ATTEMPT:
        return stream_child(1, 0, i);
    case ALONG_ORDINAL:
        return stream_bits(stream_request(1, 0, 0, 0, i), STREAM_SERVICE, 0);
    case AXES:
        break;
    }
    return 0;
}

/* Chi-square of `shift`ed draws over equal cells, as a z. */
static double chi_square_z(enum axis axis, int shift) {
    static double counts[CELLS];
    for (int i = 0; i < CELLS; i++)
        counts[i] = 0.0;
    for (uint32_t i = 0; i < DRAWS; i++)
        counts[(bits_along(axis, i) >> shift) % CELLS] += 1.0;
    double expected = (double)DRAWS / CELLS;
    double sum = 0.0;
    for (int i = 0; i < CELLS; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return (sum - (CELLS - 1)) / sqrt(2.0 * (CELLS - 1));
}

static void draws_are_uniform_along_every_axis(void **state) {
    (void)state;
    for (int axis = 0; axis < AXES; axis++) {
        for (int shift = 0; shift <= 54; shift += 27) {
            double z = chi_square_z((enum axis)axis, shift);
            if (fabs(z) >= 4.0)
                fail_msg("axis %d, bits from %d: z = %.2f", axis, shift, z);
        }
    }
}

static void uniforms_have_the_right_mean_and_spread(void **state) {
    (void)state;
    double sum = 0.0;
    double squares = 0.0;
    double pairs = 0.0;
    double last = 0.0;
    for (uint32_t k = 0; k < DRAWS; k++) {
        double u = stream_uniform(3, STREAM_BACKOFF, k);
        assert_true(u >= 0.0 && u < 1.0);
        u -= 0.5;
        sum += u;
        squares += u * u;
        pairs += u * last;
        last = u;
    }
    assert_true(fabs(sum / sqrt(DRAWS / 12.0)) < 4.0);
    assert_true(fabs((squares - DRAWS / 12.0) / sqrt(DRAWS / 180.0)) < 4.0);
    assert_true(fabs(pairs / (sqrt(DRAWS) / 12.0)) < 4.0);
}

/* Flipping any bit of an input flips each bit of the output about every second time. */
static void every_input_bit_moves_every_output_bit(void **state) {
    (void)state;
    enum { TRIALS = 20000, INPUT_BITS = 128 };
    for (int in = 0; in < INPUT_BITS; in++) {
        int flips[64] = {0};
        for (uint32_t trial = 0; trial < TRIALS; trial++) {
            uint64_t key = in < 64 ? UINT64_C(1) << in : 0;
            uint32_t edge = in >= 64 && in < 96 ? UINT32_C(1) << (in - 64) : 0;
            uint32_t attempt = in >= 96 ? UINT32_C(1) << (in - 96) : 0;
            uint64_t difference =
                stream_child(trial, 2, 3) ^ stream_child(trial ^ key, 2 ^ edge, 3 ^ attempt);
            for (int out = 0; out < 64; out++)
                flips[out] += (int)(difference >> out & 1);
        }
        for (int out = 0; out < 64; out++) { /* 8192 pairs: 5.5 standard deviations are rare */
            double z = (flips[out] - TRIALS / 2.0) / sqrt(TRIALS / 4.0);
            if (fabs(z) >= 5.5)
                fail_msg("bit %d to bit %d: z = %.2f", in, out, z);
        }
    }
}

static int by_value(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Among a million 64-bit keys, even one that occurs twice by chance is a matter of 1 in 30
   million. */
static void assert_all_differ(uint64_t *keys, size_t count) {
    qsort(keys, count, sizeof keys[0], by_value);
    for (size_t i = 1; i < count; i++)
        assert_true(keys[i - 1] != keys[i]);
}

static void swapping_edge_and_attempt_changes_a_child(void **state) {
    (void)state;
    static uint64_t keys[1000 * 1000];
    for (uint32_t edge = 0; edge < 1000; edge++) {
        for (uint32_t attempt = 0; attempt < 1000; attempt++)
            keys[edge * 1000 + attempt] = stream_child(7, edge, attempt);
    }
    assert_true(stream_child(7, 1, 2) != stream_child(7, 2, 1));
    assert_all_differ(keys, 1000 * 1000);
}

static void requests_and_paths_of_attempts_have_keys_of_their_own(void **state) {
    (void)state;
    enum { PLACES = 8 };
    static uint64_t keys[2 * PLACES * PLACES * PLACES * PLACES * PLACES];
    size_t count = 0;
    for (uint32_t i = 0; i < PLACES * PLACES * PLACES * PLACES * PLACES; i++) {
        uint32_t part[5];
        for (uint32_t n = 0, rest = i; n < 5; n++, rest /= PLACES)
            part[n] = rest % PLACES;
        uint64_t request = stream_request(part[0], part[1], part[2], part[3], part[4]);
        keys[count++] = request;
        keys[count++] = stream_child(stream_child(request, 0, 1), 1, 0); /* an attempt's attempt */
    }
    assert_all_differ(keys, count);
}

static void draws_and_children_do_not_meet(void **state) {
    (void)state;
    assert_true(stream_bits(1, STREAM_SERVICE, 0) != stream_child(1, STREAM_SERVICE, 0));
    assert_true(stream_bits(1, STREAM_SERVICE, 0) != stream_bits(1, STREAM_ERROR, 0));
    assert_true(stream_bits(1, STREAM_SERVICE, 0) != stream_bits(2, STREAM_SERVICE, 0));
}

/* The hash is a contract: results recorded today must be found again by every later version. */
static void the_hash_never_changes(void **state) {
    (void)state;
    assert_int_equal(stream_mix64(1), UINT64_C(0x3C02AA47758292BD));
    assert_int_equal(stream_bits(1, STREAM_SERVICE, 2), UINT64_C(0x5B7EE0B30E0D1D43));
    assert_int_equal(stream_request(1, 2, 3, 4, 5), UINT64_C(0x28DF4B88B369128B));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_uniform_along_every_axis),
        cmocka_unit_test(uniforms_have_the_right_mean_and_spread),
        cmocka_unit_test(every_input_bit_moves_every_output_bit),
        cmocka_unit_test(swapping_edge_and_attempt_changes_a_child),
        cmocka_unit_test(requests_and_paths_of_attempts_have_keys_of_their_own),
        cmocka_unit_test(draws_and_children_do_not_meet),
        cmocka_unit_test(the_hash_never_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
