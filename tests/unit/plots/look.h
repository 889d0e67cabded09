/* look.h: what tests ask of the scene of a chart. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_LOOK_H
#define PLOTS_LOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <retrystorm/chart.h>
#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/sweep.h>

#include "plots/charts.h"
#include "plots/scene.h"
#include "support/test.h"

static inline void draw(const struct storm_results *results, struct scene *scene) {
    static const struct storm_chart_options plain = {.dark = false};
    struct storm_error error = {0};
    scene_init(scene, false);
    if (!chart_load(results, &plain, scene, &error))
        fail_msg("%s", error.message);
}

/* A chart of a sweep. */
typedef bool (*sweep_chart)(const struct storm_sweep *sweep,
                            const struct storm_chart_options *options, struct scene *scene,
                            struct storm_error *error);

static inline void draw_sweep(sweep_chart chart, const struct storm_sweep *sweep,
                              struct scene *scene) {
    static const struct storm_chart_options plain = {.dark = false};
    struct storm_error error = {0};
    scene_init(scene, false);
    if (!chart(sweep, &plain, scene, &error))
        fail_msg("%s", error.message);
}

/* The index-th mark of a part; NULL when there are not so many. */
static inline const struct scene_mark *find(const struct scene *scene, const char *part,
                                            uint32_t index) {
    for (uint32_t i = 0; i < scene->count; i++)
        if (strcmp(scene->marks[i].part, part) == 0 && index-- == 0)
            return &scene->marks[i];
    return NULL;
}

static inline uint32_t count(const struct scene *scene, const char *part) {
    uint32_t found = 0;
    while (find(scene, part, found) != NULL)
        found++;
    return found;
}

static inline void assert_text(const struct scene *scene, const char *part, uint32_t index,
                               const char *text) {
    const struct scene_mark *mark = find(scene, part, index);
    assert_non_null(mark);
    assert_string_equal(mark->text, text);
}

/* Every text lies on the page, and no two texts share room. */
static inline void check_texts(const struct scene *scene) {
    for (uint32_t i = 0; i < scene->count; i++) {
        if (scene->marks[i].kind != SCENE_TEXT)
            continue;
        struct scene_box a = scene_text_box(&scene->marks[i]);
        if (a.x0 < 0 || a.y0 < 0 || a.x1 > scene->width || a.y1 > scene->height)
            fail_msg("\"%s\" leaves the page", scene->marks[i].text);
        for (uint32_t j = 0; j < i; j++) {
            if (scene->marks[j].kind != SCENE_TEXT)
                continue;
            struct scene_box b = scene_text_box(&scene->marks[j]);
            if (scene_boxes_overlap(&a, &b))
                fail_msg("\"%s\" lies over \"%s\"", scene->marks[i].text, scene->marks[j].text);
        }
    }
}

#endif
