/* page.c: what stands around the panels of every chart. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "plots/layout.h"
#include "plots/page.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/type.h"

#define TITLE_Y 51.0
#define TITLE_LINE 32.0
#define PAUSE 0.8          /* a break at a comma may leave the lines this uneven */
#define SUBTITLE_DROP 26.0 /* from the title's last baseline */
#define SUBTITLE_LINE 19.0
#define FOOTER_LINE 50.0 /* from the page's end up */
#define FOOTER_TEXT 26.0
#define FOOTER_GAP 24.0 /* between its two texts */

enum { VERSION_MAX = 96 };

void page_text(struct scene *scene, const char *part, enum theme_font font, enum theme_role role,
               enum scene_anchor anchor, double x, double y, const char *text) {
    assert(scene != NULL && text != NULL);
    scene_add(scene, &(struct scene_mark){.kind = SCENE_TEXT,
                                          .part = part,
                                          .font = font,
                                          .role = role,
                                          .anchor = anchor,
                                          .x = x,
                                          .y = y,
                                          .text = text});
}

void page_begin(struct scene *scene, double width, double height) {
    assert(scene != NULL && scene->count == 0);
    assert(width > 0 && height > 0);
    scene->width = width;
    scene->height = height;
    scene_add(scene, &(struct scene_mark){.kind = SCENE_RECT,
                                          .part = "page",
                                          .role = ROLE_BACKGROUND,
                                          .width = width,
                                          .height = height});
}

/* Where a text that takes two lines is broken so that they are about equally long, for no word
   should stand alone; rather where the sentence pauses, if that is nearly as even. 0: it is not
   broken. */
static size_t break_evenly(enum theme_font font, const char *text, double width) {
    size_t last = type_break(font, text, width), best = last;
    if (last == 0 || text[last - 1] == '\n' || type_width(font, text + last) > width)
        return last;
    double least = HUGE_VAL, whole = type_width(font, text);
    for (size_t at = 1; at <= last; at++) {
        double rest = type_width(font, text + at), longer = fmax(whole - rest, rest);
        if (text[at - 1] != ' ' || rest > width)
            continue;
        if (at > 1 && strchr(",:;.", text[at - 2]) != NULL)
            longer *= PAUSE;
        if (longer >= least)
            continue;
        least = longer;
        best = at;
    }
    return best;
}

/* Writes text on one or two lines from (margin, y) on; returns the last baseline. */
static double draw_wrapped(struct scene *scene, const char *part, enum theme_font font,
                           enum theme_role role, double y, double line, const char *text) {
    char buffer[TYPE_TEXT_MAX];
    double width = scene->width - 2 * LAYOUT_MARGIN;
    size_t rest = break_evenly(font, text, width);
    assert(rest < sizeof buffer);
    if (rest > 0) {
        snprintf(buffer, sizeof buffer, "%.*s", (int)rest - 1, text);
        page_text(scene, part, font, role, SCENE_START, LAYOUT_MARGIN, y, buffer);
        y += line;
    }
    type_fit(font, text + rest, width, buffer, sizeof buffer);
    page_text(scene, part, font, role, SCENE_START, LAYOUT_MARGIN, y, buffer);
    return y;
}

double page_header_height(const char *title, const char *subtitle, double width) {
    assert(title != NULL && subtitle != NULL);
    double room = width - 2 * LAYOUT_MARGIN;
    assert(room > 0);
    return (type_break(FONT_TITLE, title, room) > 0 ? TITLE_LINE : 0) +
           (type_break(FONT_SUBTITLE, subtitle, room) > 0 ? SUBTITLE_LINE : 0);
}

void page_draw_header(struct scene *scene, const char *title, const char *subtitle) {
    assert(scene != NULL);
    assert(title != NULL && subtitle != NULL);
    double y = draw_wrapped(scene, "title", FONT_TITLE, ROLE_INK, TITLE_Y, TITLE_LINE, title);
    draw_wrapped(scene, "subtitle", FONT_SUBTITLE, ROLE_INK2, y + SUBTITLE_DROP, SUBTITLE_LINE,
                 subtitle);
}

static void write_version(const char *hash, char *buffer, size_t size) {
    assert(hash != NULL && size >= VERSION_MAX);
    snprintf(buffer, size, "retrystorm " STORM_VERSION "%s%.10s", hash[0] != '\0' ? " · " : "",
             hash);
}

double page_footer_room(double width, const char *hash) {
    char version[VERSION_MAX];
    write_version(hash, version, sizeof version);
    double room = width - 2 * LAYOUT_MARGIN - type_width(FONT_FOOTER, version) - FOOTER_GAP;
    assert(room > 0);
    return room;
}

void page_draw_footer(struct scene *scene, const char *text, const char *hash) {
    char version[VERSION_MAX], cut[2 * TYPE_TEXT_MAX];
    assert(scene != NULL && scene->height > FOOTER_LINE);
    double width = scene->width, height = scene->height;
    struct scene_point ends[2] = {{LAYOUT_MARGIN, height - FOOTER_LINE + 0.5},
                                  {width - LAYOUT_MARGIN, height - FOOTER_LINE + 0.5}};
    scene_add(scene, &(struct scene_mark){.kind = SCENE_LINE,
                                          .part = "footer-line",
                                          .role = ROLE_GRID,
                                          .points = ends,
                                          .point_count = 2,
                                          .stroke = 1});
    write_version(hash, version, sizeof version);
    type_fit(FONT_FOOTER, text, page_footer_room(width, hash), cut, sizeof cut);
    page_text(scene, "footer", FONT_FOOTER, ROLE_INK3, SCENE_START, LAYOUT_MARGIN,
              height - FOOTER_TEXT, cut);
    page_text(scene, "footer-right", FONT_FOOTER, ROLE_INK3, SCENE_END, width - LAYOUT_MARGIN,
              height - FOOTER_TEXT, version);
}
