/* legend.c: the row of keys and words under a chart's header. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdint.h>

#include "plots/legend.h"
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/type.h"

#define MIDDLE_RISE 4.5 /* from the baseline to the middle of the letters */
#define DASH_GAP 3.5

enum { POINTS_MAX = 3 };

void legend_key(const struct legend *legend, const struct scene_mark *mark) {
    struct scene_point points[POINTS_MAX] = {{0, 0}};
    struct scene_mark key = *mark;
    assert(mark->kind != SCENE_TEXT && mark->point_count <= POINTS_MAX);
    for (uint32_t i = 0; i < mark->point_count; i++)
        points[i] = (struct scene_point){legend->x + mark->points[i].x,
                                         legend->y - MIDDLE_RISE + mark->points[i].y};
    key.part = "key";
    key.x += legend->x;
    key.y += legend->y - MIDDLE_RISE;
    key.points = points;
    scene_add(legend->scene, &key);
}

void legend_line(const struct legend *legend, enum theme_role role, double stroke, double dash) {
    static const struct scene_point ends[2] = {{0, 0}, {LEGEND_LINE, 0}};
    assert(stroke > 0 && dash >= 0);
    legend_key(legend, &(struct scene_mark){.kind = SCENE_LINE,
                                            .role = role,
                                            .points = ends,
                                            .point_count = 2,
                                            .stroke = stroke,
                                            .dash = dash,
                                            .gap = DASH_GAP});
}

void legend_words(struct legend *legend, double width, const char *words) {
    assert(width > 0 && words != NULL);
    legend->x += width + LEGEND_KEY_GAP;
    page_text(legend->scene, "legend", FONT_LEGEND, ROLE_INK2, SCENE_START, legend->x, legend->y,
              words);
    legend->x += type_width(FONT_LEGEND, words) + legend->gap;
}
