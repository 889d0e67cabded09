/* hint.h: what a caller makes of a server's word about when to come back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef POLICY_HINT_H
#define POLICY_HINT_H

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

/* How long to wait, given the policy's own delay and the server's hint; hinted 0: none was
   given. */
storm_time hint_apply(enum storm_hint hint, storm_time own, storm_time hinted);

#endif
