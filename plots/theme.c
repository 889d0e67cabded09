/* theme.c: the tables of colours and fonts. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "plots/theme.h"

struct role_row {
    const char *class_name;
    uint32_t light, dark;
    enum theme_contrast contrast;
    enum theme_role ground;
};

struct font_row {
    const char *class_name;
    double size;
    int weight;
};

static const struct role_row roles[ROLE_COUNT] = {
#define ROLE(name, class, light, dark, kind, ground)                                               \
    [ROLE_##name] = {class, light, dark, THEME_##kind, ROLE_##ground},
#include "plots/theme_roles.def"
#undef ROLE
};

static const struct font_row fonts[FONT_COUNT] = {
#define FONT(name, class, px, weight) [FONT_##name] = {class, px, weight},
#include "plots/theme_fonts.def"
#undef FONT
};

static const struct role_row *role_at(enum theme_role role) {
    assert((unsigned)role < ROLE_COUNT);
    return &roles[role];
}

static const struct font_row *font_at(enum theme_font font) {
    assert((unsigned)font < FONT_COUNT);
    return &fonts[font];
}

uint32_t theme_color(enum theme_role role, bool is_dark) {
    return is_dark ? role_at(role)->dark : role_at(role)->light;
}

const char *theme_role_class(enum theme_role role) { return role_at(role)->class_name; }

enum theme_contrast theme_role_contrast(enum theme_role role) { return role_at(role)->contrast; }

enum theme_role theme_role_ground(enum theme_role role) { return role_at(role)->ground; }

const char *theme_font_class(enum theme_font font) { return font_at(font)->class_name; }

double theme_font_size(enum theme_font font) { return font_at(font)->size; }

int theme_font_weight(enum theme_font font) { return font_at(font)->weight; }
