/* drawing.c: the events of slices on their way to whoever draws them, up to a limit.

   1. What has begun can end: as many events as slices and flows are open are kept free below the
      limit, so that what does not fit is left out whole. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/drawing.h"

#include <assert.h>

/* Whether `more` events fit, besides the ends of what is open (invariant 1). */
static bool fits(struct drawing *d, uint32_t more) {
    bool good = !d->failed && d->count + d->open_count + more <= d->limit;
    d->left_out += good ? 0 : more;
    return good;
}

static void draw(struct drawing *d, struct storm_slice_event event) {
    event.time = d->now;
    d->count++;
    d->draw(d->context, &event);
}

bool drawing_begin(struct drawing *d, enum storm_slice_kind kind, uint32_t process, uint32_t lane,
                   const struct storm_fact *fact, const struct storm_kin *kin) {
    if (lane == 0 || !fits(d, 2)) {
        return false;
    }
    draw(d, (struct storm_slice_event){.phase = STORM_SLICE_BEGIN,
                                       .kind = kind,
                                       .process = process,
                                       .lane = lane,
                                       .fact = fact,
                                       .kin = kin});
    d->open_count++;
    return true;
}

void drawing_end(struct drawing *d, enum storm_slice_kind kind, uint32_t process, uint32_t lane,
                 const struct storm_fact *fact) {
    assert(d->open_count > 0 && d->count < d->limit); /* invariant 1 */
    d->open_count--;
    draw(d, (struct storm_slice_event){.phase = STORM_SLICE_END,
                                       .kind = kind,
                                       .process = process,
                                       .lane = lane,
                                       .fact = fact});
}

void drawing_instant(struct drawing *d, enum storm_slice_kind kind, uint32_t process, uint32_t lane,
                     const struct storm_fact *fact, const struct storm_mark *mark) {
    if (fits(d, 1)) {
        draw(d, (struct storm_slice_event){.phase = STORM_SLICE_INSTANT,
                                           .kind = kind,
                                           .process = process,
                                           .lane = lane,
                                           .fact = fact,
                                           .mark = mark});
    }
}

static void draw_flow(struct drawing *d, enum storm_slice_phase phase, uint32_t process,
                      uint32_t lane, const struct storm_kin *kin) {
    draw(d, (struct storm_slice_event){.phase = phase,
                                       .kind = STORM_SLICE_ATTEMPT,
                                       .process = process,
                                       .lane = lane,
                                       .kin = kin,
                                       .flow = kin->order + 1});
}

bool drawing_begin_flow(struct drawing *d, uint32_t process, uint32_t lane,
                        const struct storm_kin *kin) {
    if (!fits(d, 2)) {
        return false;
    }
    d->open_count++;
    draw_flow(d, STORM_SLICE_FLOW_OUT, process, lane, kin);
    return true;
}

void drawing_drop_flow(struct drawing *d) {
    assert(d->open_count > 0);
    d->open_count--;
}

void drawing_end_flow(struct drawing *d, uint32_t process, uint32_t lane,
                      const struct storm_kin *kin) {
    drawing_drop_flow(d);
    draw_flow(d, STORM_SLICE_FLOW_IN, process, lane, kin);
}

void drawing_level(struct drawing *d, uint32_t process, uint32_t waiting, uint32_t served,
                   double offered) {
    if (fits(d, 2)) {
        d->count++; /* two tracks */
        draw(d, (struct storm_slice_event){.phase = STORM_SLICE_COUNTER,
                                           .kind = STORM_SLICE_LEVEL,
                                           .process = process,
                                           .waiting = waiting,
                                           .served = served,
                                           .offered = offered});
    }
}
