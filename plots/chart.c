/* chart.c: from results and a file name to a picture: finds the chart, the painter, and writes
   the file whole. */
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

#include "base/outfile.h"
#include "plots/charts.h"
#include "plots/paint.h"
#include "plots/scene.h"

struct chart {
    const char *name, *summary;
    bool (*draw)(const struct storm_results *results, const struct storm_chart_options *options,
                 struct scene *scene, struct storm_error *error);
};

static const struct chart charts[] = {
#define CHART(name, function, summary) {#name, summary, function},
#include "plots/charts.def"
#undef CHART
};

struct format {
    const char *extension;
    bool (*paint)(const struct scene *scene, FILE *out, struct storm_error *error);
};

/* The last one is not for users: it is the transcript that tests compare. */
static const struct format formats[] = {
    {".png", paint_png}, {".svg", paint_svg}, {".pdf", paint_pdf}, {".txt", paint_text}};

/* All names, for whoever named none of them. */
static void suggest_charts(char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "one of:");
    for (size_t i = 0; i < sizeof charts / sizeof charts[0] && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s %s", i > 0 ? "," : "", charts[i].name);
}

static const struct chart *find_chart(const char *name, struct storm_error *error) {
    assert(error != NULL);
    size_t count = sizeof charts / sizeof charts[0];
    for (size_t i = 0; i < count; i++)
        if (name == NULL || strcmp(name, charts[i].name) == 0)
            return &charts[i];
    storm_fail(error, STORM_USAGE, "there is no chart '%.40s'", name);
    suggest_charts(error->suggestion, sizeof error->suggestion);
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

bool storm_chart_write(const struct storm_results *results,
                       const struct storm_chart_options *options, const char *file,
                       struct storm_error *error) {
    static const struct storm_chart_options plain = {0};
    assert(results != NULL && file != NULL && error != NULL);
    const struct storm_chart_options *chosen = options != NULL ? options : &plain;
    const struct format *format = find_format(file, error);
    const struct chart *chart = format == NULL ? NULL : find_chart(chosen->chart, error);
    if (chart == NULL)
        return false;
    struct scene scene;
    scene_init(&scene, chosen->dark);
    bool is_done =
        chart->draw(results, chosen, &scene, error) && write_file(&scene, format, file, error);
    scene_free(&scene);
    return is_done;
}
