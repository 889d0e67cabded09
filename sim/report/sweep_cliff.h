/* sweep_cliff.h: where on the axes of a sweep runs cease to recover. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_SWEEP_CLIFF_H
#define REPORT_SWEEP_CLIFF_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/sweep.h>

#include "base/arena.h"

/* A table names the points between which the cliff lies. A heat map draws it as a line between its
   cells (plots/heat_cells.c), and says in its title where all runs recover or none does
   (plots/sweep_finding.h), which may be far from where half of them do. */

/* Two neighbours, of which one recovers in half of its runs or more and the other does not. */
struct sweep_cliff_edge {
    uint32_t from, to; /* points; of a grid in the order of the axis' values */
};

/* The cliff, as seen along one axis: in a grid its edges on the lines along that axis, which is the
   one with most edges (the last of several); of drawn points (`axis` is the axis count) the few
   closest pairs, each once though it may be drawn twice. `lines`: how many lines there are, and
   `crossed` how many have an edge. */
struct sweep_cliff {
    uint32_t axis, lines, crossed;
    uint32_t count;
    const struct sweep_cliff_edge *edges;
    uint32_t above, below; /* points at which half of the runs or more recover, or less do */
};

/* False without memory. */
bool sweep_cliff_find(const struct storm_sweep *sweep, struct arena *arena,
                      struct sweep_cliff *cliff);

#endif
