/* check_words.c: the rows of a check in words that all its reports share. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/check_words.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "report/text.h"

/* After Holm's correction over hundreds of metrics, fewer pairs are not certain even where all of
   them differ alike. */
enum { RUNS_LEAST = 14 };

/* ---- numbers --------------------------------------------------------------------------------- */

/* A value with its unit where that is short: "42 %", "12.3 s", "1,147". */
static void print_value(double value, const char *unit, char buffer[CHECK_WORD_MAX]) {
    char number[TEXT_NUMBER_SIZE];
    bool share = storm_unit_is_share(unit);
    text_number(share ? 100 * value : value, number);
    const char *tail = isnan(value)                  ? ""
                       : share                       ? " %"
                       : strcmp(unit, "s") == 0      ? " s"
                       : strncmp(unit, "x ", 2) == 0 ? " ×"
                                                     : "";
    snprintf(buffer, CHECK_WORD_MAX, "%s%s", number, tail);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void print_bounds(const struct storm_check_row *row, char *buffer, size_t size) {
    char least[CHECK_WORD_MAX] = "", most[CHECK_WORD_MAX] = "";
    bool has_least = !isnan(row->at_least), has_most = !isnan(row->at_most);
    print_value(row->at_least, row->unit, least);
    print_value(row->at_most, row->unit, most);
    snprintf(buffer, size, "%s%s%s%s%s", has_least ? "at least " : "", has_least ? least : "",
             has_least && has_most ? ", " : "", has_most ? "at most " : "", has_most ? most : "");
}

static void print_change(const struct storm_check_row *row, struct check_words *words) {
    char number[TEXT_NUMBER_SIZE], other[TEXT_NUMBER_SIZE];
    struct text_change scale = text_change_of(row->unit, row->baseline);
    snprintf(words->change, sizeof words->change, "%s%s",
             text_signed(row->difference * scale.factor, number), scale.tail);
    snprintf(words->range, sizeof words->range, "%s to %s%s",
             text_signed(row->lo * scale.factor, number),
             text_signed(row->hi * scale.factor, other), scale.tail);
    text_number(row->tolerance * scale.factor, number);
    snprintf(words->allowed, sizeof words->allowed, "±%s%s", number, scale.tail);
}

struct check_words check_words_of(const struct storm_check_row *row) {
    struct check_words words = {.place = ""};
    if (row->metric == NULL) {
        snprintf(words.metric, sizeof words.metric, "all");
        return words;
    }
    bool is_usual = !row->is_bound || strcmp(row->statistic, "median") == 0;
    snprintf(words.metric, sizeof words.metric, "%.120s%s%s", row->metric, is_usual ? "" : " ",
             is_usual ? "" : row->statistic);
    print_value(row->now, row->unit, words.now);
    if (row->is_bound) {
        print_bounds(row, words.allowed, sizeof words.allowed);
        snprintf(words.place, sizeof words.place, "line %d", row->line);
        return words;
    }
    print_value(row->baseline, row->unit, words.baseline);
    if (!isnan(row->difference)) {
        print_change(row, &words);
    }
    return words;
}

const char *check_title(const struct storm_check_row *row, char *buffer) {
    struct check_words words = check_words_of(row);
    snprintf(buffer, CHECK_SENTENCE_MAX, "%.150s: %s", row->variant, words.metric);
    return buffer;
}

/* How many runs may tell what so few leave open: with them intervals are half as wide. */
static uint32_t runs_to_tell(uint32_t runs) { return 4 * (runs < RUNS_LEAST ? RUNS_LEAST : runs); }

const char *check_sentence(const struct storm_check_scenario *scenario,
                           const struct storm_check_row *row, char *buffer) {
    struct check_words words = check_words_of(row);
    const char *finding = storm_finding_word(row->finding);
    if (row->metric == NULL) {
        snprintf(buffer, CHECK_SENTENCE_MAX, "the variant is %s%s", finding,
                 row->finding == STORM_FINDING_MISSING ? " in the baseline" : "");
    } else if (row->is_bound && row->numbers == 0) {
        snprintf(buffer, CHECK_SENTENCE_MAX,
                 "%s: %s must be %s, and is a number in none of %" PRIu32 " runs", finding,
                 words.metric, words.allowed, scenario->runs);
    } else if (row->is_bound) {
        snprintf(buffer, CHECK_SENTENCE_MAX, "%s: %s is %s, and must be %s", finding, words.metric,
                 words.now, words.allowed);
    } else if (words.change[0] == '\0') {
        snprintf(buffer, CHECK_SENTENCE_MAX, "%s: %s was %s and is %s", finding, words.metric,
                 words.baseline, words.now);
    } else {
        snprintf(buffer, CHECK_SENTENCE_MAX,
                 "%s: %s was %s and is %s: %s (95 %% sure: %s), where %s is allowed", finding,
                 words.metric, words.baseline, words.now, words.change, words.range, words.allowed);
    }
    if (row->finding == STORM_FINDING_INCONCLUSIVE) {
        size_t used = strlen(buffer);
        snprintf(buffer + used, CHECK_SENTENCE_MAX - used,
                 "; %" PRIu32 " runs do not tell, a baseline of %" PRIu32
                 " may (--update -n %" PRIu32 ")",
                 scenario->runs, runs_to_tell(scenario->runs), runs_to_tell(scenario->runs));
    }
    return buffer;
}

uint32_t check_news(const struct storm_check_row *rows, uint32_t count) {
    uint32_t news = 0; /* rows stand in the order of their findings */
    while (news < count && rows[news].finding < STORM_FINDING_KEPT) {
        news++;
    }
    return news;
}

bool check_lacks_baseline(const struct storm_check *check,
                          const struct storm_check_scenario *scenario) {
    return scenario->state == STORM_BASELINE_MISSING && !check->is_updated;
}

/* ---- the whole ------------------------------------------------------------------------------- */

const char *check_trace(const struct storm_check_scenario *scenario, char *buffer) {
    const struct storm_divergence *where = &scenario->divergence;
    char file[CHECK_COMMAND_MAX / 2] = "", variant[CHECK_COMMAND_MAX / 4] = "";
    char from[CHECK_WORD_MAX], to[CHECK_WORD_MAX];
    assert(where->variant != NULL);
    text_shell_word(scenario->file, file, sizeof file);
    text_shell_word(where->variant, variant, sizeof variant);
    snprintf(buffer, CHECK_COMMAND_MAX,
             "retrystorm trace %s%s%s --run %" PRIu32 " --seed %" PRIu64 " --from %s --to %s", file,
             scenario->is_bare ? "" : " --variant ", scenario->is_bare ? "" : variant, where->run,
             scenario->seed, storm_time_print(where->from, from, sizeof from),
             storm_time_print(where->to, to, sizeof to));
    return buffer;
}

/* Adds "3 crossed" to a list; nothing for 0. */
static void count_out(char *buffer, uint32_t count, const char *word) {
    size_t used = strlen(buffer);
    if (count > 0) {
        snprintf(buffer + used, CHECK_SENTENCE_MAX - used, "%s%" PRIu32 " %s", used > 0 ? ", " : "",
                 count, word);
    }
}

static uint32_t count_state(const struct storm_check *check, enum storm_baseline_state state) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        count += check->scenarios[i].state == state ? 1 : 0;
    }
    return count;
}

const char *check_answer_word(enum storm_check_answer answer) {
    static const char *const answers[] = {[STORM_CHECK_YES] = "passed",
                                          [STORM_CHECK_NO] = "failed",
                                          [STORM_CHECK_NO_BASELINE] = "no baseline",
                                          [STORM_CHECK_INCONCLUSIVE] = "inconclusive",
                                          [STORM_CHECK_CUT] = "interrupted"};
    return answers[answer];
}

const char *check_answer(const struct storm_check *check, char *buffer) {
    char parts[CHECK_SENTENCE_MAX] = "";
    uint32_t gone = count_state(check, STORM_BASELINE_GONE);
    uint32_t count = check->scenario_count - gone;
    uint32_t missing = count_state(check, STORM_BASELINE_MISSING);
    for (uint32_t i = 0; i < STORM_FINDING_COUNT; i++) {
        count_out(parts, check->counts[i], storm_finding_word((enum storm_finding)i));
    }
    if (missing > 0 && !check->is_updated) {
        count_out(parts, missing,
                  missing == 1 ? "scenario without a baseline" : "scenarios without a baseline");
    }
    count_out(parts, gone, gone == 1 ? "scenario gone" : "scenarios gone");
    snprintf(buffer, CHECK_SENTENCE_MAX, "%s: %" PRIu32 " scenario%s; %.900s",
             check_answer_word(check->answer), count, count == 1 ? "" : "s",
             parts[0] != '\0' ? parts : "nothing to compare");
    return buffer;
}

/* The most runs among scenarios whose runs leave something open. */
static uint32_t open_runs(const struct storm_check *check) {
    uint32_t runs = 0;
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        const struct storm_check_scenario *scenario = &check->scenarios[i];
        if (scenario->counts[STORM_FINDING_INCONCLUSIVE] > 0 && scenario->runs > runs) {
            runs = scenario->runs;
        }
    }
    return runs;
}

const char *check_advice(const struct storm_check *check, char *buffer) {
    if (check->is_updated || check->baseline == NULL) {
        return NULL;
    }
    if (check->is_new || count_state(check, STORM_BASELINE_MISSING) > 0 ||
        check->counts[STORM_FINDING_MISSING] > 0) {
        return "retrystorm check --update puts what is missing into the baseline; "
               "with --no-baseline only bounds are checked";
    }
    if (check->counts[STORM_FINDING_WORSE] > 0) {
        return "where a change is wanted, retrystorm check --update makes it the baseline";
    }
    uint32_t runs = open_runs(check);
    if (runs > 0) {
        snprintf(buffer, CHECK_SENTENCE_MAX,
                 "%" PRIu32
                 " runs do not tell all: make the baseline anew from what it was of, with "
                 "retrystorm check --update -n %" PRIu32,
                 runs, runs_to_tell(runs));
        return buffer;
    }
    bool is_news = check->counts[STORM_FINDING_BETTER] + check->counts[STORM_FINDING_NEW] +
                       check->counts[STORM_FINDING_GONE] + check->counts[STORM_FINDING_DIFFERENT] >
                   0;
    return is_news || count_state(check, STORM_BASELINE_GONE) > 0
               ? "retrystorm check --update keeps this in the baseline"
               : NULL;
}
