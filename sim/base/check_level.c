/* check_level.c: what a finding means for the answer of a check. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <retrystorm/check.h>

enum storm_level storm_check_level(const struct storm_check *check, enum storm_finding finding) {
    bool is_free = check->is_updated; /* what differs from the old baseline was wanted */
    switch (finding) {
    case STORM_FINDING_CROSSED:
        return STORM_LEVEL_FAILURE;
    case STORM_FINDING_WORSE:
    case STORM_FINDING_MISSING:
        return is_free ? STORM_LEVEL_FINE : STORM_LEVEL_FAILURE;
    case STORM_FINDING_INCONCLUSIVE:
        return is_free                            ? STORM_LEVEL_FINE
               : check->doubt == STORM_DOUBT_PASS ? STORM_LEVEL_WARNING
                                                  : STORM_LEVEL_FAILURE;
    case STORM_FINDING_WARNED:
        return STORM_LEVEL_WARNING;
    case STORM_FINDING_GONE:
    case STORM_FINDING_NEW:
    case STORM_FINDING_DIFFERENT:
    case STORM_FINDING_BETTER:
    case STORM_FINDING_KEPT:
    case STORM_FINDING_SAME:
    case STORM_FINDING_COUNT:
        break;
    }
    return STORM_LEVEL_FINE;
}
