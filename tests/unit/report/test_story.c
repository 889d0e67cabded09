/* test_story.c: a request's life told line by line, and as JSON Lines. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/story.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define SEC STORM_SECOND
#define MS STORM_MILLISECOND
#define LINE(whose, what, ...)                                                                     \
    { {.kind = STORM_FACT_##what, .key = (whose) + 1, __VA_ARGS__}, whose }

static struct storm_population populations[] = {
    {.name = "web"}, {.name = "workers", .arrival = STORM_ARRIVAL_QUEUE}};
static struct storm_service services[] = {
    {.name = "api", .queue_limit = 5, .on_full = 503},
    {.name = "d\033b", .queue_limit = STORM_UNLIMITED, .limit_rate = 10, .limit_status = 429},
};
static const struct storm_scenario scenario = {
    .population_count = 2, .populations = populations, .service_count = 2, .services = services};

static struct storm_story_attempt attempts[] = {
    {.key = 1, .parent = 9, .depth = 1, .number = 1, .sent = SEC},
    {.key = 2, .parent = 1, .depth = 2, .number = 1, .place = 1, .sent = SEC},
    {.key = 3, .parent = 9, .depth = 1, .number = 2, .sent = 3 * SEC},
};

/* Everything that can happen, though not all to one request. */
static struct storm_story_line lines[] = {
    LINE(STORM_NONE, BORN, .time = SEC),
    LINE(0, SENT, .time = SEC),
    LINE(0, ARRIVED, .time = SEC + 1500),
    LINE(0, QUEUED, .time = SEC + 1500),
    LINE(0, STARTED, .time = SEC + 300 * MS, .since = SEC, .queued = true),
    LINE(1, SENT, .time = SEC + 300 * MS),
    LINE(0, PARKED, .time = SEC + 300 * MS, .since = SEC),
    LINE(1, ARRIVED, .time = SEC + 300 * MS, .ghost = true),
    LINE(1, STARTED, .time = SEC + 400 * MS, .ghost = true),
    LINE(1, REFUSED, .time = SEC + 500 * MS, .place = 1, .status = 429),
    LINE(1, VANISHED, .time = 2 * SEC, .status = 429),
    LINE(1, CANCELLED, .time = 2 * SEC, .busy = true, .since = SEC),
    LINE(0, GAVE_UP, .time = 2 * SEC + 100 * MS),
    LINE(0, BACKED_OFF, .time = 2 * SEC + 100 * MS, .due = 3 * SEC + 333333333, .status = 3),
    LINE(0, RESTED, .time = 3 * SEC),
    LINE(2, SENT, .time = 3 * SEC),
    LINE(0, SERVED, .time = 3 * SEC, .since = SEC, .status = 200, .ghost = true),
    LINE(2, VANISHED, .time = 4 * SEC),
    LINE(2, REFUSED, .time = 5 * SEC, .status = 503),
    LINE(2, REFUSED, .time = 5 * SEC, .status = 1),
    LINE(2, REFUSED, .time = 5 * SEC),
    LINE(2, EXPIRED, .time = 6 * SEC, .since = 5 * SEC),
    LINE(2, LOST, .time = 7 * SEC, .queued = true),
    LINE(2, LOST, .time = 7 * SEC, .busy = true, .status = 2),
    LINE(2, BACKED_OFF, .time = 8 * SEC, .due = STORM_NEVER, .status = 503),
    LINE(2, SERVED, .time = 9 * SEC, .since = 8 * SEC, .status = 500),
    LINE(STORM_NONE, DEAD, .time = 12 * SEC, .since = SEC, .attempts = 2,
         .reason = STORM_REASON_ATTEMPTS, .status = 500),
};

enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

static struct storm_story story_of(uint32_t count) {
    return (struct storm_story){.member = 7,
                                .ordinal = 3,
                                .key = 9,
                                .born = true,
                                .ended = count == LINE_COUNT,
                                .end = lines[LINE_COUNT - 1],
                                .attempt_count = 3,
                                .attempts = attempts,
                                .line_count = count,
                                .lines = lines};
}

static char *told(const struct storm_story *story, bool jsonl) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct story_source source = {.file = "x.yaml", .variant = "as-is", .run = 2, .seed = 5};
    assert_non_null(out);
    assert_true(jsonl ? story_write_jsonl(story, &scenario, out)
                      : story_write_text(story, &scenario, &source, out));
    fclose(out);
    return text;
}

static void every_fact_is_a_line(void **state) {
    (void)state;
    static const char expected[] =
        "Request 3 of client 7 of web: x.yaml, as-is, run 2, seed 5\n"
        "\n"
        " 1.000000  ● web             is born\n"
        " 1.000000  │ ● api, try 1    sent\n"
        " 1.000001  │ │               arrives\n"
        " 1.000001  │ │               waits in the queue\n"
        " 1.300000  │ │               starts after 300ms in the queue\n"
        " 1.300000  │ │ ● d\xEF\xBF\xBD"
        "b, try 1  sent\n"
        " 1.300000  │ │ api, try 1    frees its worker while it waits for other services\n"
        " 1.300000  │ │ │ d\xEF\xBF\xBD"
        "b, try 1  arrives, though nobody waits\n"
        " 1.400000  │ │ │             starts at once, though nobody waits\n"
        " 1.500000  │ │ │             refused with 429: too many a second\n"
        " 2.000000  │ │ │             its answer (429) is lost by the network\n"
        " 2.000000  │ │ │             taken back from its worker\n"
        " 2.100000  │ │ api, try 1    its caller gives up waiting after 1.1s\n"
        " 2.100000  │ │               failed: timeout; backs off for 1.233s\n"
        " 3.000000  │ │               its back-off ends early\n"
        " 3.000000  │ ● api, try 2    sent\n"
        " 3.000000  │ │ api, try 1    answers 200 after 2s: too late, nobody waits\n"
        " 4.000000  │ │ api, try 2    lost by the network on its way\n"
        " 5.000000  │ │               refused with 503: the queue is full\n"
        " 5.000000  │ │               refused: nobody listens\n"
        " 5.000000  │ │               dropped without an answer\n"
        " 6.000000  │ │               taken from the queue unserved: nobody waits\n"
        " 7.000000  │ │               lost in an outage while it waits, without a word\n"
        " 7.000000  │ │               lost in an outage while it is served\n"
        " 8.000000  │ │               failed: 503; waits for its turn to back off, behind others\n"
        " 9.000000  │ │               answers 500 after 1s\n"
        "12.000000  ● web             is given up: attempts_exhausted (500), 2 attempts, 11s after "
        "its birth\n"
        "\n"
        "3 attempts: 2 at api, 1 at d\xEF\xBF\xBD"
        "b\n";
    struct storm_story story = story_of(LINE_COUNT);
    char *text = told(&story, false);
    assert_string_equal(text, expected);
    free(text);
}

static struct storm_story_attempt later_attempts[] = {
    {.key = 1, .parent = 9, .depth = 1, .number = 1},
    {.key = 2, .parent = 1, .depth = 2, .number = 1, .place = 1, .kind = STORM_STORY_MESSAGE},
    {.key = 3, .parent = 2, .depth = 3, .number = 1, .place = 1, .kind = STORM_STORY_DELIVERY},
    {.key = 4, .parent = 3, .depth = 4, .number = 1},
    {.key = 5, .depth = 0, .number = 2, .kind = STORM_STORY_COPY},
    {.key = 6, .depth = 2, .number = 3, .place = 1, .kind = STORM_STORY_MESSAGE},
};

/* What queues, brakes, effects and copies add. */
static struct storm_story_line later_lines[] = {
    LINE(STORM_NONE, BORN, .time = SEC),
    LINE(STORM_NONE, HELD_BACK, .time = SEC, .reason = STORM_REASON_BREAKER),
    LINE(0, SENT, .time = SEC),
    LINE(0, REFUSED, .time = SEC, .status = 429, .due = 3 * SEC),
    LINE(0, HELD_BACK, .time = SEC, .reason = STORM_REASON_BUDGET),
    LINE(STORM_NONE, BANNED, .time = SEC, .due = 31 * SEC),
    LINE(1, BORN, .time = 2 * SEC, .place = 1),
    LINE(2, DELIVERED, .time = 4 * SEC, .place = 1, .member = 3, .since = 2 * SEC),
    LINE(3, SENT, .time = 4 * SEC),
    LINE(3, EFFECT, .time = 4 * SEC, .level = STORM_EFFECT_FIRST, .attempts = 1),
    LINE(3, EFFECT, .time = 4 * SEC, .level = STORM_EFFECT_SLIPPED, .attempts = 2),
    LINE(3, SUPPRESSED, .time = 5 * SEC, .status = 200),
    LINE(3, SUPPRESSED, .time = 5 * SEC, .status = 409, .level = 1),
    LINE(2, RETURNED, .time = 6 * SEC, .place = 1, .level = STORM_RETURN_REQUEUED, .due = 8 * SEC),
    LINE(2, RETURNED, .time = 6 * SEC, .place = 1, .level = STORM_RETURN_LEASE, .due = 6 * SEC),
    LINE(2, RETURNED, .time = 6 * SEC, .place = 1, .level = STORM_RETURN_CRASHED, .due = 6 * SEC),
    LINE(1, DEAD, .time = 7 * SEC, .place = 1, .since = 2 * SEC, .first_failed = 5 * SEC,
         .attempts = 5, .status = 500, .reason = STORM_REASON_RECEIVES),
    LINE(4, BORN, .time = 8 * SEC, .level = STORM_BIRTH_RESEND),
    LINE(5, BORN, .time = 9 * SEC, .place = 1, .level = STORM_BIRTH_REPLAY),
};

static struct storm_story later_story(void) {
    return (struct storm_story){.member = 7,
                                .ordinal = 3,
                                .key = 9,
                                .born = true,
                                .attempt_count = sizeof later_attempts / sizeof later_attempts[0],
                                .attempts = later_attempts,
                                .line_count = sizeof later_lines / sizeof later_lines[0],
                                .lines = later_lines};
}

static void queues_brakes_effects_and_copies_are_told(void **state) {
    (void)state;
    static const char expected[] =
        "1.000000  ● web                        is born\n"
        "1.000000  ● web                        held back by its own breaker: api is not "
        "asked\n"
        "1.000000  │ ● api, try 1               sent\n"
        "1.000000  │ │                          refused with 429; come back in 2s\n"
        "1.000000  │ │                          no budget for another try at api\n"
        "1.000000  ● web                        banned by api for 30s\n"
        "2.000000  │ │ ● workers, message 1     is in the queue\n"
        "4.000000  │ │ │ ● workers, delivery 1  handed to consumer 3 after 2s in the queue\n"
        "4.000000  │ │ │ │ ● api, try 1         sent\n"
        "4.000000  │ │ │ │ │                    its side effect happens\n"
        "4.000000  │ │ │ │ │                    its side effect happens once more, 2 times in "
        "all: two were at work at once\n"
        "5.000000  │ │ │ │ │                    answers 200 without work: a duplicate\n"
        "5.000000  │ │ │ │ │                    answers 409 without work: taken for a "
        "duplicate "
        "of another request\n"
        "6.000000  │ │ │ │ workers, delivery 1  it is given back: in the queue again, to be "
        "had "
        "in 2s\n"
        "6.000000  │ │ │ │                      its visibility runs out: in the queue again\n"
        "6.000000  │ │ │ │                      its consumer crashes: in the queue again\n"
        "7.000000  │ │ │ workers, message 1     is given up: receives_exhausted (500), 5 "
        "attempts, 5s after its birth\n"
        "8.000000  ● web, copy 2                is sent again by hand\n"
        "9.000000  │ │ ● workers, message 3     is replayed from the dead letters\n"
        "It is still under way when the run ends.\n"
        "\n"
        "2 attempts: 2 at api\n";
    struct storm_story story = later_story();
    char *text = told(&story, false);
    assert_string_equal(strstr(text, "\n\n") + 2, expected);
    free(text);
}

static void objects_say_where_and_why(void **state) {
    (void)state;
    struct storm_story story = later_story();
    char *text = told(&story, true);
    assert_non_null(strstr(text,
                           "\"event\": \"delivered\", \"request\": \"web-7-3\", \"depth\": 3, "
                           "\"where\": \"workers\", \"try\": 1, "));
    assert_non_null(strstr(text, "\"event\": \"banned\", \"request\": \"web-7-3\", \"depth\": 0, "
                                 "\"where\": \"web\""));
    assert_non_null(strstr(text, "\"reason\": \"requeued\", \"since_ns\": null, "
                                 "\"due_ns\": 8000000000, "));
    static const char *const reasons[] = {
        "breaker_open", "budget_exhausted", "first",  "slipped", "duplicate", "mistaken",
        "lease",        "crashed",          "resend", "replay"};
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        char reason[64];
        snprintf(reason, sizeof reason, "\"reason\": \"%s\"", reasons[i]);
        assert_non_null(strstr(text, reason));
    }
    free(text);
}

static void what_is_left_out_or_not_over_is_said(void **state) {
    (void)state;
    struct storm_story story = story_of(2);
    char *text = told(&story, false);
    assert_non_null(strstr(text, "sent\nIt is still under way when the run ends.\n\n3 attempts:"));
    free(text);
    story.cut = story.ended = true;
    text = told(&story, false);
    assert_non_null(strstr(text, "sent\n... (the first 4000 lines of more)\n12.000000  ● web "));
    assert_non_null(strstr(text, "\n3 attempts or more: 2 at api"));
    free(text);
}

static void every_fact_is_an_object_with_the_same_members(void **state) {
    (void)state;
    static const char *const members[] = {
        "t_ns",   "at",     "event",    "request", "depth", "where", "try",  "key",   "parent",
        "status", "reason", "since_ns", "due_ns",  "retry", "ghost", "held", "level", "pace"};
    struct storm_story story = story_of(LINE_COUNT);
    char *text = told(&story, true);
    uint32_t count = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), count++) {
        json_t *object = json_loads(line, 0, NULL);
        uint32_t member = 0;
        const char *key;
        json_t *value;
        assert_non_null(object);
        json_object_foreach(object, key, value) assert_string_equal(key, members[member++]);
        assert_int_equal(member, 18);
        assert_true(json_integer_value(json_object_get(object, "t_ns")) == lines[count].fact.time);
        assert_string_equal(json_string_value(json_object_get(object, "event")),
                            storm_fact_word(lines[count].fact.kind));
        json_decref(object);
    }
    assert_int_equal(count, LINE_COUNT);
    free(text);
}

static void an_object_says_what_applies_and_null_else(void **state) {
    (void)state;
    struct storm_story story = story_of(LINE_COUNT);
    char *text = told(&story, true);
    assert_non_null(strstr(
        text,
        "{\"t_ns\": 2100000000, \"at\": \"1970-01-01T00:00:02.100000000Z\", \"event\": "
        "\"backed_off\", \"request\": \"web-7-3\", \"depth\": 1, \"where\": \"api\", \"try\": "
        "1, \"key\": \"0000000000000001\", \"parent\": \"0000000000000009\", \"status\": "
        "\"timeout\", \"reason\": null, \"since_ns\": null, \"due_ns\": 3333333333, "
        "\"retry\": false, \"ghost\": false, \"held\": null, \"level\": null, \"pace\": null}\n"));
    assert_non_null(
        strstr(text, "\"event\": \"cancelled\", \"request\": \"web-7-3\", \"depth\": 2"));
    assert_non_null(strstr(text, "\"held\": \"worker\", \"level\": null, "));
    assert_non_null(strstr(text, "\"depth\": 0, \"where\": \"web\", \"try\": null"));
    assert_non_null(strstr(text, "\"reason\": \"attempts_exhausted\", \"since_ns\": 1000000000"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_is_a_line),
        cmocka_unit_test(queues_brakes_effects_and_copies_are_told),
        cmocka_unit_test(objects_say_where_and_why),
        cmocka_unit_test(what_is_left_out_or_not_over_is_said),
        cmocka_unit_test(every_fact_is_an_object_with_the_same_members),
        cmocka_unit_test(an_object_says_what_applies_and_null_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
