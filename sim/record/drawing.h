/* drawing.h: the events of slices on their way to whoever draws them, up to a limit. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_DRAWING_H
#define RECORD_DRAWING_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/window.h>

struct drawing {
    void (*draw)(void *context, const struct storm_slice_event *event);
    void *context;
    uint64_t limit;      /* of events */
    uint64_t count;      /* of those drawn */
    uint64_t open_count; /* slices and flows that have begun and not ended */
    uint64_t left_out;   /* events for which there was no room */
    storm_time now;      /* of what is drawn next */
    bool failed;         /* memory has run out: nothing more begins */
};

/* Begins a slice. False where it is left out, as it is without a lane (0): it must not be ended. */
bool drawing_begin(struct drawing *drawing, enum storm_slice_kind kind, uint32_t process,
                   uint32_t lane, const struct storm_fact *fact, const struct storm_kin *kin);

/* Ends the slice of that lane which began last. */
void drawing_end(struct drawing *drawing, enum storm_slice_kind kind, uint32_t process,
                 uint32_t lane, const struct storm_fact *fact);

/* A moment. Either of fact and mark is NULL. */
void drawing_instant(struct drawing *drawing, enum storm_slice_kind kind, uint32_t process,
                     uint32_t lane, const struct storm_fact *fact, const struct storm_mark *mark);

/* The arrow from an attempt to its visit leaves. False where it is left out. */
bool drawing_begin_flow(struct drawing *drawing, uint32_t process, uint32_t lane,
                        const struct storm_kin *kin);

/* It arrives. */
void drawing_end_flow(struct drawing *drawing, uint32_t process, uint32_t lane,
                      const struct storm_kin *kin);

/* It never will. */
void drawing_drop_flow(struct drawing *drawing);

/* How a service stands: two events, as there are two tracks of it. */
void drawing_level(struct drawing *drawing, uint32_t process, uint32_t waiting, uint32_t served,
                   double offered);

#endif
