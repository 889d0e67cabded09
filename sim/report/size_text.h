/* size_text.h: a proposed policy, ready to paste, and what else would do. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_SIZE_TEXT_H
#define REPORT_SIZE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "schedule/size.h"

/* Writes a policy of the shape of the question's (a headline), as a scenario has it, and a table of
   the choices. `*met`: whether it reaches the target. False when a byte could not be written, or
   memory ran out. */
bool size_write_text(const struct size_question *question, FILE *out, bool *met);

#endif
