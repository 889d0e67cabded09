/* hinted.c: how long a caller waits that was told when to come back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/hinted.h"

#include <assert.h>
#include <string.h>

#include "base/field.h"
#include "policy/hint.h"
#include "policy/registry.h"
#include "schedule/laws.h"

struct hinted hinted_wait(const struct schedule *schedule, uint32_t k, storm_time hint) {
    const struct storm_hint_rule *rule = &schedule->policy->hint;
    assert(k >= 1 && k <= schedule->count && hint >= 0);
    const struct schedule_delay *own = &schedule->delays[rule->restarts ? 0 : k - 1];
    storm_time low = storm_time_from_seconds(own->low), high = storm_time_from_seconds(own->high);
    /* No rule makes a longer delay of its own a shorter wait, nor does a larger draw. */
    return (struct hinted){hint_apply(rule, low, hint, 0),
                           hint_apply(rule, high, hint, LAWS_ALMOST_ONE)};
}

bool hinted_gives_up(const struct schedule *schedule, storm_time hint) {
    return hint_gives_up(&schedule->policy->hint, hint);
}

/* The row of the word in the table of a policy's settings. */
static const struct field_word *rule_word(const struct schedule *schedule) {
    const struct field *field = policy_fields;
    while (strcmp(field->key, "hint") != 0) {
        field++;
    }
    const struct field_word *word = field->words;
    while (word->value != schedule->policy->hint.rule) {
        word++;
    }
    assert(word->word != NULL);
    return word;
}

const char *hinted_rule(const struct schedule *schedule) { return rule_word(schedule)->word; }

const char *hinted_meaning(const struct schedule *schedule) { return rule_word(schedule)->help; }
