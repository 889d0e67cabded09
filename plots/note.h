/* note.h: one label in a panel of a chart. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_NOTE_H
#define PLOTS_NOTE_H

#include <stdbool.h>

#include "plots/load.h"
#include "plots/place.h"
#include "plots/scene.h"
#include "plots/theme.h"

/* How far a label may stand from where it would like to, and how far its second line is below its
   first. */
#define NOTE_REACH 40.0
#define NOTE_LINE_DROP 15.0

/* A label of one or two lines. */
struct note {
    const char *part;
    enum theme_font font;
    enum theme_role role;
    const char *head, *body; /* body: "" for none */
};

/* The box of a note whose first baseline is at y. */
struct scene_box note_box(const struct note *note, enum scene_anchor anchor, double x, double y);

/* Draws the note in its box, on a plate where that is on the data, and takes the place. */
void note_draw(struct load_panel *panel, const struct note *note, enum scene_anchor anchor,
               double x, double y, const struct scene_box *box);

/* Draws the note where its first baseline is at y or at most `reach` px from there. False: no free
   place. */
bool note_put(struct load_panel *panel, const struct note *note, enum scene_anchor anchor, double x,
              double y, double reach, enum place_ground ground);

/* The last resort for a note that must be said: the free place nearest to (x, y), off the data
   where one is not too far, else across them; nothing where all is taken. */
void note_put_somewhere(struct load_panel *panel, const struct note *note, enum scene_anchor anchor,
                        double x, double y);

#endif
