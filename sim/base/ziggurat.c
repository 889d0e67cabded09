/* ziggurat.c: random numbers by layers of equal area (Marsaglia and Tsang, 2000). */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A point falls evenly into one of 256 layers; left of the next layer's edge it lies under the
   density for certain, which takes one hash, one product and one comparison in 99 of 100 draws. The
   layer comes from the low 8 bits, the sign from bit 8, the place from the upper 53: no bit is used
   twice (Doornik, 2005). */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/mathx.h"
#include "base/stream.h"
#include "base/ziggurat.h"
#include "base/ziggurat_tables.h"

/* Layer `i` was hit at x, right of the layer above: is the point under the density's value
   there? */
static bool is_under(const double *heights, unsigned i, double u, double density) {
    assert(i > 0 && i < ZIGGURAT_LAYERS);
    assert(heights[i] < heights[i + 1]);
    return heights[i] + u * (heights[i + 1] - heights[i]) < density;
}

double ziggurat_exponential(uint64_t key, uint32_t purpose, uint32_t *k) {
    assert(k != NULL);
    double start = 0.0;
    for (;;) {
        uint64_t bits = stream_bits(key, purpose, (*k)++);
        unsigned i = bits % ZIGGURAT_LAYERS;
        double x = stream_unit(bits) * exponential_edges[i];
        if (x < exponential_edges[i + 1])
            return start + x;
        if (i == 0) { /* what is left beyond a point of an exponential law is that law again */
            start += exponential_edges[1];
            continue;
        }
        double u = stream_uniform(key, purpose, (*k)++);
        if (is_under(exponential_heights, i, u, mathx_exp(-x)))
            return start + x;
    }
}

/* A normal number known to lie beyond the first edge r: r + a / r with an exponential a, kept with
   probability exp(-(a / r)^2 / 2). */
static double normal_tail(uint64_t key, uint32_t purpose, uint32_t *k) {
    const double edge = normal_edges[1];
    for (;;) {
        double beyond = ziggurat_exponential(key, purpose, k) / edge;
        double trial = ziggurat_exponential(key, purpose, k);
        assert(beyond >= 0.0 && trial >= 0.0);
        if (2.0 * trial > beyond * beyond)
            return edge + beyond;
    }
}

double ziggurat_normal(uint64_t key, uint32_t purpose, uint32_t *k) {
    assert(k != NULL);
    for (;;) {
        uint64_t bits = stream_bits(key, purpose, (*k)++);
        unsigned i = bits % ZIGGURAT_LAYERS;
        double sign = 1.0 - (double)(bits >> 7 & 2); /* a product, for no CPU foresees the sign */
        double x = stream_unit(bits) * normal_edges[i];
        if (x < normal_edges[i + 1])
            return sign * x;
        if (i == 0)
            return sign * normal_tail(key, purpose, k);
        double u = stream_uniform(key, purpose, (*k)++);
        if (is_under(normal_heights, i, u, mathx_exp(-0.5 * x * x)))
            return sign * x;
    }
}
