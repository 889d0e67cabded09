/* paint.h: from a scene to the bytes of a file, one function a format. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_PAINT_H
#define PLOTS_PAINT_H

#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/error.h>

#include "plots/scene.h"

/* All return false after filling `error`, but leave the stream to whoever closes it. The same
   scene gives the same bytes. */

/* PNG at two pixels per px. */
bool paint_png(const struct scene *scene, FILE *out, struct storm_error *error);

/* PDF at 0.75 pt per px, text selectable. Its date is SOURCE_DATE_EPOCH, or the epoch itself:
   never the clock. */
bool paint_pdf(const struct scene *scene, FILE *out, struct storm_error *error);

/* SVG with real text. Colours are CSS variables; a light scene turns dark where the reader's
   system is dark. */
bool paint_svg(const struct scene *scene, FILE *out, struct storm_error *error);

/* One line per mark, for tests and for reading. */
bool paint_text(const struct scene *scene, FILE *out, struct storm_error *error);

#endif
