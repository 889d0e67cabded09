/* check_text.c: a check as a text for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <inttypes.h>

#include "report/check_report.h"
#include "report/check_table.h"
#include "report/check_words.h"
#include "report/page.h"

/* How the runs stand to those of the baseline, in a few words. */
static const char *standing(struct page *page, const struct storm_check_scenario *scenario) {
    uint32_t same = scenario->counts[STORM_FINDING_SAME];
    switch (scenario->state) {
    case STORM_BASELINE_UNASKED:
        return "";
    case STORM_BASELINE_MISSING:
        return ", not in the baseline";
    case STORM_BASELINE_GONE:
        return " is in the baseline, and there is no such scenario";
    case STORM_BASELINE_FOUND:
        break;
    }
    if (scenario->differing_runs == 0 && check_news(scenario->rows, scenario->row_count) == 0) {
        return ", identical to the baseline";
    }
    return page_phrase(page, ", %" PRIu32 " metric%s the same%s", same, page_plural(same),
                       scenario->is_changed ? ", settings are not the baseline's" : "");
}

static void write_scenario(struct page *page, const struct storm_check *check,
                           const struct storm_check_scenario *scenario) {
    char command[CHECK_COMMAND_MAX];
    const struct check_table table = {.before = "baseline",
                                      .after = "now",
                                      .check = check,
                                      .rows = scenario->rows,
                                      .count = scenario->row_count};
    fputs(page_clean(page, scenario->file), page->out);
    if (scenario->state != STORM_BASELINE_GONE) {
        fprintf(page->out, ": %" PRIu32 " variant%s of %" PRIu32 " run%s, seed %" PRIu64,
                scenario->variant_count, page_plural(scenario->variant_count), scenario->runs,
                page_plural(scenario->runs), scenario->seed);
    }
    fputs(standing(page, scenario), page->out);
    if (scenario->counts[STORM_FINDING_KEPT] > 0) {
        fprintf(page->out, ", %" PRIu32 " bound%s kept", scenario->counts[STORM_FINDING_KEPT],
                page_plural(scenario->counts[STORM_FINDING_KEPT]));
    }
    fputc('\n', page->out);
    check_table_write(page, &table);
    if (scenario->divergence.variant != NULL) {
        fprintf(page->out, "  first difference: %s\n",
                page_clean(page, check_trace(scenario, command)));
    }
    if (check_news(scenario->rows, scenario->row_count) > 0) {
        fputc('\n', page->out);
    }
}

static void write_baseline(struct page *page, const struct storm_check *check) {
    if (check->is_updated) {
        fprintf(page->out, "baseline written: %s\n", page_clean(page, check->baseline));
    } else if (check->is_new) {
        fprintf(page->out, "there is no baseline %s\n", page_clean(page, check->baseline));
    }
}

bool check_write_text(const struct storm_check *check, const struct report_text *text, FILE *out) {
    struct page page = {.text = text, .out = out};
    char answer[CHECK_SENTENCE_MAX], next[CHECK_SENTENCE_MAX];
    const char *advice = check_advice(check, next);
    assert(check != NULL && text != NULL);
    arena_init(&page.arena, (size_t)1 << 28);
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        write_scenario(&page, check, &check->scenarios[i]);
    }
    write_baseline(&page, check);
    if (advice != NULL && !text->no_next) {
        fprintf(out, "Next: %s\n", advice);
    }
    fprintf(out, "%s\n", check_answer(check, answer));
    arena_free(&page.arena);
    return !page.failed && ferror(out) == 0;
}
