/* test_bugs.c: mistakes that others have made in public with retries, delays and hints, each with
   a test that gets it right. docs/bugs.md says where each is from; the tests bear its numbers. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/stream.h"
#include "policy/delay.h"
#include "policy/hint.h"
#include "policy/registry.h"
#include "policy/words.h"
#include "schedule/schedule.h"
#include "support/test.h"
#include "support/world.h"

#define SEC STORM_SECOND
#define MS STORM_MILLISECOND

enum { YAML_MAX = 2048, SENDS_MAX = 4096 };
static const double almost_one = 1 - 0x1p-53;
static const uint32_t far_retries[] = {1,    19,   24,   25,   30,   31,   32,     33,
                                       34,   37,   40,   50,   63,   64,   65,     100,
                                       1000, 1023, 1024, 1025, 1026, 2000, 1000000};
enum { FAR = sizeof far_retries / sizeof far_retries[0] };

/* ---- what the tests ask -------------------------------------------------------------------- */

static struct storm_delay doubling(double base, double cap) {
    return (struct storm_delay){.growth = STORM_GROWTH_EXPONENTIAL,
                                .base = base,
                                .factor = 2,
                                .cap = cap,
                                .cap_when = STORM_CAP_BEFORE,
                                .jitter_low = 1,
                                .jitter_high = 1};
}

static double nth_delay(const struct storm_delay *delay, uint32_t n, double u) {
    struct storm_delay_state state = {.count = n - 1};
    return delay_next(delay, &state, u);
}

static const struct storm_policy *preset(const char *name) {
    const struct policy_preset *found = policy_preset_find(name);
    assert_non_null(found);
    return &found->policy;
}

static storm_time hint_read(const char *text) {
    storm_time hint = HINT_NONE;
    return hint_parse(text, INT64_C(1700000000) * SEC, &hint) ? hint : HINT_NONE;
}

/* A delay never shrinks on its way to the cap, and stays there. */
static void check_capped(const struct storm_delay *delay) {
    double last = 0;
    for (uint32_t n = 1; n <= 3000; n++) {
        double d = nth_delay(delay, n, 0.5);
        assert_true(d >= last && d <= delay->cap);
        last = d;
    }
    assert_true(last == delay->cap);
    for (int i = 0; i < FAR; i++)
        assert_true(nth_delay(delay, far_retries[i], almost_one) <= delay->cap);
}

/* When attempts were sent in a run, and how the last request ended. */
struct heard {
    storm_time sent[SENDS_MAX], ended;
    uint32_t count, dead;
    enum storm_reason reason;
};

static void hear(void *context, const struct storm_fact *fact) {
    struct heard *heard = context;
    if (fact->kind == STORM_FACT_SENT) {
        assert_true(heard->count < SENDS_MAX);
        heard->sent[heard->count++] = fact->time;
    } else if (fact->kind == STORM_FACT_DEAD) {
        heard->dead++;
        heard->ended = fact->time;
        heard->reason = (enum storm_reason)fact->reason;
    }
}

static struct heard live(const char *yaml) {
    struct heard heard = {.reason = STORM_REASON_NONE};
    struct storm_listener listener = {hear, &heard};
    struct world_case world = world_write(yaml);
    world_live(&world, 1, 0, &listener);
    world_free(&world);
    return heard;
}

/* `clients` ask once, at 0, a service that is down all the time; `kind`: how. */
static struct heard live_down(int clients, const char *kind, const char *retry, const char *call) {
    char yaml[YAML_MAX];
    world_print(yaml, sizeof yaml,
                "version: 1\nduration: 2h\n"
                "clients: {web: {count: %d, arrivals: {at: 0s}, in_time: 1s,\n"
                "                calls: {to: api, %sretry: %s}}}\n"
                "services: {api: {workers: 1, service_time: 1ms}}\n"
                "faults: [{service: api, kind: %s, at: 0s, for: 2h}]\n",
                clients, call, retry, kind);
    return live(yaml);
}

/* The most attempts that are sent within one bin of so long. */
static uint32_t peak(const struct heard *heard, storm_time from, storm_time bin) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < heard->count; i++) {
        uint32_t here = 0;
        for (uint32_t j = i; j < heard->count && heard->sent[j] < heard->sent[i] + bin; j++)
            here++;
        most = heard->sent[i] >= from && here > most ? here : most;
    }
    return most;
}

/* ---- overflow and range -------------------------------------------------------------------- */

static void bug_01_the_cap_holds_where_32_bits_ended(void **state) {
    (void)state;
    struct storm_delay slow = doubling(5, 20), fast = doubling(0.1, 20);
    assert_true(nth_delay(&slow, 19, 0) == 20);
    assert_true(nth_delay(&fast, 25, 0) == 20);
    assert_true(nth_delay(&fast, 30, 0) == 20);
    check_capped(&slow);
    check_capped(&fast);
}

static void bug_02_the_cap_holds_where_64_bits_ended(void **state) {
    (void)state;
    const struct storm_delay *delay = &preset("aws-java-v2-standard")->delay;
    for (int i = 0; i < FAR; i++) {
        double d = nth_delay(delay, far_retries[i], almost_one);
        assert_true(far_retries[i] < 9 || (d > 19.99 && d <= 20));
    }
}

static void bug_03_a_sum_of_powers_never_turns_negative(void **state) {
    (void)state;
    struct storm_delay delay = doubling(0.1, 60);
    delay.growth = STORM_GROWTH_GEOMETRIC_SUM; /* 200 ms (2^n - 1) / 2 */
    assert_true(nth_delay(&delay, 3, 0) == 0.1 * 7);
    assert_true(nth_delay(&delay, 24, 0) == 60);
    check_capped(&delay);
}

static void bug_04_without_a_cap_an_overflow_is_no_hot_loop(void **state) {
    (void)state;
    struct storm_delay second = doubling(1, HUGE_VAL), tenth = doubling(0.1, HUGE_VAL);
    for (uint32_t n = 30; n <= 3000; n++) {
        storm_time a = storm_time_from_seconds(nth_delay(&second, n, 0));
        storm_time b = storm_time_from_seconds(nth_delay(&tenth, n, 0));
        assert_true(a >= (INT64_C(1) << 29) * SEC && a < STORM_NEVER);
        assert_true(b >= (INT64_C(1) << 29) * SEC / 10 && b < STORM_NEVER);
    }
}

static void bug_05_no_delay_of_any_product_is_negative_or_no_number(void **state) {
    (void)state;
    static const double draws[] = {0, 0.5, 1 - 0x1p-53};
    for (size_t i = 0; i < policy_preset_count(); i++) {
        const struct storm_delay *delay = &policy_preset_at(i)->policy.delay;
        for (int k = 0; k < 3; k++) {
            struct storm_delay_state s = {0};
            for (uint32_t n = 1; n <= 2100; n++) {
                double d = delay_next(delay, &s, draws[k]);
                assert_true(d >= 0 && d <= DELAY_CEILING); /* false for NaN, too */
            }
        }
    }
    assert_int_equal(hint_read("-5"), HINT_NONE);
}

static void bug_06_polly_is_at_its_cap_where_its_powers_are_infinite(void **state) {
    (void)state;
    struct storm_delay delay = preset("cockatiel-exponential")->delay;
    struct storm_delay_state s = {0};
    for (uint32_t n = 1; n <= 3000; n++) {
        double d = delay_next(&delay, &s, stream_uniform(7, STREAM_BACKOFF, n));
        assert_true(d >= 0 && d <= 30);
        assert_true(n < 50 ||
                    d == 30); /* also from 1025 on, where infinity less infinity is none */
    }
}

static void bug_07_attempt_1024_waits_for_the_cap(void **state) {
    (void)state;
    struct storm_delay delay = doubling(1, 60);
    for (uint32_t n = 1020; n <= 1030; n++)
        assert_true(nth_delay(&delay, n, 0) == 60);
    /* With a cap of 5 s it is reached within 86 minutes. */
    struct heard heard =
        live_down(1, "down", "{delay: exponential, base: 1s, cap: 5s, attempts: 1100}", "");
    assert_int_equal(heard.count, 1100);
    assert_true(heard.sent[1023] < 86 * 60 * SEC);
    for (uint32_t i = 3; i + 1 < heard.count; i++)
        assert_int_equal(heard.sent[i + 1] - heard.sent[i], 5 * SEC);
}

static void bug_08_nothing_times_infinity_is_nothing(void **state) {
    (void)state;
    struct storm_delay delay = doubling(0, 60);
    for (int i = 0; i < FAR; i++)
        assert_true(nth_delay(&delay, far_retries[i], 0.5) == 0);
}

/* 5^n s: the 13th delay is 8 years, the 24th longer than a time can be. */
static void bug_09_who_waits_for_ever_is_told_of(void **state) {
    (void)state;
    static const char form[] =
        "version: 1\nduration: %s\n"
        "clients: {web: {count: 1, arrivals: {at: 0s}, in_time: 1s,\n"
        "                calls: {to: api, retry: {delay: exponential, base: 1s, factor: 5,\n"
        "                        cap: none, attempts: unlimited%s}}}}\n"
        "services: {api: {workers: 1, service_time: 1ms, errors: {503: 100%%}}}\n";
    char yaml[YAML_MAX];
    world_print(yaml, sizeof yaml, form, "10d", "");
    struct world_case world = world_write(yaml);
    world_live(&world, 1, 0, NULL);
    assert_true(world_metric(&world, "requests") == 1);
    assert_true(world_metric(&world, "succeeded") == 0);
    assert_true(world_metric(&world, "dead_letters") == 0);
    assert_true(world_metric(&world, "in_flight") == 1);
    world_free(&world);
    world_print(yaml, sizeof yaml, form, "10d", ", total_time: 1d");
    struct heard heard = live(yaml);
    assert_int_equal(heard.dead, 1);
    assert_int_equal(heard.reason, STORM_REASON_TOTAL_TIME);
    assert_true(heard.ended < 86400 * SEC);
}

static void bug_10_the_tables_and_timers_of_products_do_not_wrap(void **state) {
    (void)state;
    const struct storm_delay *table = &preset("elasticsearch-bulk")->delay;
    for (uint32_t n = 8; n <= 100; n++)
        assert_true(nth_delay(table, n, 0) == 2.74);
    const struct storm_delay *timer = &preset("p-retry-default")->delay;
    assert_true(nth_delay(timer, 23, 0) == 4194304);
    assert_true(nth_delay(timer, 26, 0) == 8.0 * 4194304);
    timer = &preset("exponential-backoff-js-default")->delay;
    assert_true(nth_delay(timer, 26, 0) > 3e6);
}

/* ---- cap and jitter ------------------------------------------------------------------------ */

static void bug_11_a_policy_says_whether_its_cap_bounds_the_result(void **state) {
    (void)state;
    char text[WORDS_SIZE];
    struct storm_delay delay = doubling(0.1, 0.5);
    delay.jitter_low = 0.5;
    delay.jitter_high = 1.5;
    assert_true(nth_delay(&delay, 9, almost_one) > 0.7499);
    assert_string_equal(words_delay(&delay, text),
                        "uniform(0.5, 1.5) x min(500ms, 100ms x 2^(n-1))");
    delay.cap_when = STORM_CAP_AFTER;
    assert_true(nth_delay(&delay, 9, almost_one) == 0.5);
    assert_string_equal(words_delay(&delay, text),
                        "min(500ms, uniform(0.5, 1.5) x 100ms x 2^(n-1))");
}

static double at_cap(const char *name, uint32_t n) {
    struct schedule schedule;
    assert_true(schedule_make(&schedule, preset(name), n));
    return schedule.delays[n - 1].at_cap;
}

static void bug_12_how_many_draws_a_cap_collects_is_shown(void **state) {
    (void)state;
    assert_true(fabs(at_cap("kafka-client-java", 8) - 0.5) < 2.5e-3);
    assert_true(fabs(at_cap("p-retry-randomize-max10", 4) - 0.75) < 2.5e-3);
    assert_true(at_cap("tenacity-wait-exponential-jitter-max8", 4) == 1);
    assert_true(at_cap("grpc-service-config", 8) == 0);
    struct storm_delay delay = doubling(1, 60);
    delay.jitter_high = 2;
    assert_true(nth_delay(&delay, 9, almost_one) > 119.9);
    delay.cap_when = STORM_CAP_BOTH;
    assert_true(nth_delay(&delay, 9, almost_one) == 60);
}

static void bug_13_a_second_of_jitter_does_not_spread_a_minute(void **state) {
    (void)state;
    struct heard added =
        live_down(1000, "down",
                  "{delay: additive-jitter, base: 60s, cap: 60s, jitter_add: 1s, attempts: 2}", "");
    assert_int_equal(added.count, 2000);
    assert_int_equal(peak(&added, SEC, SEC), 1000);
    struct heard full =
        live_down(1000, "down", "{delay: full-jitter, base: 60s, cap: 60s, attempts: 2}", "");
    assert_true(peak(&full, SEC, SEC) < 45); /* 17 on average */
}

static void bug_14_without_jitter_all_come_back_in_the_same_instant(void **state) {
    (void)state;
    struct heard fixed = live_down(450, "down", "{delay: fixed, base: 10s, attempts: 5}", "");
    assert_int_equal(fixed.count, 5 * 450);
    for (uint32_t i = 0; i < fixed.count; i++)
        assert_int_equal(fixed.sent[i], (storm_time)(i / 450) * 10 * SEC);
    struct heard full =
        live_down(450, "down", "{delay: full-jitter, base: 10s, factor: 1, attempts: 5}", "");
    assert_true(peak(&full, SEC, 100 * MS) < 30);
}

/* Half of a minute to one and a half: where the state is forgotten each time, every wait is a
   first one. */
static void bug_15_a_call_that_begins_anew_waits_as_at_first(void **state) {
    (void)state;
    struct storm_delay delay = doubling(60, 3600);
    delay.jitter_low = 0.5;
    delay.jitter_high = 1.5;
    struct storm_delay_state kept = {0};
    double longest = 0;
    for (uint32_t n = 1; n <= 20; n++) {
        double u = stream_uniform(3, STREAM_BACKOFF, n), first = nth_delay(&delay, 1, u);
        assert_true(first >= 30 && first < 90);
        longest = fmax(longest, delay_next(&delay, &kept, u));
    }
    assert_true(longest > 1800);
}

static void bug_16_jitter_that_is_set_and_never_seen_is_shown(void **state) {
    (void)state;
    struct schedule node, python;
    assert_true(preset("stripe-node")->delay.jitter_low < preset("stripe-node")->delay.jitter_high);
    assert_true(schedule_make(&node, preset("stripe-node"), 3));
    for (int i = 0; i < 2; i++) {
        assert_true(node.delays[i].low == 0.5 && node.delays[i].high == 0.5);
        assert_true(node.delays[i].variance == 0 && node.delays[i].mean == 0.5);
    }
    assert_true(node.delays[2].high > node.delays[2].low);
    assert_true(schedule_make(&python, preset("stripe-python"), 2));
    assert_true(python.delays[1].low < 0.51 && python.delays[1].high > 0.99);
    assert_true(nth_delay(&preset("temporal-activity")->delay, 3, 0) ==
                nth_delay(&preset("temporal-activity")->delay, 3, almost_one));
}

/* ---- Retry-After --------------------------------------------------------------------------- */

static void bug_17_a_hint_of_centuries_is_cut_and_no_overflow(void **state) {
    (void)state;
    storm_time hint = hint_read("9999999999");
    assert_int_equal(hint, STORM_NEVER);
    assert_int_equal(hint_apply(&preset("urllib3-default")->hint, 0, hint, 0), 21600 * SEC);
}

static void bug_18_a_hint_above_the_limit_is_no_reason_to_come_early(void **state) {
    (void)state;
    struct storm_hint_rule rule = {.limit = 60 * SEC};
    storm_time hint = hint_read("61");
    rule.rule = STORM_HINT_IGNORE_ABOVE; /* the mistake, for who wants to see it */
    assert_int_equal(hint_apply(&rule, SEC, hint, 0), SEC);
    rule.rule = STORM_HINT_GIVE_UP_ABOVE;
    assert_int_equal(hint_apply(&rule, SEC, hint, 0), STORM_NEVER);
    rule.rule = STORM_HINT_FLOOR;
    assert_int_equal(hint_apply(&rule, SEC, hint, 0), 61 * SEC);
}

/* One client finds the service down, then somebody else has taken its turn and it is told to wait
   for 5 s, then the service is down again. */
static struct heard live_hinted(const char *more) {
    char yaml[YAML_MAX];
    world_print(yaml, sizeof yaml,
                "version: 1\nduration: 1m\n"
                "clients:\n"
                "  web: {count: 1, arrivals: {at: 0s}, in_time: 1s, calls: {to: api, retry:\n"
                "    {delay: exponential, base: 100ms, attempts: 4, hint: override%s}}}\n"
                "  other: {count: 1, arrivals: {at: 60ms}, in_time: 1s, calls: {to: api}}\n"
                "services: {api: {workers: 1, service_time: 1ms, rate_limit:\n"
                "  {rate: 1/h, burst: 1, status: 429, retry_after: 5s}}}\n"
                "faults:\n"
                "  - {service: api, kind: down, at: 0s, for: 50ms}\n"
                "  - {service: api, kind: down, at: 5s, for: 20s}\n",
                more);
    return live(yaml);
}

static void bug_19_under_a_hint_the_delays_are_counted_on(void **state) {
    (void)state;
    static const storm_time on[] = {0, 60 * MS, 100 * MS, 5100 * MS, 5500 * MS};
    static const storm_time anew[] = {0, 60 * MS, 100 * MS, 5100 * MS, 5200 * MS};
    struct heard counted = live_hinted(""), restarted = live_hinted(", hint_restarts: true");
    assert_int_equal(counted.count, 5);
    assert_int_equal(restarted.count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(counted.sent[i], on[i]);
        assert_int_equal(restarted.sent[i], anew[i]);
    }
}

static void bug_20_a_date_is_a_hint_and_no_number_overflows(void **state) {
    (void)state;
    assert_int_equal(hint_read("Tue, 14 Nov 2023 22:15:00 GMT"), 100 * SEC);
    assert_int_equal(hint_read("Tuesday, 14-Nov-23 22:15:00 GMT"), 100 * SEC);
    assert_int_equal(hint_read("9223372037"), STORM_NEVER);
    assert_int_equal(hint_read("18446744074"), STORM_NEVER);
    const struct storm_hint_rule *rule = &preset("go-retryablehttp-default")->hint;
    assert_int_equal(hint_apply(rule, SEC, hint_read("9223372037"), 0), STORM_NEVER);
    assert_int_equal(hint_apply(rule, SEC, hint_read("120"), 0), 120 * SEC);
}

/* ---- time and counting --------------------------------------------------------------------- */

/* The first attempt fails after 9.9 s, the next delay is 6.4 s, and there are 10 s. */
static struct heard live_late(const char *rule) {
    char retry[256];
    world_print(retry, sizeof retry,
                "{delay: fixed, base: 6400ms, attempts: 5, total_time: 10s, time_rule: %s}", rule);
    return live_down(1, "hang", retry, "timeout: 9900ms, ");
}

static void bug_30_nobody_sleeps_past_the_end(void **state) {
    (void)state;
    struct heard before = live_late("before"), cut = live_late("truncate");
    struct heard interrupted = live_late("interrupt"), after = live_late("after");
    assert_int_equal(before.count, 1);
    assert_int_equal(before.ended, 9900 * MS);
    assert_int_equal(before.reason, STORM_REASON_TOTAL_TIME);
    assert_int_equal(cut.count, 2);
    assert_int_equal(cut.sent[1], 10 * SEC);
    assert_int_equal(interrupted.count, 1);
    assert_int_equal(interrupted.ended, 10 * SEC);
    assert_int_equal(after.count, 2); /* the mistake, as nginx and curl make it knowingly */
    assert_int_equal(after.sent[1], 16300 * MS);
}

static void bug_31_attempts_are_calls_and_not_retries(void **state) {
    (void)state;
    static const struct {
        const char *retry;
        uint32_t calls;
    } rows[] = {
        {"{delay: no-backoff, attempts: 3}", 3},
        {"{delay: no-backoff, attempts: 4}", 4},
        {"{delay: no-backoff, attempts: 1}", 1},
        {"{preset: temporal-activity, attempts: 3}", 3}, /* MaximumAttempts 3 */
        {"failsafe-default", 3},                         /* withMaxRetries(2), also its default */
        {"{preset: spring-retry-annotation, attempts: 1}", 1},
        {"envoy-default", 2}, /* num_retries 1 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct heard heard = live_down(1, "down", rows[i].retry, "");
        if (heard.count != rows[i].calls)
            fail_msg("%s: %u calls", rows[i].retry, heard.count);
    }
}

static void bug_32_the_first_retry_of_urllib3_is_at_once_and_0_1_s_never_occurs(void **state) {
    (void)state;
    static const storm_time sent[] = {0, 0, 200 * MS, 600 * MS};
    struct heard heard = live_down(1, "down", "urllib3-backoff-0.1", "");
    assert_int_equal(heard.count, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(heard.sent[i], sent[i]);
}

/* ---- the page ------------------------------------------------------------------------------ */

static char page[1 << 16], source[1 << 17];

static void read_text(const char *name, char *text, size_t size) {
    char path[512];
    world_print(path, sizeof path, "%s/%s", STORM_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("no %s", path);
    size_t length = fread(text, 1, size - 1, file);
    assert_true(length < size - 1);
    text[length] = '\0';
    fclose(file);
}

/* The next text in `back-quotes` of a line; false when there is none. */
static bool quoted(const char **line, char *word, size_t size) {
    const char *end = strchr(*line, '\n'), *begin = strchr(*line, '`');
    if (begin == NULL || begin > end)
        return false;
    const char *close = strchr(begin + 1, '`');
    assert_true(close != NULL && close < end);
    world_print(word, size, "%.*s", (int)(close - begin - 1), begin + 1);
    *line = close + 1;
    return true;
}

static void every_report_is_on_the_page_with_a_test_that_exists(void **state) {
    (void)state;
    char start[16], file[256], word[256];
    read_text("docs/bugs.md", page, sizeof page);
    for (int number = 1; number <= 37; number++) {
        world_print(start, sizeof start, "\n| %d | ", number);
        const char *line = strstr(page, start);
        if (line == NULL)
            fail_msg("docs/bugs.md has no row %d", number);
        assert_true(strstr(line, "https://") != NULL);
        file[0] = '\0';
        for (line++; quoted(&line, word, sizeof word);) {
            if (strncmp(word, "tests/", 6) == 0) {
                world_print(file, sizeof file, "%s", word);
            } else if (file[0] != '\0') {
                read_text(file, source, sizeof source);
                if (strstr(source, word) == NULL)
                    fail_msg("row %d: %s has no test %s", number, file, word);
                break;
            }
        }
        if (file[0] == '\0')
            fail_msg("row %d names no test", number);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bug_01_the_cap_holds_where_32_bits_ended),
        cmocka_unit_test(bug_02_the_cap_holds_where_64_bits_ended),
        cmocka_unit_test(bug_03_a_sum_of_powers_never_turns_negative),
        cmocka_unit_test(bug_04_without_a_cap_an_overflow_is_no_hot_loop),
        cmocka_unit_test(bug_05_no_delay_of_any_product_is_negative_or_no_number),
        cmocka_unit_test(bug_06_polly_is_at_its_cap_where_its_powers_are_infinite),
        cmocka_unit_test(bug_07_attempt_1024_waits_for_the_cap),
        cmocka_unit_test(bug_08_nothing_times_infinity_is_nothing),
        cmocka_unit_test(bug_09_who_waits_for_ever_is_told_of),
        cmocka_unit_test(bug_10_the_tables_and_timers_of_products_do_not_wrap),
        cmocka_unit_test(bug_11_a_policy_says_whether_its_cap_bounds_the_result),
        cmocka_unit_test(bug_12_how_many_draws_a_cap_collects_is_shown),
        cmocka_unit_test(bug_13_a_second_of_jitter_does_not_spread_a_minute),
        cmocka_unit_test(bug_14_without_jitter_all_come_back_in_the_same_instant),
        cmocka_unit_test(bug_15_a_call_that_begins_anew_waits_as_at_first),
        cmocka_unit_test(bug_16_jitter_that_is_set_and_never_seen_is_shown),
        cmocka_unit_test(bug_17_a_hint_of_centuries_is_cut_and_no_overflow),
        cmocka_unit_test(bug_18_a_hint_above_the_limit_is_no_reason_to_come_early),
        cmocka_unit_test(bug_19_under_a_hint_the_delays_are_counted_on),
        cmocka_unit_test(bug_20_a_date_is_a_hint_and_no_number_overflows),
        cmocka_unit_test(bug_30_nobody_sleeps_past_the_end),
        cmocka_unit_test(bug_31_attempts_are_calls_and_not_retries),
        cmocka_unit_test(bug_32_the_first_retry_of_urllib3_is_at_once_and_0_1_s_never_occurs),
        cmocka_unit_test(every_report_is_on_the_page_with_a_test_that_exists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
