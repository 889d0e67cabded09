/* page.h: what stands around the panels of every chart: title, subtitle, footer; and texts. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_PAGE_H
#define PLOTS_PAGE_H

#include "plots/scene.h"
#include "plots/theme.h"

/* The baseline of a one-line header's legend, from the page's top. */
#define PAGE_LEGEND_Y 113.0

/* Adds a text. */
void page_text(struct scene *scene, const char *part, enum theme_font font, enum theme_role role,
               enum scene_anchor anchor, double x, double y, const char *text);

/* Gives the scene its size and its ground. */
void page_begin(struct scene *scene, double width, double height);

/* Draws title and subtitle, each on one or two lines. */
void page_draw_header(struct scene *scene, const char *title, const char *subtitle);

/* How much higher than one line each the title and the subtitle are, on a page of this width. */
double page_header_height(const char *title, const char *subtitle, double width);

/* How wide the footer's text may be beside the program's version and a short hash. */
double page_footer_room(double width, const char *hash);

/* Draws the footer's line, its text (cut to the room) and the version. */
void page_draw_footer(struct scene *scene, const char *text, const char *hash);

#endif
