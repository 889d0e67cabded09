/* text.h: the whole of a file or stream as one piece of memory. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_TEXT_H
#define SCENARIO_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Reads a stream to its end, or to just beyond STORM_FILE_MAX. Returns NULL, or why it failed. The
   caller frees *text (NULL before the call), even after failure. */
const char *text_read(FILE *in, char **text, size_t *length);

/* The same for a regular file; fifos and devices are refused without waiting for them. */
const char *text_read_regular(const char *file, char **text, size_t *length);

#endif
