/* service_record.h: what the facts of one service add to its counts, integrals and curves. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_SERVICE_RECORD_H
#define RECORD_SERVICE_RECORD_H

#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/units.h>

struct recorder;

/* Hears a fact whose place is a service. */
void service_record_hear(struct recorder *recorder, const struct storm_fact *fact);

/* Brings the time integrals of a service up to `now`, under the settings in force. */
void service_record_integrate(struct recorder *recorder, uint32_t place, storm_time now);

/* The same, for the last time. */
void service_record_finish(struct recorder *recorder, uint32_t place, storm_time end);

#endif
