/* test_window_text.c: a window told line by line, and by counts where there is too much. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "report/story.h"
#include "support/test.h"

#define SEC STORM_SECOND

static struct storm_population populations[] = {
    {.name = "web"}, {.name = "workers", .arrival = STORM_ARRIVAL_QUEUE}};
static struct storm_service services[] = {{.name = "api"}, {.name = "d\033b"}};
static struct storm_fault faults[] = {
    {.kind = STORM_FAULT_CAPACITY, .length = 5 * SEC, .share = .5, .service = 1}};
static struct storm_action actions[] = {
    {.kind = STORM_ACTION_SET, .settings = "services.api.workers: 4\033"}};
static const struct storm_scenario scenario = {.population_count = 2,
                                               .populations = populations,
                                               .service_count = 2,
                                               .services = services,
                                               .faults = faults,
                                               .actions = actions};

#define OF(whose, where, what, nth)                                                                \
    .has_kin = true,                                                                               \
    .kin = {.member = whose,                                                                       \
            .ordinal = 3,                                                                          \
            .attempt = {.kind = STORM_STORY_##what, .place = where, .number = nth, .sent = SEC}}

static struct storm_window_line lines[] = {
    {.is_mark = true, .mark = {.time = SEC, .begins = true}},
    {.is_mark = true, .mark = {.time = SEC, .begins = true, .is_action = true}},
    {.fact = {.kind = STORM_FACT_CAPACITY, .time = SEC, .level = 4, .place = 1, .pace = .5}},
    {.fact = {.kind = STORM_FACT_OUTAGE, .time = SEC, .level = 0}},
    {.fact = {.kind = STORM_FACT_BORN, .time = SEC}, OF(7, 0, REQUEST, 0)},
    {.fact = {.kind = STORM_FACT_SENT, .time = SEC}, OF(7, 1, ATTEMPT, 2)},
    {.fact = {.kind = STORM_FACT_BREAKER, .time = SEC, .level = STORM_BREAKER_OPEN}},
    {.fact = {.kind = STORM_FACT_BANNED, .time = SEC, .member = 7, .due = 3 * SEC}},
    {.fact = {.kind = STORM_FACT_CRASHED, .time = SEC + 1500}},
    {.fact = {.kind = STORM_FACT_GAVE_UP, .time = 3 * SEC}, OF(7, 1, ATTEMPT, 2)},
    {.fact = {.kind = STORM_FACT_BACKED_OFF, .time = 3 * SEC, .due = 4 * SEC, .parent = 9},
     OF(7, 0, REQUEST, 0)},
    {.fact = {.kind = STORM_FACT_DELIVERED, .time = 3 * SEC, .since = SEC}, OF(12, 1, DELIVERY, 1)},
};

enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

static char *told(const struct storm_window_story *story) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct story_source source = {.file = "x.yaml", .run = 2, .seed = 5};
    assert_non_null(out);
    assert_true(window_write_text(story, &scenario, &source, out));
    fclose(out);
    return text;
}

static struct storm_window_story story_of(uint32_t count) {
    return (struct storm_window_story){
        .window = {.from = SEC, .to = 11 * SEC, .service = STORM_NONE, .population = STORM_NONE},
        .all = count,
        .line_count = count,
        .lines = lines};
}

static void every_fact_and_mark_is_a_line(void **state) {
    (void)state;
    struct storm_window_story story = story_of(LINE_COUNT);
    char *text = told(&story);
    assert_string_equal(
        text,
        "From 1s to 11s: x.yaml, run 2, seed 5\n\n"
        " 1.000000            d\xEF\xBF\xBD"
        "b                  fault begins: capacity, 50 % of the workers, for 5s\n"
        " 1.000000                                 operators set services.api.workers: "
        "4\xEF\xBF\xBD\n"
        " 1.000000            d\xEF\xBF\xBD"
        "b                  4 workers in force, at 0.5 of their speed\n"
        " 1.000000            api                  is up again\n"
        " 1.000000  web:7:3                        is born\n"
        " 1.000000  web:7:3   d\xEF\xBF\xBD"
        "b, try 2           sent\n"
        " 1.000000            api                  a breaker before api opens: no more calls go "
        "out\n"
        " 1.000000  web:7     api                  banned by api for 2s\n"
        " 1.000001            api                  crashes\n"
        " 3.000000  web:7:3   d\xEF\xBF\xBD"
        "b, try 2           its caller gives up waiting after 2s\n"
        " 3.000000  web:7:3                        api is not asked yet: backs off for 1s\n"
        " 3.000000  web:12:3  workers, delivery 1  handed to consumer 0 after 2s in the queue\n");
    free(text);
}

static void what_is_too_much_is_counted_and_said(void **state) {
    (void)state;
    struct storm_window_story story = story_of(1);
    story.all = 12346;
    story.counts[STORM_FACT_BACKED_OFF][0] = 12000;
    story.counts[STORM_FACT_BACKED_OFF][9] = 345;
    story.window.service = 1;
    story.window.population = 0;
    char *text = told(&story);
    assert_non_null(strstr(text, "seed 5, at d\xEF\xBF\xBD"
                                 "b, of web\n\nin each tenth, from"));
    assert_non_null(strstr(text, "from      1s  2s  3s  4s  5s  6s  7s  8s  9s  10s     all\n"));
    assert_non_null(strstr(text,
                           "backed off           12,000   0   0   0   0   0   0   0   0  345  "
                           "12,345\n\n"));
    assert_non_null(strstr(text, "... (the first 1 of 12,346 lines; 12,345 are left out: "));
    free(text);
}

static void an_empty_window_is_said(void **state) {
    (void)state;
    struct storm_window_story story = story_of(0);
    char *text = told(&story);
    assert_non_null(strstr(text, "\n\nNothing happens.\n"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_and_mark_is_a_line),
        cmocka_unit_test(what_is_too_much_is_counted_and_said),
        cmocka_unit_test(an_empty_window_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
