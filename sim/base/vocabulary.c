/* vocabulary.c: the words of statuses, verdicts, reasons, spans and directions, for all who
   print or read them. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stddef.h>

#include <retrystorm/check.h>
#include <retrystorm/error.h>
#include <retrystorm/policy.h>
#include <retrystorm/results.h>
#include <retrystorm/scenario.h>
#include <retrystorm/story.h>

const char *storm_status_sentence(enum storm_status status) {
    switch (status) {
#define STATUS_CASE(name, sentence)                                                                \
    case STORM_##name:                                                                             \
        return sentence;
        STORM_STATUS_MAP(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown error";
}

const char *storm_verdict_word(enum storm_verdict verdict) {
    static const char *const words[STORM_VERDICT_COUNT] = {
#define VERDICT_WORD(name, word, sentence) [STORM_VERDICT_##name] = word,
        STORM_VERDICT_MAP(VERDICT_WORD)
#undef VERDICT_WORD
    };
    assert(verdict < STORM_VERDICT_COUNT);
    return words[verdict];
}

const char *storm_verdict_sentence(enum storm_verdict verdict) {
    static const char *const sentences[STORM_VERDICT_COUNT] = {
#define VERDICT_SENTENCE(name, word, sentence) [STORM_VERDICT_##name] = sentence,
        STORM_VERDICT_MAP(VERDICT_SENTENCE)
#undef VERDICT_SENTENCE
    };
    assert(verdict < STORM_VERDICT_COUNT);
    return sentences[verdict];
}

const char *storm_statistic_word(enum storm_statistic statistic) {
    static const char *const words[STORM_STATISTIC_COUNT] = {
#define STATISTIC_WORD(name, word, sentence) [STORM_STATISTIC_##name] = word,
        STORM_STATISTIC_MAP(STATISTIC_WORD)
#undef STATISTIC_WORD
    };
    assert(statistic < STORM_STATISTIC_COUNT);
    return words[statistic];
}

const char *storm_finding_word(enum storm_finding finding) {
    static const char *const words[STORM_FINDING_COUNT] = {
#define FINDING_WORD(name, word, sentence) [STORM_FINDING_##name] = word,
        STORM_FINDING_MAP(FINDING_WORD)
#undef FINDING_WORD
    };
    assert(finding < STORM_FINDING_COUNT);
    return words[finding];
}

const char *storm_reason_word(enum storm_reason reason) {
    static const char *const words[STORM_REASON_COUNT] = {
#define REASON_WORD(name, word) [STORM_REASON_##name] = word,
        STORM_REASON_MAP(REASON_WORD)
#undef REASON_WORD
    };
    assert(reason < STORM_REASON_COUNT);
    return words[reason];
}

const char *storm_fact_word(enum storm_fact_kind kind) {
    static const char *const words[] = {
        [STORM_FACT_BORN] = "born",
        [STORM_FACT_SENT] = "sent",
        [STORM_FACT_VANISHED] = "vanished",
        [STORM_FACT_ARRIVED] = "arrived",
        [STORM_FACT_REFUSED] = "refused",
        [STORM_FACT_LOST] = "lost",
        [STORM_FACT_QUEUED] = "queued",
        [STORM_FACT_EXPIRED] = "expired",
        [STORM_FACT_STARTED] = "started",
        [STORM_FACT_PARKED] = "parked",
        [STORM_FACT_SERVED] = "served",
        [STORM_FACT_CANCELLED] = "cancelled",
        [STORM_FACT_GAVE_UP] = "gave_up",
        [STORM_FACT_BACKED_OFF] = "backed_off",
        [STORM_FACT_RESTED] = "rested",
        [STORM_FACT_SUCCEEDED] = "succeeded",
        [STORM_FACT_DEAD] = "dead",
        [STORM_FACT_CAPACITY] = "capacity",
        [STORM_FACT_OUTAGE] = "outage",
        [STORM_FACT_CRASHED] = "crashed",
        [STORM_FACT_HELD_BACK] = "held_back",
        [STORM_FACT_BREAKER] = "breaker",
        [STORM_FACT_BANNED] = "banned",
        [STORM_FACT_DELIVERED] = "delivered",
        [STORM_FACT_RETURNED] = "returned",
        [STORM_FACT_EFFECT] = "effect",
        [STORM_FACT_SUPPRESSED] = "suppressed",
    };
    assert((unsigned)kind < sizeof words / sizeof words[0] && words[kind] != NULL);
    return words[kind];
}

const char *storm_outcome_word(uint16_t status) {
    assert(status < 600);
    switch (status) {
    case STORM_OUTCOME_REFUSED:
        return "refused";
    case STORM_OUTCOME_RESET:
        return "reset";
    case STORM_OUTCOME_TIMEOUT:
        return "timeout";
    case STORM_OUTCOME_REJECTED:
        return "rejected";
    default:
        return NULL;
    }
}

const char *storm_span_word(enum storm_span_kind kind) {
    assert(kind == STORM_SPAN_FAULT || kind == STORM_SPAN_ACTION);
    return kind == STORM_SPAN_FAULT ? "fault" : "action";
}

const char *storm_change_word(enum storm_change change) {
    static const char *const words[STORM_CHANGE_COUNT] = {
#define CHANGE_WORD(name, word, sentence) [STORM_CHANGE_##name] = word,
        STORM_CHANGE_MAP(CHANGE_WORD)
#undef CHANGE_WORD
    };
    assert(change < STORM_CHANGE_COUNT);
    return words[change];
}

const char *storm_better_word(enum storm_better better) {
    static const char *const words[] = {[STORM_BETTER_LOWER] = "lower",
                                        [STORM_BETTER_HIGHER] = "higher",
                                        [STORM_BETTER_NEITHER] = "neither"};
    assert((unsigned)better < sizeof words / sizeof words[0]);
    return words[better];
}
