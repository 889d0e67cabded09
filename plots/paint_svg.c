/* paint_svg.c: a scene as SVG: real text, classes for roles, colours as CSS variables. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cairo's own SVG is not used: it has glyph outlines instead of text, is 40 times as large, and its
   ids collide when two charts stand in one page. Every class here begins with rs-, for the same
   reason. Colours are written twice, literally and as a variable, since not every viewer knows
   variables. */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/error.h>

#include "plots/paint.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/words.h"

static void put_number(FILE *out, double value) {
    char text[WORDS_MAX];
    assert(out != NULL);
    fputs(words_tenth(value, text, sizeof text), out);
}

static void put_escaped(FILE *out, const char *text) {
    assert(out != NULL && text != NULL);
    for (; *text != 0; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
}

static void put_attribute(FILE *out, const char *name, double value) {
    assert(name != NULL);
    fputs(" ", out);
    fputs(name, out);
    fputs("=\"", out);
    put_number(out, value);
    fputs("\"", out);
}

static void put_color(FILE *out, enum theme_role role, bool is_dark) {
    char text[16];
    int length = snprintf(text, sizeof text, "#%06X", (unsigned)theme_color(role, is_dark));
    assert(length == 7);
    fputs(text, out);
}

/* "fill:#005F9A;fill:var(--rs-first)" */
static void put_paint(FILE *out, const char *property, enum theme_role role, bool is_dark) {
    assert(property != NULL);
    fputs(property, out);
    fputs(":", out);
    put_color(out, role, is_dark);
    fputs(";", out);
    fputs(property, out);
    fputs(":var(--rs-", out);
    fputs(theme_role_class(role), out);
    fputs(")", out);
}

/* The roles that a scene makes use of; the background's and the band's are those of halos, too. */
struct used {
    bool roles[ROLE_COUNT];
};

static struct used find_used(const struct scene *scene) {
    struct used used = {.roles = {[ROLE_BACKGROUND] = true, [ROLE_BAND] = true}};
    for (uint32_t i = 0; i < scene->count; i++)
        used.roles[scene->marks[i].role] = true;
    return used;
}

static void put_variables(FILE *out, const struct used *used, bool is_dark) {
    assert(out != NULL && used->roles[0]);
    for (int i = 0; i < ROLE_COUNT; i++) {
        if (!used->roles[i])
            continue;
        fputs(i == 0 ? "--rs-" : ";--rs-", out);
        fputs(theme_role_class((enum theme_role)i), out);
        fputs(":", out);
        put_color(out, (enum theme_role)i, is_dark);
    }
}

static void put_style(FILE *out, const struct used *used, bool is_dark) {
    char text[160];
    const char *scope = is_dark ? ".rs-dark" : ".rs-light";
    assert(out != NULL);
    fputs("<style>\n", out);
    fputs(scope, out);
    fputs("{", out);
    put_variables(out, used, is_dark);
    fputs("}\n", out);
    if (!is_dark) {
        fputs("@media (prefers-color-scheme:dark){.rs-light{", out);
        put_variables(out, used, true);
        fputs("}}\n", out);
    }
    for (int i = 0; i < ROLE_COUNT; i++) {
        const char *name = theme_role_class((enum theme_role)i);
        if (!used->roles[i])
            continue;
        snprintf(text, sizeof text, "%s .rs-f-%s{", scope, name);
        fputs(text, out);
        put_paint(out, "fill", (enum theme_role)i, is_dark);
        snprintf(text, sizeof text, "}\n%s .rs-s-%s{fill:none;", scope, name);
        fputs(text, out);
        put_paint(out, "stroke", (enum theme_role)i, is_dark);
        fputs("}\n", out);
    }
    fputs(scope, out);
    fputs(" .rs-halo{", out);
    put_paint(out, "stroke", ROLE_BACKGROUND, is_dark);
    fputs("}\n", out);
    fputs(scope, out);
    fputs(" .rs-halo-band{", out);
    put_paint(out, "stroke", ROLE_BAND, is_dark);
    fputs("}\n.rs-halo,.rs-halo-band{stroke-width:4;stroke-linejoin:round;paint-order:stroke}\n"
          ".rs-chart text{font-family:Inter,'DejaVu Sans',sans-serif;"
          "font-variant-numeric:tabular-nums;font-kerning:normal;white-space:pre}\n",
          out);
    for (int i = 0; i < FONT_COUNT; i++) {
        enum theme_font font = (enum theme_font)i;
        snprintf(text, sizeof text, ".rs-t-%s{font-weight:%d;font-size:", theme_font_class(font),
                 theme_font_weight(font));
        fputs(text, out);
        put_number(out, theme_font_size(font));
        fputs("px}\n", out);
    }
    fputs("</style>\n", out);
}

/* Level and upright steps are written with H and V, which halves a step curve. */
static void put_path(FILE *out, const struct scene_mark *mark) {
    assert(mark->point_count >= 2);
    fputs(" d=\"M", out);
    for (uint32_t i = 0; i < mark->point_count; i++) {
        const struct scene_point *point = &mark->points[i];
        bool is_level = i > 0 && point->y == mark->points[i - 1].y;
        bool is_upright = i > 0 && point->x == mark->points[i - 1].x;
        if (i > 0)
            fputs(is_level ? "H" : is_upright ? "V" : "L", out);
        if (!is_upright)
            put_number(out, point->x);
        if (i == 0 || !(is_level || is_upright))
            fputs(" ", out);
        if (!is_level)
            put_number(out, point->y);
        if (is_level && is_upright)
            put_number(out, point->x);
    }
    fputs(mark->kind == SCENE_AREA ? "Z\"" : "\"", out);
}

static void put_class(FILE *out, const struct scene_mark *mark) {
    assert(mark != NULL);
    fputs(mark->kind == SCENE_LINE ? " class=\"rs-s-" : " class=\"rs-f-", out);
    fputs(theme_role_class(mark->role), out);
    if (mark->kind == SCENE_TEXT) {
        fputs(" rs-t-", out);
        fputs(theme_font_class(mark->font), out);
    }
    if (mark->kind == SCENE_TEXT && mark->halo > 0)
        fputs(mark->halo_role == ROLE_BAND ? " rs-halo-band" : " rs-halo", out);
    fputs("\"", out);
}

static void put_text_mark(FILE *out, const struct scene_mark *mark) {
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    assert((size_t)mark->anchor < 3);
    fputs("<text", out);
    put_class(out, mark);
    fputs(anchors[mark->anchor], out);
    put_attribute(out, "x", mark->x);
    put_attribute(out, "y", mark->y);
    fputs(">", out);
    put_escaped(out, mark->text);
    fputs("</text>\n", out);
}

/* Stroke widths have two decimals: 1.25 is one of them. */
static void put_stroke(FILE *out, const struct scene_mark *mark) {
    char text[96];
    assert(mark->stroke > 0);
    int hundredths = (int)(mark->stroke * 100 + 0.5);
    snprintf(text, sizeof text, " stroke-width=\"%d.%02d\" stroke-linejoin=\"round\"",
             hundredths / 100, hundredths % 100);
    fputs(text, out);
    if (mark->dash <= 0)
        return;
    fputs(" stroke-dasharray=\"", out);
    put_number(out, mark->dash);
    fputs(" ", out);
    put_number(out, mark->gap);
    fputs("\"", out);
}

static void put_shape(FILE *out, const struct scene_mark *mark) {
    char text[32];
    bool is_path = mark->kind == SCENE_AREA || mark->kind == SCENE_LINE;
    assert(mark->kind != SCENE_TEXT);
    fputs(is_path ? "<path" : mark->kind == SCENE_RECT ? "<rect" : "<circle", out);
    put_class(out, mark);
    if (is_path) {
        if (mark->kind == SCENE_LINE)
            put_stroke(out, mark);
        put_path(out, mark);
    } else {
        bool is_rect = mark->kind == SCENE_RECT;
        put_attribute(out, is_rect ? "x" : "cx", mark->x);
        put_attribute(out, is_rect ? "y" : "cy", mark->y);
        if (is_rect) {
            put_attribute(out, "width", mark->width);
            put_attribute(out, "height", mark->height);
        }
        if (mark->radius > 0)
            put_attribute(out, is_rect ? "rx" : "r", mark->radius);
    }
    if (mark->opacity < 1) {
        snprintf(text, sizeof text, " opacity=\"0.%02d\"", (int)(mark->opacity * 100 + 0.5));
        fputs(text, out);
    }
    fputs("/>\n", out);
}

bool paint_svg(const struct scene *scene, FILE *out, struct storm_error *error) {
    assert(scene != NULL && !scene->is_full);
    assert(out != NULL && error != NULL);
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" class=\"rs-chart ", out);
    fputs(scene->is_dark ? "rs-dark\"" : "rs-light\"", out);
    put_attribute(out, "width", scene->width);
    put_attribute(out, "height", scene->height);
    fputs(" viewBox=\"0 0 ", out);
    put_number(out, scene->width);
    fputs(" ", out);
    put_number(out, scene->height);
    fputs("\">\n<title>", out);
    put_escaped(out, scene->title);
    fputs("</title>\n<desc>", out);
    put_escaped(out, scene->description);
    fputs("</desc>\n", out);
    struct used used = find_used(scene);
    put_style(out, &used, scene->is_dark);
    for (uint32_t i = 0; i < scene->count; i++)
        if (scene->marks[i].kind == SCENE_TEXT)
            put_text_mark(out, &scene->marks[i]);
        else
            put_shape(out, &scene->marks[i]);
    fputs("</svg>\n", out);
    return true;
}
