/* hint.c: waiting as long as the server says, or not. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/hint.h"

#include <assert.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

static storm_time chosen(enum storm_hint hint, storm_time own, storm_time hinted) {
    switch (hint) {
    case STORM_HINT_FLOOR:
        return hinted > own ? hinted : own;
    case STORM_HINT_OVERRIDE:
        return hinted > 0 ? hinted : own;
    case STORM_HINT_IGNORE:
        return own;
    }
    assert(0 && "no such hint");
    return own;
}

storm_time hint_apply(enum storm_hint hint, storm_time own, storm_time hinted) {
    assert(own >= 0 && hinted >= 0);
    storm_time wait = chosen(hint, own, hinted);
    return wait < STORM_NEVER ? wait : STORM_NEVER;
}
