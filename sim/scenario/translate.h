/* translate.h: our word for what other tools call a setting. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_TRANSLATE_H
#define SCENARIO_TRANSLATE_H

/* Our word for one of other tools ("retries": "attempts"), or NULL. */
const char *translate_word(const char *typed);

#endif
