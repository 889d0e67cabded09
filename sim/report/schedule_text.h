/* schedule_text.h: the schedule of a call's tries as a text for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_SCHEDULE_TEXT_H
#define REPORT_SCHEDULE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

/* One call, and what is asked about it. */
struct schedule_question {
    const char *title; /* who calls whom; NULL: nobody in particular */
    const struct storm_policy *policy;
    storm_time timeout;  /* of each attempt; STORM_NEVER: none */
    storm_time deadline; /* of the call; STORM_NEVER: none */
    storm_time outage;   /* how long an outage to ride out; STORM_NEVER: none was asked about */
    double target;       /* with what probability */
    storm_time hint;     /* what every answer says about when to come back; negative: nothing */
};

/* Writes when the tries happen, and which outage they ride out. False when a byte could not be
   written, or memory ran out. */
bool schedule_write_text(const struct schedule_question *question, FILE *out);

#endif
