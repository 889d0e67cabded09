/* schema.h: scenarios and results as JSON Schemas, for editors and other programs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUIDE_SCHEMA_H
#define GUIDE_SCHEMA_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the schema (draft 2020-12) of a scenario. It refuses nothing that the reader accepts; what
   it cannot say (names that must exist, bounds of numbers with units, what two settings make of
   each other) is left to the reader. False when a byte could not be written. */
bool schema_write(FILE *out);

/* Writes the schema of a result file (what `run` and `compare` write as JSON). It allows members
   that it does not know. False when a byte could not be written. */
bool result_schema_write(FILE *out);

#endif
