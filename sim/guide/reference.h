/* reference.h: the tables of settings as a page to read. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUIDE_REFERENCE_H
#define GUIDE_REFERENCE_H

#include <stdio.h>

/* Writes the reference of a scenario as Markdown: docs/scenario.md. */
void reference_write(FILE *out);

#endif
