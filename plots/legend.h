/* legend.h: the row of keys and words under a chart's header. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_LEGEND_H
#define PLOTS_LEGEND_H

#include "plots/scene.h"

#define LEGEND_KEY_GAP 7.0    /* between a key and its words */
#define LEGEND_WORDS_GAP 28.0 /* between words and the next key, where there is room */
#define LEGEND_LINE 22.0      /* the length of a line's key */

/* Where the next key begins, the baseline of the words, and what stays free behind them. */
struct legend {
    struct scene *scene;
    double x, y, gap;
};

/* Draws a part of the next key: a mark whose places are counted from the key's left end and from
   the middle of the words' letters, as the part "key". */
void legend_key(const struct legend *legend, const struct scene_mark *mark);

/* A key that is a line LEGEND_LINE long (`dash` 0: unbroken). */
void legend_line(const struct legend *legend, enum theme_role role, double stroke, double dash);

/* Writes the words of a key that is `width` wide, and goes on to the next. */
void legend_words(struct legend *legend, double width, const char *words);

#endif
