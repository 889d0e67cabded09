/* chance_text.h: durations and probabilities as schedules show them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_CHANCE_TEXT_H
#define REPORT_CHANCE_TEXT_H

#include "report/page.h"

/* A duration in seconds: "500ms", "51s", or the sign for infinity. The texts live as long as the
   page. */
const char *chance_seconds(struct page *page, double seconds);

/* "1s – 3s", or the one duration when both are the same. */
const char *chance_range(struct page *page, double low, double high);

/* A probability: "29.5%", "99.57%", ">99.99%"; 0% and 100% only when it is that. */
const char *chance_percent(struct page *page, double share);

#endif
