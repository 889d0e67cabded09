/* theme.h: roles and fonts become colours and sizes, in light and dark. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_THEME_H
#define PLOTS_THEME_H

#include <stdbool.h>
#include <stdint.h>

/* What a colour is for. Charts name roles only; painters ask for the colour. */
enum theme_role {
#define ROLE(name, class, light, dark, kind, ground) ROLE_##name,
#include "plots/theme_roles.def"
#undef ROLE
    ROLE_COUNT
};

/* What a text is for. */
enum theme_font {
#define FONT(name, class, px, weight) FONT_##name,
#include "plots/theme_fonts.def"
#undef FONT
    FONT_COUNT
};

enum theme_contrast { THEME_TEXT, THEME_MARK, THEME_QUIET };

enum {
    THEME_STRIP_STEPS = ROLE_STRIP_8 - ROLE_STRIP_0 + 1,
    THEME_HEAT_STEPS = ROLE_HEAT_10 - ROLE_HEAT_0 + 1
};

/* The colour of a role as 0xRRGGBB. */
uint32_t theme_color(enum theme_role role, bool is_dark);

/* A role's short name, the same in SVG classes and transcripts; never NULL. */
const char *theme_role_class(enum theme_role role);

/* Which contrast a role must keep, and with which role. */
enum theme_contrast theme_role_contrast(enum theme_role role);
enum theme_role theme_role_ground(enum theme_role role);

/* A font's short name, its size in CSS px and its CSS weight (400 .. 700). */
const char *theme_font_class(enum theme_font font);
double theme_font_size(enum theme_font font);
int theme_font_weight(enum theme_font font);

#endif
