/* page.c: the pieces of a text for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "report/page.h"
#include "report/text.h"

enum { PHRASE_MAX = 256 };

const char *page_phrase(struct page *page, const char *format, ...) {
    char text[PHRASE_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    const char *copy = arena_copy_string(&page->arena, text, strlen(text));
    page->failed = page->failed || copy == NULL;
    return copy == NULL ? "" : copy;
}

const char *page_clean(struct page *page, const char *name) {
    const char *copy = text_clean(&page->arena, name);
    page->failed = page->failed || copy == NULL;
    return copy == NULL ? "" : copy;
}

const char *page_plural(uint32_t count) { return count == 1 ? "" : "s"; }

double page_typical(const struct storm_metric *metric) {
    return metric->bimodal ? metric->median : metric->mean;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

enum ending page_ending(const struct storm_variant *variant) {
    uint32_t runs = variant->runs_done, back = storm_variant_good_runs(variant);
    uint32_t away = storm_variant_bad_runs(variant);
    assert(back + away <= runs);
    if (runs == 0 || back + away < runs)
        return ENDING_UNKNOWN;
    if (variant->verdicts[STORM_VERDICT_UNHARMED] == runs)
        return ENDING_UNHARMED;
    if (away == 0)
        return ENDING_ALWAYS;
    return back == 0 ? ENDING_NEVER : ENDING_SOMETIMES;
}

/* Green for what comes back, yellow for what half does, red for what does not. */
static const char *paint_of(uint32_t verdict) {
    if (storm_verdict_is_good((enum storm_verdict)verdict))
        return "32";
    if (verdict == STORM_VERDICT_DEGRADED)
        return "33";
    return verdict == STORM_VERDICT_STUCK ? "31" : "2";
}

static const char *verdict_painted(struct page *page, uint32_t verdict) {
    const char *word = storm_verdict_word((enum storm_verdict)verdict);
    if (!page->text->color)
        return word;
    return page_phrase(page, "\033[%sm%s\033[0m", paint_of(verdict), word);
}

/* The most frequent verdict not yet in `told`, or STORM_VERDICT_COUNT. */
static uint32_t verdict_next(const struct storm_variant *variant, const bool *told) {
    uint32_t best = STORM_VERDICT_COUNT, most = 0;
    for (uint32_t verdict = 0; verdict < STORM_VERDICT_COUNT; verdict++) {
        if (!told[verdict] && variant->verdicts[verdict] > most) {
            best = verdict;
            most = variant->verdicts[verdict];
        }
    }
    return best;
}

const char *page_verdicts(struct page *page, const struct storm_variant *variant, bool brief) {
    bool told[STORM_VERDICT_COUNT] = {false};
    const char *text = "";
    if (variant->runs_done == 0)
        return "no run was finished";
    uint32_t verdict = verdict_next(variant, told);
    if (variant->runs_done == 1 && verdict < STORM_VERDICT_COUNT)
        return page_phrase(page, "%s%s", verdict_painted(page, verdict),
                           brief ? "" : " in the one run");
    for (; verdict < STORM_VERDICT_COUNT; verdict = verdict_next(variant, told)) {
        text = page_phrase(page, "%s%s%s%s %" PRIu32, text, *text == '\0' ? "" : ", ",
                           verdict_painted(page, verdict), brief ? "" : " in",
                           variant->verdicts[verdict]);
        told[verdict] = true;
    }
    return page_phrase(page, "%s of %" PRIu32 "%s%s", text, variant->runs_done, brief ? "" : " run",
                       brief ? "" : page_plural(variant->runs_done));
}
