/* schema.h: the tables of settings as a JSON Schema, for editors and other programs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUIDE_SCHEMA_H
#define GUIDE_SCHEMA_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the schema (draft 2020-12) of a scenario. It refuses nothing that the reader accepts; what
   it cannot say (names that must exist, bounds of numbers with units, what two settings make of
   each other) is left to the reader. False when a byte could not be written. */
bool schema_write(FILE *out);

#endif
