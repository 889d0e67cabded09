/* starter.h: a scenario to start from. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GUIDE_STARTER_H
#define GUIDE_STARTER_H

/* The text of a good scenario that shows, with comments, what most scenarios have. */
extern const char starter_text[];

#endif
