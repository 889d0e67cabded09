/* test_dead_letter.c: the line that a dead request becomes. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/policy.h>

#include "report/dead_letter.h"
#include "support/test.h"

static struct storm_population populations[] = {
    {.name = "web", .call = {.to_name = "api"}, .dead_letter_queue = "web-dlq"},
    {.name = "a \"name\"", .call = {.to_name = "api"}},
    {.name = "workers",
     .arrival = STORM_ARRIVAL_QUEUE,
     .call = {.to_name = "db"},
     .dead_letter_queue = "orders.dead"},
};

static const struct storm_scenario scenario = {
    .epoch = INT64_C(1704067200000000000), /* 2024-01-01 */
    .population_count = 3,
    .populations = populations,
};

static struct storm_fact fact_dead(void) {
    return (struct storm_fact){.kind = STORM_FACT_DEAD,
                               .place = 0,
                               .time = 90 * STORM_SECOND + 7,
                               .since = 60 * STORM_SECOND,
                               .first_failed = 62 * STORM_SECOND,
                               .key = 0xABCDEF,
                               .member = 12,
                               .ordinal = 3,
                               .attempts = 8,
                               .status = 503,
                               .reason = STORM_REASON_ATTEMPTS};
}

/* The lines for `count` facts, to be freed. */
static char *lines_of(const struct storm_fact *facts, size_t count, uint64_t expected_count) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    struct dead_letter_sink sink = {.out = stream, .scenario = &scenario};
    for (size_t i = 0; i < count; i++)
        dead_letter_hear(&sink, &facts[i]);
    fclose(stream);
    assert_int_equal(sink.count, expected_count);
    char *copy = strdup(text);
    free(text);
    return copy;
}

static void a_dead_request_is_one_line_of_eleven_fields(void **state) {
    (void)state;
    struct storm_fact fact = fact_dead();
    char *line = lines_of(&fact, 1, 1);
    assert_string_equal(
        line,
        "{\"msg_id\": \"web-12-3\", "
        "\"original\": {\"population\": \"web\", \"member\": 12, \"ordinal\": 3, \"to\": \"api\", "
        "\"born_at\": \"2024-01-01T00:01:00.000000000Z\"}, "
        "\"reason\": \"attempts_exhausted\", \"status\": 503, \"class\": \"system\", \"attempts\": "
        "8, "
        "\"received_at\": \"2024-01-01T00:01:00.000000000Z\", "
        "\"first_failed_at\": \"2024-01-01T00:01:02.000000000Z\", "
        "\"last_failed_at\": \"2024-01-01T00:01:30.000000007Z\", "
        "\"trace_id\": \"0000000000abcdef8d3d9336ff23aa91\", \"queue\": \"web-dlq\"}\n");
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    assert_int_equal(json_object_size(object), 11);
    json_decref(object);
    free(line);
}

static void other_facts_are_passed_over(void **state) {
    (void)state;
    struct storm_fact facts[] = {fact_dead(), fact_dead(), fact_dead()};
    facts[0].kind = STORM_FACT_SUCCEEDED;
    facts[2].kind = STORM_FACT_CRASHED;
    facts[2].place = 77;
    char *lines = lines_of(facts, 3, 1);
    assert_ptr_equal(strchr(lines, '\n'), lines + strlen(lines) - 1);
    free(lines);
}

static void the_status_tells_data_from_system(void **state) {
    (void)state;
    static const struct {
        uint16_t status;
        const char *expected;
    } cases[] = {
        {STORM_OUTCOME_REFUSED, "\"status\": \"refused\", \"class\": \"system\""},
        {STORM_OUTCOME_RESET, "\"status\": \"reset\", \"class\": \"system\""},
        {STORM_OUTCOME_REJECTED, "\"status\": \"rejected\", \"class\": \"system\""},
        {STORM_OUTCOME_TIMEOUT, "\"status\": \"timeout\", \"class\": \"system\""},
        {0, "\"status\": null, \"class\": \"system\""},
        {400, "\"status\": 400, \"class\": \"data\""},
        {408, "\"status\": 408, \"class\": \"system\""},
        {429, "\"status\": 429, \"class\": \"system\""},
        {499, "\"status\": 499, \"class\": \"data\""},
        {399, "\"status\": 399, \"class\": \"system\""},
        {500, "\"status\": 500, \"class\": \"system\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct storm_fact fact = fact_dead();
        fact.status = cases[i].status;
        char *line = lines_of(&fact, 1, 1);
        assert_non_null(strstr(line, cases[i].expected));
        free(line);
    }
}

static void every_reason_is_written_with_its_word(void **state) {
    (void)state;
    static const char *const words[] = {
#define WORD(name, word) "\"reason\": \"" word "\"",
        STORM_REASON_MAP(WORD)
#undef WORD
    };
    for (uint8_t reason = 0; reason < STORM_REASON_COUNT; reason++) {
        struct storm_fact fact = fact_dead();
        fact.reason = reason;
        if (reason == STORM_REASON_LOST)
            continue; /* there is no letter */
        char *line = lines_of(&fact, 1, 1);
        assert_non_null(strstr(line, words[reason]));
        free(line);
    }
}

static void of_what_a_broker_lost_there_is_no_letter(void **state) {
    (void)state;
    struct storm_fact fact = fact_dead();
    fact.reason = STORM_REASON_LOST;
    free(lines_of(&fact, 1, 0));
}

static void a_consumers_letter_names_the_clients_request(void **state) {
    (void)state;
    struct storm_fact fact = fact_dead();
    fact.place = 2;
    fact.origin = 0;
    char *line = lines_of(&fact, 1, 1);
    assert_non_null(strstr(line, "{\"msg_id\": \"web-12-3\", \"original\": {\"population\": "
                                 "\"web\", \"member\": 12, \"ordinal\": 3, \"to\": \"api\", "));
    assert_non_null(strstr(line, "\"queue\": \"orders.dead\"}\n"));
    free(line);
}

static void a_population_without_a_queue_names_its_own(void **state) {
    (void)state;
    struct storm_fact fact = fact_dead();
    fact.place = 1;
    char *line = lines_of(&fact, 1, 1);
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "queue")), "a \"name\"");
    assert_string_equal(json_string_value(json_object_get(object, "msg_id")), "a \"name\"-12-3");
    json_decref(object);
    free(line);
}

static void two_keys_have_two_traces(void **state) {
    (void)state;
    struct storm_fact facts[] = {fact_dead(), fact_dead()};
    facts[1].key++;
    char *lines = lines_of(facts, 2, 2);
    const char *first = strstr(lines, "\"trace_id\": \"");
    const char *second = strstr(first + 1, "\"trace_id\": \"");
    assert_int_equal(strcspn(first + 13, "\""), 32);
    assert_memory_not_equal(first + 13 + 16, second + 13 + 16, 16);
    free(lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dead_request_is_one_line_of_eleven_fields),
        cmocka_unit_test(other_facts_are_passed_over),
        cmocka_unit_test(the_status_tells_data_from_system),
        cmocka_unit_test(every_reason_is_written_with_its_word),
        cmocka_unit_test(of_what_a_broker_lost_there_is_no_letter),
        cmocka_unit_test(a_consumers_letter_names_the_clients_request),
        cmocka_unit_test(a_population_without_a_queue_names_its_own),
        cmocka_unit_test(two_keys_have_two_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
