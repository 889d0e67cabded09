/* syntax.h: what libyaml says of a text that is not YAML, in our words and places. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_SYNTAX_H
#define SCENARIO_SYNTAX_H

#include <yaml.h>

#include "scenario/blame.h"

/* The place between two marks: underlined to the end mark when both are on one line. */
struct place syntax_place(yaml_mark_t start, yaml_mark_t end, const char *origin);

/* Blames the text for the error at which the parser stopped. */
void syntax_blame(struct blames *errors, const yaml_parser_t *parser, const char *text,
                  size_t length, const char *origin);

#endif
