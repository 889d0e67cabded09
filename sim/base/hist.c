/* hist.c: counting durations in logarithmic buckets. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. count is the sum of all buckets.
   2. If count > 0, min and max are the least and greatest value recorded.
   3. bucket_of is monotone, and bucket_low(bucket_of(v)) <= v < bucket_low(bucket_of(v) + 1). */

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/hist.h"
#include "base/mathx.h"

enum { SUB = 1 << HIST_SUB_BITS };

static unsigned bucket_of(storm_time value) {
    assert(value >= 0 && value <= STORM_NEVER);
    if (value < SUB)
        return (unsigned)value;
    unsigned octave = 63U - (unsigned)__builtin_clzll((unsigned long long)value) - HIST_SUB_BITS;
    unsigned bucket = octave * SUB + (unsigned)(value >> octave);
    assert(bucket < HIST_BUCKETS);
    return bucket;
}

/* The least value of a bucket. The first two octaves are exact, so `octave` starts at 0 twice. */
static storm_time bucket_low(unsigned bucket) {
    assert(bucket <= HIST_BUCKETS);
    if (bucket < SUB)
        return (storm_time)bucket;
    unsigned octave = bucket / SUB - 1;
    return (storm_time)(bucket % SUB + SUB) << octave;
}

/* A value in the middle of a bucket: the only one where the bucket has width 1. */
static storm_time bucket_middle(unsigned bucket) {
    assert(bucket < HIST_BUCKETS);
    storm_time low = bucket_low(bucket);
    storm_time middle = low + (bucket_low(bucket + 1) - low) / 2;
    assert(bucket_of(middle) == bucket); /* invariant 3 */
    return middle;
}

void hist_record(struct hist *hist, storm_time value) {
    assert(hist != NULL);
    assert(value >= 0 && value <= STORM_NEVER);
    hist->buckets[bucket_of(value)]++;
    if (hist->count == 0 || value < hist->min)
        hist->min = value;
    if (hist->count == 0 || value > hist->max)
        hist->max = value;
    hist->count++;
    hist->sum += storm_time_to_seconds(value);
}

void hist_merge(struct hist *hist, const struct hist *other) {
    assert(hist != NULL && other != NULL);
    assert(hist != other);
    if (other->count == 0)
        return;
    if (hist->count == 0 || other->min < hist->min)
        hist->min = other->min;
    if (hist->count == 0 || other->max > hist->max)
        hist->max = other->max;
    hist->count += other->count;
    hist->sum += other->sum;
    for (unsigned bucket = 0; bucket < HIST_BUCKETS; bucket++)
        hist->buckets[bucket] += other->buckets[bucket];
}

/* The 1-based rank of the q-quantile: ceil(q * count). */
static uint64_t rank_of(double q, uint64_t count) {
    assert(q >= 0.0 && q <= 1.0);
    assert(count > 0);
    uint64_t rank = (uint64_t)ceil(mathx_settle(q * (double)count));
    if (rank == 0)
        return 1;
    return rank < count ? rank : count;
}

storm_time hist_quantile(const struct hist *hist, double q) {
    assert(hist != NULL);
    assert(q >= 0.0 && q <= 1.0);
    if (hist->count == 0)
        return 0;
    uint64_t rank = rank_of(q, hist->count);
    if (rank == 1)
        return hist->min;
    if (rank == hist->count)
        return hist->max;
    unsigned bucket = bucket_of(hist->min);
    for (uint64_t below = 0; below + hist->buckets[bucket] < rank; bucket++) {
        below += hist->buckets[bucket];
        assert(bucket + 1 < HIST_BUCKETS); /* invariant 1 */
    }
    storm_time middle = bucket_middle(bucket);
    if (middle < hist->min)
        return hist->min;
    return middle < hist->max ? middle : hist->max;
}
