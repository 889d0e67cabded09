/* override.h: one setting of a tree replaced by its path; the tree itself stays as it was. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SCENARIO_OVERRIDE_H
#define SCENARIO_OVERRIDE_H

#include "base/arena.h"
#include "scenario/tree.h"

enum { VARIANTS_MAX = 256, OVERRIDES_MAX = 1000 };

/* A tree like `root`, but with `value` at `path` (names and indexes with dots: faults.0.for). Maps
   on the way that are not there are made, but no client, service or policy comes into being by one
   of its settings. Nodes that are off the path are shared with the old tree. Returns NULL after
   blaming `place`. */
const struct node *override_set(struct arena *arena, struct blames *errors, const struct node *root,
                                const char *path, struct place place, const struct node *value);

/* The tree with all overrides of a variant (its map of paths) set; those in error are left out. */
const struct node *override_variant(struct arena *arena, struct blames *errors,
                                    const struct node *root, const struct item *variant);

#endif
