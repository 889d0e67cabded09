/* presets_text.c: what products do, as a text for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/presets_text.h"

#include <inttypes.h>
#include <stdint.h>

#include <retrystorm/policy.h>

#include "base/arena.h"
#include "policy/delay.h"
#include "policy/registry.h"
#include "policy/words.h"
#include "report/chance_text.h"
#include "report/page.h"
#include "report/text.h"
#include "schedule/schedule.h"

enum { RETRIES = 10, WIDTH = 100, INDENT = 17 };

static void page_begin(struct page *page, FILE *out) {
    *page = (struct page){.out = out};
    arena_init(&page->arena, (size_t)16 << 20);
}

static bool page_end(struct page *page) {
    bool good = !page->failed && ferror(page->out) == 0;
    arena_free(&page->arena);
    return good;
}

/* ---- all ------------------------------------------------------------------------------------- */

static const char *attempts_cell(struct page *page, const struct storm_policy *policy) {
    if (policy->attempts == STORM_ATTEMPTS_UNLIMITED) {
        return "unlimited";
    }
    return page_phrase(page, "%" PRIu32, policy->attempts);
}

static void list_row(struct page *page, struct text_table *table, uint32_t row) {
    const struct policy_preset *preset = policy_preset_at(row - 1);
    char formula[WORDS_SIZE];
    text_table_cell(table, row, 0)->value = preset->name;
    text_table_cell(table, row, 1)->value = preset->family;
    text_table_cell(table, row, 2)->value = attempts_cell(page, &preset->policy);
    text_table_cell(table, row, 3)->value =
        page_phrase(page, "%s", words_delay(&preset->policy.delay, formula));
}

bool presets_write_list(FILE *out) {
    static const char *const heading[] = {"preset", "family", "attempts",
                                          "delay before retry n = 1, 2, ..."};
    struct page page;
    struct text_table table;
    page_begin(&page, out);
    if (!text_table_init(&table, &page.arena, (uint32_t)policy_preset_count() + 1, 4, 4)) {
        page.failed = true;
        return page_end(&page);
    }
    for (uint32_t column = 0; column < 4; column++) {
        text_table_cell(&table, 0, column)->value = heading[column];
    }
    for (uint32_t row = 1; row < table.rows; row++) {
        list_row(&page, &table, row);
    }
    text_table_write(&table, out);
    fputs("'retrystorm presets NAME' explains one; retry: {preset: NAME, attempts: 4} takes it and "
          "changes a setting.\n",
          out);
    return page_end(&page);
}

/* ---- one ------------------------------------------------------------------------------------- */

/* A property with a name, when there is something to say. */
static void property(struct page *page, const char *name, const char *text) {
    if (text[0] != '\0') {
        int used = fprintf(page->out, "  %-*s", INDENT - 2, name);
        text_wrap(page->out, text, used, INDENT, WIDTH);
    }
}

/* What a scenario tries again by a preset: of its own, or as usual. */
static const char *retried(const struct storm_policy *policy, char *buffer) {
    bool is_usual = policy->class_count == 0 && policy->attempts > 1;
    return is_usual ? "the usual failures: refused, reset, timeout, 408, 429, 500, 502, 503, 504"
                    : words_classes(policy, buffer);
}

static void write_properties(struct page *page, const struct policy_preset *preset) {
    const struct storm_policy *policy = &preset->policy;
    char text[WORDS_SIZE], counted[WORDS_SIZE + 128];
    property(page, "delay", words_delay(&policy->delay, text));
    snprintf(counted, sizeof counted, "%s; its own setting counts %s", words_attempts(policy, text),
             preset->attempts);
    property(page, "attempts", counted);
    property(page, "tries again", preset->retries);
    property(page, "  here", retried(policy, text));
    property(page, "server's hint", words_hint(&policy->hint, text));
    property(page, "limit of time", words_time(policy, text));
    property(page, "budget", words_budget(&policy->budget, text));
    property(page, "throttle", words_throttle(&policy->throttle, text));
    property(page, "breaker", words_breaker(&policy->breaker, text));
    property(page, "hedging", words_hedge(&policy->hedge, text));
    property(page, "notes", preset->notes);
    property(page, "source", preset->source);
}

static void delay_row(struct page *page, struct text_table *table, uint32_t row,
                      const struct schedule *schedule) {
    const struct schedule_delay *law = &schedule->delays[row - 1];
    double nominal = delay_nominal(&schedule->policy->delay, row);
    text_table_cell(table, row, 0)->value = page_phrase(page, "%" PRIu32, row);
    text_table_cell(table, row, 1)->value = chance_seconds(page, nominal);
    text_table_cell(table, row, 2)->value = chance_range(page, law->low, law->high);
    text_table_cell(table, row, 3)->value = chance_seconds(page, law->mean);
}

static void write_delays(struct page *page, const struct storm_policy *policy) {
    static const char *const heading[] = {"retry", "without jitter", "delay", "mean"};
    struct text_table table;
    struct schedule schedule;
    if (!schedule_make(&schedule, policy, RETRIES) ||
        !text_table_init(&table, &page->arena, RETRIES + 1, 4, 0)) {
        page->failed = true;
        return;
    }
    for (uint32_t column = 0; column < 4; column++) {
        text_table_cell(&table, 0, column)->value = heading[column];
    }
    for (uint32_t row = 1; row <= RETRIES; row++) {
        delay_row(page, &table, row, &schedule);
    }
    text_table_write(&table, page->out);
    if (schedule.way == SCHEDULE_SAMPLE) {
        fputs("(Delays are of a million drawn calls.)\n", page->out);
    }
}

/* How many of the delays above the product's own attempts come to. */
static void write_own(struct page *page, const struct storm_policy *policy) {
    uint32_t attempts = policy->attempts;
    if (attempts == 1) {
        fputs("It makes no retry before attempts are set.\n", page->out);
    } else if (attempts <= RETRIES && policy->delay.growth != STORM_GROWTH_NONE) {
        fprintf(page->out, "Between its %" PRIu32 " attempts lie the first %" PRIu32 ".\n",
                attempts, attempts - 1);
    }
}

bool presets_write_one(const struct policy_preset *preset, FILE *out) {
    struct page page;
    page_begin(&page, out);
    fprintf(out, "%s (%s)\n", preset->name, preset->family);
    write_properties(&page, preset);
    fputc('\n', out);
    if (preset->policy.delay.growth == STORM_GROWTH_NONE) {
        fputs("It never waits by itself.\n", out);
    } else {
        write_delays(&page, &preset->policy);
    }
    write_own(&page, &preset->policy);
    return page_end(&page);
}
