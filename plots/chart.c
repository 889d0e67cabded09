/* chart.c: from results, or a sweep, and a file name to a picture: finds the chart, the painter,
   and writes the file whole. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <retrystorm/chart.h>
#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/sweep.h>

#include "base/outfile.h"
#include "plots/charts.h"
#include "plots/paint.h"
#include "plots/scene.h"
#include "plots/words.h"

struct chart {
    const char *name;
    bool (*draw)(const struct storm_results *results, const struct storm_chart_options *options,
                 struct scene *scene, struct storm_error *error);
    bool (*draw_sweep)(const struct storm_sweep *sweep, const struct storm_chart_options *options,
                       struct scene *scene, struct storm_error *error);
};

static const struct chart charts[] = {
#define CHART(name, function, summary) {#name, function, NULL},
#define SWEEP_CHART(name, function, summary) {#name, NULL, function},
#include "plots/charts.def"
#undef CHART
#undef SWEEP_CHART
};

enum { CHART_COUNT = sizeof charts / sizeof charts[0] };

struct format {
    const char *extension;
    bool (*paint)(const struct scene *scene, FILE *out, struct storm_error *error);
};

/* The last one is not for users: it is the transcript that tests compare. */
static const struct format formats[] = {
    {".png", paint_png}, {".svg", paint_svg}, {".pdf", paint_pdf}, {".txt", paint_text}};

static bool draws_sweeps(const struct chart *chart) { return chart->draw_sweep != NULL; }

/* All names of a kind, for whoever named none of them. */
static void suggest_charts(bool of_sweep, char *text, size_t size) {
    const char *comma = "";
    snprintf(text, size, "one of:");
    for (size_t i = 0; i < CHART_COUNT; i++)
        if (draws_sweeps(&charts[i]) == of_sweep) {
            words_append(text, size, "%s %s", comma, charts[i].name);
            comma = ",";
        }
}

static const struct chart *find_chart(const char *name, bool of_sweep, struct storm_error *error) {
    bool is_other = false;
    assert(error != NULL);
    for (size_t i = 0; i < CHART_COUNT; i++) {
        bool is_named = name == NULL || strcmp(name, charts[i].name) == 0;
        if (is_named && draws_sweeps(&charts[i]) == of_sweep)
            return &charts[i];
        is_other = is_other || is_named;
    }
    if (is_other)
        storm_fail(error, STORM_USAGE, "the chart '%.40s' is not drawn of %s", name,
                   of_sweep ? "a sweep" : "results, but of a sweep");
    else
        storm_fail(error, STORM_USAGE, "there is no chart '%.40s'", name);
    suggest_charts(of_sweep, error->suggestion, sizeof error->suggestion);
    return NULL;
}

static const struct format *find_format(const char *file, struct storm_error *error) {
    assert(file != NULL && error != NULL);
    const char *slash = strrchr(file, '/');
    const char *dot = strrchr(slash == NULL ? file : slash, '.');
    for (size_t i = 0; dot != NULL && i < sizeof formats / sizeof formats[0]; i++)
        if (strcasecmp(dot, formats[i].extension) == 0)
            return &formats[i];
    storm_fail(error, STORM_USAGE,
               "%.150s: the extension must name a picture format: .png, .svg or .pdf", file);
    return NULL;
}

/* Paints into a file that appears only when the picture is whole. */
static bool write_file(const struct scene *scene, const struct format *format, const char *path,
                       struct storm_error *error) {
    struct outfile file;
    assert(scene->count > 0);
    if (!outfile_open(&file, path, error))
        return false;
    assert(file.stream != NULL);
    bool is_painted = format->paint(scene, file.stream, error);
    if (is_painted || ferror(file.stream)) /* then the commit knows the reason better, and fails */
        return outfile_commit(&file, error);
    outfile_discard(&file);
    return false;
}

static const struct storm_chart_options plain = {0};

/* Draws results or a sweep; the other is NULL. */
static bool write_chart(const struct storm_results *results, const struct storm_sweep *sweep,
                        const struct storm_chart_options *options, const char *file,
                        struct storm_error *error) {
    const struct storm_chart_options *chosen = options != NULL ? options : &plain;
    const struct format *format = find_format(file, error);
    assert((results == NULL) != (sweep == NULL));
    const struct chart *chart =
        format == NULL ? NULL : find_chart(chosen->chart, sweep != NULL, error);
    if (chart == NULL)
        return false;
    struct scene scene;
    scene_init(&scene, chosen->dark);
    bool is_drawn = sweep != NULL ? chart->draw_sweep(sweep, chosen, &scene, error)
                                  : chart->draw(results, chosen, &scene, error);
    bool is_done = is_drawn && write_file(&scene, format, file, error);
    scene_free(&scene);
    return is_done;
}

bool storm_chart_write(const struct storm_results *results,
                       const struct storm_chart_options *options, const char *file,
                       struct storm_error *error) {
    assert(results != NULL && file != NULL && error != NULL);
    return write_chart(results, NULL, options, file, error);
}

bool storm_chart_write_sweep(const struct storm_sweep *sweep,
                             const struct storm_chart_options *options, const char *file,
                             struct storm_error *error) {
    assert(sweep != NULL && file != NULL && error != NULL);
    return write_chart(NULL, sweep, options, file, error);
}
