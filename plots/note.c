/* note.c: one label in a panel: its room, its ground, its place. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/results.h>

#include "plots/load.h"
#include "plots/note.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/theme.h"

#define HALO 4.0

struct scene_box note_box(const struct note *note, enum scene_anchor anchor, double x, double y) {
    assert(note->head != NULL && note->body != NULL);
    struct scene_mark head = {.kind = SCENE_TEXT,
                              .font = note->font,
                              .text = note->head,
                              .anchor = anchor,
                              .x = x,
                              .y = y};
    struct scene_box box = scene_text_box(&head);
    if (note->body[0] == '\0')
        return box;
    head.font = FONT_BODY;
    head.text = note->body;
    head.y = y + NOTE_LINE_DROP;
    struct scene_box lower = scene_text_box(&head);
    assert(lower.y1 > box.y1);
    return (struct scene_box){fmin(box.x0, lower.x0), box.y0, fmax(box.x1, lower.x1), lower.y1};
}

/* What the halo of a label off the data covers: the background, or a band when it lies wholly
   within one. A label half on a band gets no halo, which would show at its edge. */
static double halo_of(const struct load_panel *panel, const struct scene_box *box,
                      enum theme_role *ground) {
    const struct storm_variant *variant = panel->variant;
    assert(ground != NULL);
    *ground = ROLE_BACKGROUND;
    for (uint32_t i = 0; i < variant->span_count; i++) {
        const struct storm_span *span = &variant->spans[i];
        if (!load_shows_span(panel->load, variant, span))
            continue;
        double from = load_x(panel, span->from), to = load_x(panel, span->to);
        bool is_out = box->x1 + HALO / 2 <= from || box->x0 - HALO / 2 >= to;
        bool is_in = box->x0 - HALO / 2 >= from && box->x1 + HALO / 2 <= to;
        if (is_in)
            *ground = ROLE_BAND;
        else if (!is_out)
            return 0;
    }
    return HALO;
}

/* Under a label on the data: a halo would fray on their strong colours. */
static void draw_plate(const struct load_panel *panel, const struct note *note,
                       const struct scene_box *box) {
    bool is_band = note->role == ROLE_BAND_TEXT;
    assert(box->x1 > box->x0 && box->y1 > box->y0);
    scene_add(panel->load->scene,
              &(struct scene_mark){.kind = SCENE_RECT,
                                   .part = "plate",
                                   .role = is_band ? ROLE_BAND : ROLE_BACKGROUND,
                                   .x = box->x0 - 3,
                                   .y = box->y0 - 1,
                                   .width = box->x1 - box->x0 + 6,
                                   .height = box->y1 - box->y0 + 2,
                                   .radius = 3});
}

void note_draw(struct load_panel *panel, const struct note *note, enum scene_anchor anchor,
               double x, double y, const struct scene_box *box) {
    assert(box->x1 >= box->x0);
    struct scene_mark mark = {.kind = SCENE_TEXT,
                              .part = note->part,
                              .role = note->role,
                              .font = note->font,
                              .anchor = anchor,
                              .x = x,
                              .y = y,
                              .text = note->head};
    if (place_is_on_data(&panel->place, box))
        draw_plate(panel, note, box);
    else
        mark.halo = halo_of(panel, box, &mark.halo_role);
    scene_add(panel->load->scene, &mark);
    mark.part = "note-body";
    mark.role = ROLE_INK2;
    mark.font = FONT_BODY;
    mark.y = y + NOTE_LINE_DROP;
    mark.text = note->body;
    scene_add(panel->load->scene, &mark);
    place_take(&panel->place, box);
}

bool note_put(struct load_panel *panel, const struct note *note, enum scene_anchor anchor, double x,
              double y, double reach, enum place_ground ground) {
    struct scene_box wish = note_box(note, anchor, x, y), box = wish;
    assert(reach >= 0);
    if (!place_slide(&panel->place, &box, reach, ground))
        return false;
    note_draw(panel, note, anchor, x, y + box.y0 - wish.y0, &box);
    return true;
}

void note_put_somewhere(struct load_panel *panel, const struct note *note, enum scene_anchor anchor,
                        double x, double y) {
    struct scene_box wish = note_box(note, anchor, x, y), box = wish;
    assert(note->head[0] != '\0');
    bool is_found = place_seek(&panel->place, &box, PLACE_OFF_DATA) &&
                    fabs(box.x0 - wish.x0) + fabs(box.y0 - wish.y0) <= 2 * NOTE_REACH;
    if (!is_found)
        box = wish;
    if (is_found || place_seek(&panel->place, &box, PLACE_BETWEEN_TOPS))
        note_draw(panel, note, anchor, x + box.x0 - wish.x0, y + box.y0 - wish.y0, &box);
}
