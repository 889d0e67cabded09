/* finding.h: what all runs together say, as a sentence for the page and a few words for each
   panel. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_FINDING_H
#define PLOTS_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <retrystorm/results.h>

#include "plots/words.h"

enum { FINDING_TITLE_MAX = WORDS_TITLE_MAX, FINDING_TEXT_MAX = 96, FINDING_WORDINGS_MAX = 4 };

enum finding_tone { FINDING_GOOD, FINDING_MIXED, FINDING_BAD, FINDING_NEUTRAL };

/* How a variant's runs ended, over all of them: the wordings say the same, the longest first. */
struct finding_verdict {
    enum finding_tone tone;
    int count;
    char wordings[FINDING_WORDINGS_MAX][FINDING_TEXT_MAX];
};

struct finding_verdict finding_verdict(const struct storm_results *results,
                                       const struct storm_variant *variant);

/* By how many seconds two times to recover may differ and still count as the same: two bins, or a
   fifth of the median. */
double finding_slack(const struct storm_results *results, const struct storm_variant *variant);

/* The finding as one sentence of at most FINDING_TITLE_MAX characters without a full stop; it must
   hold in 95 % of the runs of every variant that it speaks of. Else the scenario's question,
   whatever its length. */
void finding_title(const struct storm_results *results, char *buffer, size_t size);

#endif
