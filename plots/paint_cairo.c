/* paint_cairo.c: a scene as PNG or PDF, with cairo for shapes and pango for text. The only file
   that knows them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cairo-pdf.h>
#include <cairo.h>
#include <pango/pangocairo.h>

#include <retrystorm/error.h>

#include "plots/paint.h"
#include "plots/scene.h"
#include "plots/theme.h"

#define PNG_SCALE 2.0
#define PDF_SCALE 0.75

/* What painting needs. The font map is our own, so that nothing left over from an earlier
   picture changes this one. */
struct painter {
    cairo_t *cairo;
    PangoFontMap *fonts;
    PangoContext *context;
    PangoAttrList *attributes;
    bool is_dark;
};

static cairo_status_t put_bytes(void *out, const unsigned char *bytes, unsigned count) {
    assert(out != NULL);
    assert(bytes != NULL || count == 0);
    return fwrite(bytes, 1, count, out) == count ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static void painter_init(struct painter *painter, cairo_surface_t *surface, double scale,
                         bool is_dark) {
    assert(painter != NULL && surface != NULL);
    painter->is_dark = is_dark;
    painter->cairo = cairo_create(surface);
    cairo_scale(painter->cairo, scale, scale);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    painter->fonts = pango_cairo_font_map_new();
    painter->context = pango_font_map_create_context(painter->fonts);
    pango_cairo_context_set_font_options(painter->context, options);
    pango_cairo_context_set_resolution(painter->context, 96);
    pango_context_set_language(painter->context, pango_language_from_string("en"));
    pango_context_set_base_dir(painter->context, PANGO_DIRECTION_LTR);
    pango_context_set_round_glyph_positions(painter->context, FALSE);
    painter->attributes = pango_attr_list_new();
    pango_attr_list_insert(painter->attributes, pango_attr_font_features_new("tnum=1, kern=1"));
    cairo_font_options_destroy(options);
    assert(painter->context != NULL);
}

static void painter_free(struct painter *painter) {
    assert(painter != NULL && painter->cairo != NULL);
    assert(painter->fonts != NULL);
    pango_attr_list_unref(painter->attributes);
    g_object_unref(painter->context);
    g_object_unref(painter->fonts);
    cairo_destroy(painter->cairo);
}

static void set_color(const struct painter *painter, enum theme_role role, double opacity) {
    uint32_t color = theme_color(role, painter->is_dark);
    assert(opacity > 0 && opacity <= 1);
    cairo_set_source_rgba(painter->cairo, (color >> 16) / 255.0, (color >> 8 & 0xFF) / 255.0,
                          (color & 0xFF) / 255.0, opacity);
}

static PangoLayout *lay_out(const struct painter *painter, const struct scene_mark *mark) {
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family_static(font, "Inter, DejaVu Sans, sans-serif");
    pango_font_description_set_weight(font, (PangoWeight)theme_font_weight(mark->font));
    pango_font_description_set_absolute_size(font, theme_font_size(mark->font) * PANGO_SCALE);
    PangoLayout *layout = pango_layout_new(painter->context);
    pango_layout_set_font_description(layout, font);
    pango_layout_set_attributes(layout, painter->attributes);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_auto_dir(layout, FALSE);
    pango_layout_set_text(layout, mark->text, -1);
    pango_font_description_free(font);
    assert(layout != NULL);
    return layout;
}

static void paint_words(const struct painter *painter, const struct scene_mark *mark) {
    assert(mark->kind == SCENE_TEXT && mark->text != NULL);
    PangoLayout *layout = lay_out(painter, mark);
    int width = 0, height = 0;
    pango_layout_get_size(layout, &width, &height);
    double shift = mark->anchor == SCENE_START ? 0 : mark->anchor == SCENE_END ? 1 : 0.5;
    double x = mark->x - shift * width / PANGO_SCALE;
    double y = mark->y - (double)pango_layout_get_baseline(layout) / PANGO_SCALE;
    if (mark->halo > 0) {
        cairo_move_to(painter->cairo, x, y);
        pango_cairo_layout_path(painter->cairo, layout);
        set_color(painter, mark->halo_role, 1);
        cairo_set_line_width(painter->cairo, mark->halo);
        cairo_set_line_join(painter->cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_stroke(painter->cairo);
    }
    cairo_move_to(painter->cairo, x, y);
    set_color(painter, mark->role, 1);
    pango_cairo_show_layout(painter->cairo, layout);
    cairo_new_path(painter->cairo);
    g_object_unref(layout);
}

static void trace_rect(cairo_t *cairo, const struct scene_mark *mark) {
    double r = fmin(mark->radius, fmin(mark->width, mark->height) / 2);
    double x0 = mark->x, y0 = mark->y, x1 = x0 + mark->width, y1 = y0 + mark->height;
    assert(r >= 0);
    if (r <= 0) {
        cairo_rectangle(cairo, x0, y0, mark->width, mark->height);
        return;
    }
    const double quarter = acos(-1) / 2;
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, x1 - r, y0 + r, r, -quarter, 0);
    cairo_arc(cairo, x1 - r, y1 - r, r, 0, quarter);
    cairo_arc(cairo, x0 + r, y1 - r, r, quarter, 2 * quarter);
    cairo_arc(cairo, x0 + r, y0 + r, r, 2 * quarter, 3 * quarter);
    cairo_close_path(cairo);
}

static void trace_points(cairo_t *cairo, const struct scene_mark *mark) {
    assert(mark->point_count >= 2);
    for (uint32_t i = 0; i < mark->point_count; i++)
        cairo_line_to(cairo, mark->points[i].x, mark->points[i].y);
    if (mark->kind == SCENE_AREA)
        cairo_close_path(cairo);
}

static void paint_line(const struct painter *painter, const struct scene_mark *mark) {
    double dashes[2] = {mark->dash, mark->gap};
    assert(mark->stroke > 0);
    cairo_set_line_width(painter->cairo, mark->stroke);
    cairo_set_line_join(painter->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(painter->cairo, dashes, mark->dash > 0 ? 2 : 0, 0);
    cairo_stroke(painter->cairo);
    cairo_set_dash(painter->cairo, NULL, 0, 0);
}

static void paint_mark(const struct painter *painter, const struct scene_mark *mark) {
    cairo_t *cairo = painter->cairo;
    assert((unsigned)mark->role < ROLE_COUNT);
    if (mark->kind == SCENE_TEXT) {
        paint_words(painter, mark);
        return;
    }
    cairo_new_path(cairo);
    set_color(painter, mark->role, mark->opacity);
    if (mark->kind == SCENE_RECT)
        trace_rect(cairo, mark);
    else if (mark->kind == SCENE_CIRCLE)
        cairo_arc(cairo, mark->x, mark->y, mark->radius, 0, 2 * acos(-1));
    else
        trace_points(cairo, mark);
    if (mark->kind == SCENE_LINE)
        paint_line(painter, mark);
    else
        cairo_fill(cairo);
}

/* Paints all marks; false after filling `error` with cairo's complaint. */
static bool paint_surface(const struct scene *scene, cairo_surface_t *surface, double scale,
                          struct storm_error *error) {
    struct painter painter;
    assert(scene != NULL && !scene->is_full);
    painter_init(&painter, surface, scale, scene->is_dark);
    for (uint32_t i = 0; i < scene->count; i++)
        paint_mark(&painter, &scene->marks[i]);
    cairo_status_t status = cairo_status(painter.cairo);
    painter_free(&painter);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    return storm_fail(error, status == CAIRO_STATUS_NO_MEMORY ? STORM_LIMIT : STORM_IO,
                      "the chart cannot be painted: %s", cairo_status_to_string(status));
}

bool paint_png(const struct scene *scene, FILE *out, struct storm_error *error) {
    assert(scene != NULL && out != NULL);
    assert(scene->width > 0 && scene->height > 0);
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(scene->width * PNG_SCALE),
                                   (int)ceil(scene->height * PNG_SCALE));
    bool is_done = paint_surface(scene, surface, PNG_SCALE, error);
    if (is_done) {
        cairo_surface_flush(surface);
        cairo_status_t status = cairo_surface_write_to_png_stream(surface, put_bytes, out);
        if (status != CAIRO_STATUS_SUCCESS)
            is_done = storm_fail(error, STORM_IO, "the PNG cannot be written: %s",
                                 cairo_status_to_string(status));
    }
    cairo_surface_destroy(surface);
    return is_done;
}

/* The date a PDF carries: that of the build environment if it is a sane one, else 1970. */
static void pdf_date(char *buffer, size_t size) {
    const char *text = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    long long seconds = text == NULL ? 0 : strtoll(text, &end, 10);
    bool is_sane = text != NULL && end != text && *end == 0 && seconds >= 0 &&
                   seconds < 253402300800LL; /* the year 10000 */
    time_t moment = is_sane ? (time_t)seconds : 0;
    struct tm date;
    assert(buffer != NULL && size >= 32);
    if (gmtime_r(&moment, &date) == NULL ||
        strftime(buffer, size, "%Y-%m-%dT%H:%M:%SZ", &date) == 0)
        snprintf(buffer, size, "1970-01-01T00:00:00Z");
}

bool paint_pdf(const struct scene *scene, FILE *out, struct storm_error *error) {
    char date[32];
    assert(scene != NULL && out != NULL);
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        put_bytes, out, scene->width * PDF_SCALE, scene->height * PDF_SCALE);
    pdf_date(date, sizeof date);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, scene->title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, scene->description);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR,
                                   "retrystorm " STORM_VERSION);
    bool is_done = paint_surface(scene, surface, PDF_SCALE, error);
    if (is_done)
        cairo_surface_show_page(surface);
    cairo_surface_finish(surface); /* this writes most of the file */
    cairo_status_t status = cairo_surface_status(surface);
    if (is_done && status != CAIRO_STATUS_SUCCESS)
        is_done = storm_fail(error, STORM_IO, "the PDF cannot be written: %s",
                             cairo_status_to_string(status));
    cairo_surface_destroy(surface);
    assert(is_done || error->status != STORM_OK);
    return is_done;
}
