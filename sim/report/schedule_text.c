/* schedule_text.c: the schedule of a call's tries as a text for a terminal. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/schedule_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "report/chance_text.h"
#include "report/page.h"
#include "report/rules_text.h"
#include "report/text.h"
#include "schedule/schedule.h"

enum { ROWS_UNLIMITED = 10, COLUMNS_MAX = 9 };

/* A text being written. */
struct sheet {
    struct page page;
    const struct schedule_question *question;
    struct schedule schedule;
};

/* ---- numbers --------------------------------------------------------------------------------- */

static const char *yes_or_share(struct sheet *sheet, double share) {
    const char *text = chance_percent(&sheet->page, share);
    return strcmp(text, "100%") == 0 ? "yes" : strcmp(text, "0%") == 0 ? "no" : text;
}

/* ---- the policy ------------------------------------------------------------------------------ */

static bool has_factor(enum storm_growth growth) {
    return growth == STORM_GROWTH_EXPONENTIAL || growth == STORM_GROWTH_GEOMETRIC_SUM ||
           growth == STORM_GROWTH_POLYNOMIAL || growth == STORM_GROWTH_DECORRELATED ||
           growth == STORM_GROWTH_POLLY;
}

static const char *attempts_phrase(struct sheet *sheet, const struct storm_policy *policy) {
    if (policy->attempts == STORM_ATTEMPTS_UNLIMITED) {
        return "unlimited attempts";
    }
    return page_phrase(&sheet->page, "%" PRIu32 " attempt%s", policy->attempts,
                       page_plural(policy->attempts));
}

/* "exponential, base 1s, factor 2, cap 20s, 7 attempts" */
static const char *policy_phrase(struct sheet *sheet, const struct storm_policy *policy) {
    const struct storm_delay *delay = &policy->delay;
    char factor[TEXT_NUMBER_SIZE];
    const char *text = policy->headline;
    assert(text != NULL);
    if (delay->growth != STORM_GROWTH_NONE) {
        text = page_phrase(&sheet->page, "%s, base %s", text,
                           chance_seconds(&sheet->page, delay->base));
    }
    if (delay->growth == STORM_GROWTH_LINEAR) {
        text = page_phrase(&sheet->page, "%s, step %s", text,
                           chance_seconds(&sheet->page, delay->step));
    }
    if (has_factor(delay->growth)) {
        text = page_phrase(&sheet->page, "%s, factor %s", text,
                           storm_double_print(delay->factor, factor, sizeof factor));
    }
    if (delay->jitter_add > 0) {
        text = page_phrase(&sheet->page, "%s, plus up to %s", text,
                           chance_seconds(&sheet->page, delay->jitter_add));
    }
    if (delay->cap_when != STORM_CAP_NONE && !isinf(delay->cap)) {
        text =
            page_phrase(&sheet->page, "%s, cap %s", text, chance_seconds(&sheet->page, delay->cap));
    }
    if (delay->law == STORM_JITTER_EXPONENTIAL) {
        text = page_phrase(&sheet->page, "%s, exponential law", text);
    }
    return page_phrase(&sheet->page, "%s, %s", text, attempts_phrase(sheet, policy));
}

/* When total_time forbids a try to begin. Two rules forbid none: they are told in words. */
static storm_time total_limit(const struct storm_policy *policy) {
    switch ((enum storm_time_rule)policy->time_rule) {
    case STORM_TIME_BEFORE:
        return storm_time_add(policy->total_time, STORM_NANOSECOND);
    case STORM_TIME_INTERRUPT:
        return policy->total_time;
    case STORM_TIME_AFTER:
    case STORM_TIME_TRUNCATE:
        break;
    }
    return STORM_NEVER;
}

/* When no try may begin any more: the deadline, or the policy's own limit. */
static storm_time limit_of(const struct schedule_question *question) {
    return storm_time_earlier(question->deadline, total_limit(question->policy));
}

/* The same for tries that come after the outage: a delay that is cut at total_time ends in one. */
static storm_time survival_limit(const struct schedule_question *question) {
    const struct storm_policy *policy = question->policy;
    bool is_within = question->outage <= policy->total_time;
    storm_time total = is_within ? total_limit(policy) : policy->total_time;
    return storm_time_earlier(question->deadline, total);
}

/* Whether the one delay that may lead beyond total_time decides about an outage. */
static bool is_beyond(const struct schedule_question *question) {
    const struct storm_policy *policy = question->policy;
    return policy->time_rule == STORM_TIME_AFTER && question->outage > policy->total_time;
}

static const char *limit_phrase(struct sheet *sheet) {
    const struct schedule_question *question = sheet->question;
    bool is_deadline = question->deadline <= question->policy->total_time;
    bool is_inclusive = !is_deadline && question->policy->time_rule != STORM_TIME_INTERRUPT;
    storm_time limit = is_deadline ? question->deadline : question->policy->total_time;
    char text[64];
    return page_phrase(&sheet->page, "%s %s", is_inclusive ? "by" : "before",
                       storm_time_print(limit, text, sizeof text));
}

/* ---- forwards -------------------------------------------------------------------------------- */

/* One row of cells being filled from the left. */
struct pen {
    struct text_table *table;
    uint32_t row, column;
};

static void put(struct pen *pen, const char *text) {
    text_table_cell(pen->table, pen->row, pen->column++)->value = text;
}

static bool is_random(const struct schedule *schedule) { return schedule->way != SCHEDULE_FIXED; }

/* Whether how often the cap is hit is worth a column. */
static bool shows_cap(const struct schedule *schedule) {
    for (uint32_t k = 0; k < schedule->count; k++) {
        if (schedule->delays[k].at_cap > 0 && schedule->delays[k].at_cap < 1) {
            return true;
        }
    }
    return false;
}

static bool is_told(const struct sheet *sheet) { return sheet->question->hint >= 0; }

/* Writes one heading or row: about the delays themselves (`delays`), and when the tries begin. */
static void row_fill(struct sheet *sheet, struct pen *pen, bool delays, storm_time each,
                     const double *in_time) {
    const struct schedule *schedule = &sheet->schedule;
    bool heading = pen->row == 0, random = is_random(schedule);
    uint32_t k = heading ? 0 : pen->row - 1;
    const struct schedule_delay *law = &schedule->delays[k];
    struct schedule_sum sum = schedule_sum(schedule, heading ? 0 : k + 1, each);
    put(pen, heading ? "retry" : page_phrase(&sheet->page, "%" PRIu32, k + 1));
    if (delays) {
        put(pen, heading ? "delay" : chance_range(&sheet->page, law->low, law->high));
        if (random) {
            put(pen, heading ? "mean" : chance_seconds(&sheet->page, law->mean));
        }
        if (shows_cap(schedule)) {
            put(pen, heading ? "median" : chance_seconds(&sheet->page, law->median));
            put(pen, heading ? "at cap" : chance_percent(&sheet->page, law->at_cap));
        }
        if (is_told(sheet)) {
            put(pen, heading ? "if told"
                             : rules_hinted(&sheet->page, schedule, k + 1, sheet->question->hint));
        }
    }
    put(pen, heading ? "begins after" : chance_range(&sheet->page, sum.low, sum.high));
    if (random) {
        put(pen, heading ? "mean" : chance_seconds(&sheet->page, sum.mean));
    }
    if (in_time != NULL) {
        put(pen, heading ? limit_phrase(sheet) : yes_or_share(sheet, in_time[k]));
    }
}

/* The probability that each retry begins before the limit; NULL when there is none. */
static const double *find_in_time(struct sheet *sheet, storm_time each, double *room) {
    struct schedule_moment moment = {limit_of(sheet->question), STORM_NEVER, each};
    if (moment.time == STORM_NEVER) {
        return NULL;
    }
    sheet->page.failed = !schedule_in_time(&sheet->schedule, &moment, room) || sheet->page.failed;
    return room;
}

static void write_rows(struct sheet *sheet, bool delays, storm_time each, const double *in_time) {
    const struct schedule *schedule = &sheet->schedule;
    uint32_t means = is_random(schedule) ? 1 : 0, columns = 2 + means + (in_time != NULL ? 1 : 0);
    struct text_table table;
    if (delays) {
        columns += 1 + means + (shows_cap(schedule) ? 2 : 0) + (is_told(sheet) ? 1 : 0);
    }
    assert(columns <= COLUMNS_MAX);
    if (!text_table_init(&table, &sheet->page.arena, schedule->count + 1, columns, 0)) {
        sheet->page.failed = true;
        return;
    }
    for (uint32_t row = 0; row <= schedule->count; row++) {
        struct pen pen = {&table, row, 0};
        row_fill(sheet, &pen, delays, each, in_time);
        assert(pen.column == columns);
    }
    text_table_write(&table, sheet->page.out);
}

static const char *timeout_phrase(struct sheet *sheet) {
    char text[64];
    return page_phrase(&sheet->page, "its timeout of %s",
                       storm_time_print(sheet->question->timeout, text, sizeof text));
}

/* "51s in 6 retries", and around what mean. */
static const char *total_phrase(struct sheet *sheet, storm_time each) {
    const struct schedule *schedule = &sheet->schedule;
    struct schedule_sum sum = schedule_sum(schedule, schedule->count, each);
    const char *text =
        page_phrase(&sheet->page, "%s in %" PRIu32 " %s", chance_seconds(&sheet->page, sum.mean),
                    schedule->count, schedule->count == 1 ? "retry" : "retries");
    return sum.low == sum.high ? text
                               : page_phrase(&sheet->page, "%s on average (%s)", text,
                                             chance_range(&sheet->page, sum.low, sum.high));
}

/* How many of the attempts fit before the limit. */
static void write_fit(struct sheet *sheet, const double *in_time, const char *how) {
    uint32_t certain = 0, possible = 0, count = sheet->schedule.count;
    for (uint32_t k = 0; k < count; k++) {
        certain += in_time[k] > 1 - 1e-9;
        possible += in_time[k] > 1e-9;
    }
    if (certain == count) {
        fprintf(sheet->page.out, "All %" PRIu32 " attempts begin %s%s.\n", count + 1,
                limit_phrase(sheet), how);
    } else if (sheet->question->policy->attempts == STORM_ATTEMPTS_UNLIMITED) {
        fprintf(sheet->page.out, "Only %" PRIu32 " attempts %s begin %s%s.\n", possible + 1,
                certain == possible ? "can" : "can ever", limit_phrase(sheet), how);
    } else if (possible < count) {
        fprintf(sheet->page.out, "Only %" PRIu32 " of %" PRIu32 " attempts %s begin %s%s.\n",
                possible + 1, count + 1, certain == possible ? "can" : "can ever",
                limit_phrase(sheet), how);
    } else {
        fprintf(sheet->page.out, "All %" PRIu32 " attempts begin %s with %s%s.\n", count + 1,
                limit_phrase(sheet), chance_percent(&sheet->page, in_time[count - 1]), how);
    }
}

static void write_forwards(struct sheet *sheet) {
    const struct schedule_question *question = sheet->question;
    double room[2][SCHEDULE_ROOM];
    storm_time timeout = question->timeout;
    bool has_timeout = timeout < STORM_NEVER;
    const double *at_once = find_in_time(sheet, 0, room[0]);
    const double *by_timeout = has_timeout ? find_in_time(sheet, timeout, room[1]) : NULL;
    if (has_timeout) {
        fputs("If every attempt fails at once:\n", sheet->page.out);
    }
    write_rows(sheet, true, 0, at_once);
    if (has_timeout) {
        fprintf(sheet->page.out, "If every attempt ends by %s:\n", timeout_phrase(sheet));
        write_rows(sheet, false, timeout, by_timeout);
    }
    if (question->policy->attempts > sheet->schedule.count + 1) {
        fprintf(sheet->page.out, "These are the first %" PRIu32 " retries of %s.\n",
                sheet->schedule.count, attempts_phrase(sheet, question->policy));
    }
    if (at_once != NULL) {
        write_fit(sheet, at_once, has_timeout ? ", if they fail at once" : "");
    }
    if (by_timeout != NULL) {
        write_fit(sheet, by_timeout, ", if they end by their timeout");
    }
    if (has_timeout) {
        struct schedule_sum sum = schedule_sum(&sheet->schedule, sheet->schedule.count, timeout);
        fprintf(sheet->page.out,
                "The last attempt ends after %s by its timeout.\nTotal by timeouts: %s.\n",
                chance_seconds(&sheet->page, sum.mean + storm_time_to_seconds(timeout)),
                total_phrase(sheet, timeout));
    }
    fprintf(sheet->page.out, "Total: %s.\n", total_phrase(sheet, 0));
}

/* What else decides about the retries. */
static void write_rules(struct sheet *sheet) {
    rules_write_time(&sheet->page, sheet->question->policy);
    if (is_told(sheet)) {
        rules_write_hint(&sheet->page, &sheet->schedule, sheet->question->hint);
    }
    rules_write_budget(&sheet->page, sheet->question->policy);
}

/* ---- backwards ------------------------------------------------------------------------------- */

/* What is known of outages: survival by the number of attempts, for two ways to fail. */
struct survival {
    struct schedule schedule;
    double at_once[SCHEDULE_ROOM + 1], by_timeout[SCHEDULE_ROOM + 1];
};

/* The fewest attempts that reach the target; 0: none of those looked at. */
static uint32_t fewest(const double *survive, uint32_t count, double target) {
    for (uint32_t n = 1; n <= count + 1; n++) {
        if (survive[n - 1] >= target - 1e-12) {
            return n;
        }
    }
    return 0;
}

static bool find_survival(const struct schedule_question *question, uint32_t count,
                          struct survival *survival) {
    struct schedule_moment moment = {question->outage, survival_limit(question), 0};
    if (!schedule_make(&survival->schedule, question->policy, count) ||
        !schedule_survive(&survival->schedule, &moment, survival->at_once)) {
        return false;
    }
    memcpy(survival->by_timeout, survival->at_once, sizeof survival->at_once);
    moment.each = question->timeout;
    return question->timeout == STORM_NEVER ||
           schedule_survive(&survival->schedule, &moment, survival->by_timeout);
}

/* Looks at more and more attempts until the target is reached in both ways to fail. */
static bool search_survival(const struct schedule_question *question, struct survival *survival) {
    uint32_t attempts = question->policy->attempts, count = 8;
    while (count < SCHEDULE_ROOM && count + 1 < attempts) {
        count *= 2;
    }
    if (count + 1 < attempts) {
        count = 8; /* unlimited, or more than can be looked at */
    }
    for (;; count *= 2) {
        if (!find_survival(question, count, survival)) {
            return false;
        }
        if (count >= SCHEDULE_RETRIES_MAX ||
            (fewest(survival->at_once, count, question->target) > 0 &&
             fewest(survival->by_timeout, count, question->target) > 0)) {
            return true;
        }
    }
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* From the last number of attempts that surely fails to the last that is of interest. */
static void write_survival_rows(struct sheet *sheet, const struct survival *survival,
                                uint32_t last) {
    bool has_timeout = sheet->question->timeout < STORM_NEVER;
    uint32_t from = 1, columns = has_timeout ? 3 : 2;
    struct text_table table;
    while (from < last && survival->at_once[from] < 1e-9 && survival->by_timeout[from] < 1e-9) {
        from++;
    }
    if (!text_table_init(&table, &sheet->page.arena, last - from + 2, columns, 0)) {
        sheet->page.failed = true;
        return;
    }
    for (uint32_t row = 0; row < table.rows; row++) {
        struct pen pen = {&table, row, 0};
        uint32_t n = from + row - 1;
        put(&pen, row == 0 ? "attempts" : page_phrase(&sheet->page, "%" PRIu32, n));
        put(&pen, row == 0 ? (has_timeout ? "failing at once" : "ride it out")
                           : chance_percent(&sheet->page, survival->at_once[n - 1]));
        if (has_timeout) {
            put(&pen, row == 0 ? "by timeouts"
                               : chance_percent(&sheet->page, survival->by_timeout[n - 1]));
        }
    }
    text_table_write(&table, sheet->page.out);
}

static void write_fewest(struct sheet *sheet, const struct survival *survival,
                         const double *survive, const char *how) {
    const struct schedule_question *question = sheet->question;
    uint32_t count = survival->schedule.count, needed = fewest(survive, count, question->target);
    char target[TEXT_NUMBER_SIZE];
    storm_double_print(floor(question->target * 1e8 + 0.5) / 1e6, target, sizeof target);
    if (needed > 0) {
        fprintf(sheet->page.out, "%" PRIu32 " attempt%s %s enough for %s%%%s%s.\n", needed,
                page_plural(needed), needed == 1 ? "is" : "are", target,
                question->target < 1 ? " or more" : "", how);
    } else if (survival_limit(question) <= question->outage) {
        fprintf(sheet->page.out, "No number of attempts is enough%s: all begin %s.\n", how,
                limit_phrase(sheet));
    } else {
        fprintf(sheet->page.out, "Up to %" PRIu32 " attempts are not enough for %s%%%s.\n",
                count + 1, target, how);
    }
}

static void write_own(struct sheet *sheet, const struct survival *survival) {
    uint32_t own = sheet->question->policy->attempts;
    char text[64];
    if (own == STORM_ATTEMPTS_UNLIMITED) {
        return;
    }
    if (own > survival->schedule.count + 1) {
        fprintf(sheet->page.out, "The policy's %s are too many to look at: up to %d are.\n",
                attempts_phrase(sheet, sheet->question->policy), SCHEDULE_ROOM + 1);
        return;
    }
    fprintf(sheet->page.out, "The policy's %s ride%s out %s in %s of calls",
            attempts_phrase(sheet, sheet->question->policy), own == 1 ? "s" : "",
            storm_time_print(sheet->question->outage, text, sizeof text),
            chance_percent(&sheet->page, survival->at_once[own - 1]));
    if (sheet->question->timeout < STORM_NEVER) {
        fprintf(sheet->page.out, ", by timeouts in %s",
                chance_percent(&sheet->page, survival->by_timeout[own - 1]));
    }
    fputs(".\n", sheet->page.out);
}

static void write_method(struct sheet *sheet, enum schedule_way way) {
    if (way == SCHEDULE_INDEPENDENT || way == SCHEDULE_CHAIN) {
        fputs("(Shares are computed on a grid: error below 0.1 points.)\n", sheet->page.out);
    }
    if (way == SCHEDULE_SAMPLE) {
        fputs("(Shares are of a million drawn calls: error below 0.25 points.)\n", sheet->page.out);
    }
}

static void write_backwards(struct sheet *sheet) {
    const struct schedule_question *question = sheet->question;
    struct survival survival;
    char text[64];
    if (!search_survival(question, &survival)) {
        sheet->page.failed = true;
        return;
    }
    uint32_t count = survival.schedule.count, own = question->policy->attempts;
    uint32_t last = larger(fewest(survival.at_once, count, question->target),
                           fewest(survival.by_timeout, count, question->target));
    last = own <= count + 1 ? larger(last, own) : last;
    last = larger(last, 1);
    fprintf(sheet->page.out, "\nAn outage of %s that begins with the first attempt:\n",
            storm_time_print(question->outage, text, sizeof text));
    write_survival_rows(sheet, &survival, last);
    write_method(sheet, survival.schedule.way);
    write_own(sheet, &survival);
    bool has_timeout = question->timeout < STORM_NEVER;
    if (has_timeout) {
        write_fewest(sheet, &survival, survival.by_timeout, ", if they end by their timeout");
    }
    write_fewest(sheet, &survival, survival.at_once, has_timeout ? ", if they fail at once" : "");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static uint32_t rows_of(const struct storm_policy *policy) {
    if (policy->attempts == STORM_ATTEMPTS_UNLIMITED) {
        return ROWS_UNLIMITED;
    }
    uint32_t retries = policy->attempts - 1;
    return retries < SCHEDULE_RETRIES_MAX ? retries : SCHEDULE_RETRIES_MAX;
}

bool schedule_write_text(const struct schedule_question *question, FILE *out) {
    struct sheet sheet = {.page = {.out = out}, .question = question};
    assert(question->policy->attempts >= 1);
    arena_init(&sheet.page.arena, (size_t)16 << 20);
    if (question->title != NULL) {
        fprintf(out, "%s: ", question->title);
    }
    fprintf(out, "%s\n", policy_phrase(&sheet, question->policy));
    if (!schedule_make(&sheet.schedule, question->policy, rows_of(question->policy))) {
        sheet.page.failed = true;
    } else if (sheet.schedule.count == 0) {
        fputs("It never tries again.\n", out);
    } else {
        write_forwards(&sheet);
        write_rules(&sheet);
        if (question->outage == STORM_NEVER && limit_of(question) < STORM_NEVER) {
            write_method(&sheet, sheet.schedule.way);
        }
    }
    if (question->outage < STORM_NEVER && is_beyond(question)) {
        fputs("\nThe outage is longer than that: whether that delay rides it out is not told.\n",
              out);
    } else if (!sheet.page.failed && question->outage < STORM_NEVER) {
        write_backwards(&sheet);
    }
    arena_free(&sheet.page.arena);
    return !sheet.page.failed && ferror(out) == 0;
}
