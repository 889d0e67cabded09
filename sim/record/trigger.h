/* trigger.h: what starts the trouble, and when it is over. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_TRIGGER_H
#define RECORD_TRIGGER_H

#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

/* From the first start of a fault or a surge (all clients at one instant) to the last end, within
   the run. Both are -1 when the scenario has no trigger. */
void trigger_window(const struct storm_scenario *scenario, storm_time *from, storm_time *to);

#endif
