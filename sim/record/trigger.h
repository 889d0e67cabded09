/* trigger.h: what starts the trouble, and when it is over. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_TRIGGER_H
#define RECORD_TRIGGER_H

#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

/* From the first start of a fault or a surge to the last end, of those that begin within a run of
   that length. A surge is all clients at one instant or spread over a while, or a table of rates
   that rises and comes back. Measured rates (a series from a file) are none: in them nobody knows
   what is normal. Both are -1 when the scenario has no trigger. */
void trigger_window(const struct storm_scenario *scenario, storm_time duration, storm_time *from,
                    storm_time *to);

#endif
