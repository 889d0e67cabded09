/* slices.h: turns what happens in a window into slices of time that nest, lane by lane. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_SLICES_H
#define RECORD_SLICES_H

#include <stdint.h>

#include <retrystorm/window.h>

#include "record/window.h"

struct arena;
struct slices;

/* Who draws. Events come in the order of their times; in a lane a slice ends before the one that it
   lies in; what is open at the window's beginning begins there, what is open at its end ends
   there. */
struct slices_drawer {
    void (*draw)(void *context, const struct storm_slice_event *event);
    void *context;
};

/* Draws a window, at most `limit` events of it. Memory is the arena's; NULL at its limit. The
   teller is for window_tell_to. */
struct slices *slices_new(struct arena *arena, const struct storm_scenario *scenario,
                          const struct storm_window *plan, struct window *window, uint64_t limit,
                          struct slices_drawer drawer);
struct window_teller slices_teller(struct slices *slices);

/* After window_finish, at the same end of the run: what is open is ended. Returns how many events
   were left out; UINT64_MAX when memory had run out. */
uint64_t slices_finish(struct slices *slices, storm_time end);

#endif
