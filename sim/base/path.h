/* path.h: the paths of settings: parts with dots between them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdint.h>

/* The end of a path that has so many parts (at least 1), or all of it: 2 parts of
   "policies.app.cap" are "app.cap". Points into `path`. */
const char *path_tail(const char *path, int parts);

/* With how many parts the ends of two paths differ: 1 where their last ones do. Of paths of which
   one is the end of the other, one more than the shorter one has; of equal ones as many as they
   have. */
int path_parts_apart(const char *a, const char *b);

/* As much of paths[index], from its end, as tells it from each of the others. Points into it. */
const char *path_short(const char *const *paths, uint32_t count, uint32_t index);

#endif
