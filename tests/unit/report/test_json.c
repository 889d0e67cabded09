/* test_json.c: results written as JSON and read back. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"
#include "support/test.h"
#include "unit/report/sample.h"

enum { ROOM = 64 << 20 };

/* The sample, its JSON, and an arena to read into. */
struct fixture {
    struct sample sample;
    struct arena arena;
    struct storm_error error;
    char *text;
};

static int fixture_open(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    sample_init(&fixture->sample);
    fixture->sample.variants[1].alarm_count = 2;
    arena_init(&fixture->arena, ROOM);
    fixture->text = sample_written(report_write_json, &fixture->sample.results);
    *state = fixture;
    return 0;
}

static int fixture_close(void **state) {
    struct fixture *fixture = *state;
    arena_free(&fixture->arena);
    free(fixture->text);
    free(fixture);
    return 0;
}

static struct storm_results *parse(struct fixture *fixture, const char *text) {
    fixture->error = (struct storm_error){0};
    return report_parse_json(text, strlen(text), &fixture->arena, &fixture->error);
}

/* The sample's JSON with the first `old` after `anchor` replaced; to be freed. */
static char *edited(const struct fixture *fixture, const char *anchor, const char *old,
                    const char *new) {
    const char *from = strstr(fixture->text, anchor);
    assert_non_null(from);
    const char *found = strstr(from, old);
    assert_non_null(found);
    size_t size = strlen(fixture->text) + strlen(new) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%.*s%s%s", (int)(found - fixture->text), fixture->text, new,
             found + strlen(old));
    return text;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void the_file_begins_with_schema_version_and_scenario(void **state) {
    struct fixture *fixture = *state;
    static const char head[] =
        "{\n \"schema\": \"retrystorm.result/1\",\n \"version\": \"" STORM_VERSION
        "\",\n \"scenario\": {\n  \"title\": \"Ten thousand";
    assert_memory_equal(fixture->text, head, sizeof head - 1);
}

static void every_promised_key_is_there(void **state) {
    struct fixture *fixture = *state;
    static const char *const top[] = {"schema",    "version",  "scenario",   "seed",
                                      "runs",      "complete", "duration_s", "bin_width_s",
                                      "bin_count", "variants"};
    static const char *const inner[] = {"name",         "runs_done", "verdict", "verdict_per_run",
                                        "digest",       "metrics",   "series",  "ghost_run",
                                        "ghost_series", "spans",     "alarms",  "settings"};
    static const char *const metric[] = {"unit", "help", "better", "bimodal", "applies", "mean",
                                         "lo",   "hi",   "median", "min",     "max",     "per_run"};
    json_t *root = json_loads(fixture->text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    assert_int_equal(json_object_size(root), sizeof top / sizeof top[0]);
    for (size_t i = 0; i < sizeof top / sizeof top[0]; i++)
        assert_non_null(json_object_get(root, top[i]));
    json_t *variant = json_array_get(json_object_get(root, "variants"), 0);
    assert_int_equal(json_object_size(variant), sizeof inner / sizeof inner[0]);
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
        assert_non_null(json_object_get(variant, inner[i]));
    json_t *dead = json_object_get(json_object_get(variant, "metrics"), "dead_letters");
    assert_int_equal(json_object_size(dead), sizeof metric / sizeof metric[0]);
    for (size_t i = 0; i < sizeof metric / sizeof metric[0]; i++)
        assert_non_null(json_object_get(dead, metric[i]));
    json_decref(root);
}

static void verdicts_are_counted_by_word_and_listed_by_run(void **state) {
    struct fixture *fixture = *state;
    assert_non_null(strstr(
        fixture->text,
        "\"verdict\": {\"not applicable\": 0, \"unharmed\": 1, \"recovered\": 3, \"degraded\": 0, "
        "\"stuck\": 0, \"too short to tell\": 0},\n   "
        "\"verdict_per_run\": [\"recovered\", \"recovered\", \"unharmed\", \"recovered\"],\n   "
        "\"digest\": \"00fedcba98765433\""));
}

static void spans_and_settings_are_written(void **state) {
    struct fixture *fixture = *state;
    assert_non_null(strstr(fixture->text, "{\"label\": \"outage\", \"subject\": \"api\", "
                                          "\"from_s\": 60, \"to_s\": 80.000000001, "
                                          "\"kind\": \"fault\"}"));
    assert_non_null(strstr(fixture->text, "\"from_s\": 0, \"to_s\": null, "));
    assert_non_null(strstr(fixture->text, "\"subject\": \"web\", \"from_s\": 90, \"to_s\": 90, "
                                          "\"kind\": \"action\"}"));
    assert_non_null(strstr(fixture->text, "\"services.api.queue.limit\": \"800\""));
}

static void alarms_are_written_and_read(void **state) {
    struct fixture *fixture = *state;
    assert_non_null(strstr(fixture->text, "\"alarms\": [],"));
    assert_non_null(strstr(fixture->text, "{\"queue\": \"web.dead\", \"rule\": \"age > 1h\", "
                                          "\"first_letter_s\": 63, \"raised_s\": 3663}"));
    struct storm_results *read = parse(fixture, fixture->text);
    assert_non_null(read);
    assert_true(read->variants[0].alarm_count == 0 && read->variants[1].alarm_count == 2);
    assert_string_equal(read->variants[1].alarms[0].rule, "depth > 0");
    assert_string_equal(read->variants[1].alarms[1].queue, "web.dead");
    assert_true(read->variants[1].alarms[1].raised == 3663 * STORM_SECOND);
}

static void comparisons_are_written_and_read(void **state) {
    struct fixture *fixture = *state;
    struct sample sample;
    sample_init(&sample);
    sample_compare(&sample);
    assert_null(strstr(fixture->text, "comparisons"));
    char *text = sample_written(report_write_json, &sample.results);
    assert_non_null(strstr(
        text, "\"comparisons\": [\n  {\n   \"reference\": \"no-backoff\",\n   "
              "\"reference_index\": 0,\n   \"other\": \"full-jitter\",\n   "
              "\"other_index\": 1,\n   \"differences\": {\n    \"recovers\": {\"unit\": "
              "\"share\", \"better\": \"higher\", \"reference\": 0, \"other\": 1, "
              "\"difference\": 1, \"lo\": 0.5, \"hi\": 1, \"p\": 0.004, \"tolerance\": 0.01, "
              "\"pairs\": 4, \"exact\": true, \"change\": \"better\"},"));
    assert_non_null(strstr(text, "\"lo\": null, \"hi\": null, "));
    struct storm_results *read = parse(fixture, text);
    assert_non_null(read);
    assert_int_equal(read->comparison_count, 3);
    assert_true(read->comparisons[2].reference == 1 && read->comparisons[2].other == 2);
    assert_ptr_equal(storm_results_ranking(read, 2, 1, "recovers"),
                     read->comparisons[2].differences);
    assert_null(storm_results_ranking(read, 0, 1, "recovers"));
    const struct storm_difference *difference =
        storm_comparison_difference(&read->comparisons[1], "dead_letters");
    assert_int_equal(difference->change, STORM_CHANGE_INCONCLUSIVE);
    assert_true(isnan(difference->lo) && difference->pairs == 4 && !difference->exact);
    char *again = sample_written(report_write_json, read);
    assert_string_equal(again, text);
    free(again);
    free(text);
}

static void comparisons_that_cannot_be_are_refused(void **state) {
    struct fixture *fixture = *state;
    static const char *const edits[][3] = {
        {"\"other_index\": 2", "\"other_index\": 3", "comparisons[1].other_index"},
        {"\"other_index\": 2", "\"other_index\": 0", "comparisons[1]"},
        {"\"change\": \"better\"", "\"change\": \"good\"",
         "comparisons[0].differences.recovers.change"},
        {"\"pairs\": 4", "\"pairs\": 5", "comparisons[0].differences.recovers.pairs"},
        {"\"exact\": true", "\"exact\": 1", "comparisons[0].differences.recovers.exact"},
    };
    struct sample sample;
    sample_init(&sample);
    sample_compare(&sample);
    char *text = sample_written(report_write_json, &sample.results);
    struct fixture whole = {.text = text};
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char *broken = edited(&whole, "\"comparisons\"", edits[i][0], edits[i][1]);
        assert_null(parse(fixture, broken));
        assert_int_equal(fixture->error.status, STORM_INVALID);
        assert_string_equal(fixture->error.path, edits[i][2]);
        free(broken);
    }
    free(text);
}

/* Files of before said neither what a span is nor that there are alarms. */
static void older_files_have_faults_and_no_alarms(void **state) {
    struct fixture *fixture = *state;
    char *text = edited(fixture, "{", ", \"kind\": \"action\"", "");
    char *alarms = strstr(text, "\"alarms\": [],");
    assert_non_null(alarms);
    memset(alarms, ' ', strlen("\"alarms\": [],"));
    struct storm_results *read = parse(fixture, text);
    assert_non_null(read);
    assert_int_equal(read->variants[0].spans[2].kind, STORM_SPAN_FAULT);
    assert_int_equal(read->variants[1].spans[2].kind, STORM_SPAN_ACTION);
    free(text);
}

static void a_seed_that_a_double_cannot_hold_is_a_string(void **state) {
    struct fixture *fixture = *state;
    static const struct {
        uint64_t seed;
        const char *expected;
    } cases[] = {
        {0, "\"seed\": 0,"},
        {UINT64_C(9007199254740992), "\"seed\": 9007199254740992,"},
        {UINT64_C(9007199254740993), "\"seed\": \"9007199254740993\","},
        {UINT64_MAX, "\"seed\": \"18446744073709551615\","},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture->sample.results.seed = cases[i].seed;
        char *text = sample_written(report_write_json, &fixture->sample.results);
        assert_non_null(strstr(text, cases[i].expected));
        struct storm_results *read = parse(fixture, text);
        assert_non_null(read);
        assert_true(read->seed == cases[i].seed);
        free(text);
    }
}

/* ---- reading back ---------------------------------------------------------------------------- */

static void reading_and_writing_again_gives_the_same_bytes(void **state) {
    struct fixture *fixture = *state;
    struct storm_results *read = parse(fixture, fixture->text);
    assert_string_equal(fixture->error.message, "");
    assert_non_null(read);
    char *again = sample_written(report_write_json, read);
    assert_string_equal(again, fixture->text);
    free(again);
}

static void what_is_read_is_what_was_written(void **state) {
    struct fixture *fixture = *state;
    const struct storm_results *read = parse(fixture, fixture->text);
    assert_non_null(read);
    assert_string_equal(read->file, "01-thundering-herd.yaml");
    assert_string_equal(read->hash, "0123456789abcdef");
    assert_true(read->duration == 240 * STORM_SECOND && read->bin_width == STORM_SECOND / 2);
    assert_int_equal(read->variant_count, SAMPLE_VARIANTS);
    const struct storm_variant *last = &read->variants[2];
    assert_string_equal(last->name, "exp, \"plain\"");
    assert_int_equal(last->verdicts[STORM_VERDICT_STUCK], 3);
    assert_int_equal(last->verdict_per_run[1], STORM_VERDICT_RECOVERED);
    assert_true(last->digest == UINT64_C(0x00FEDCBA98765434));
    assert_int_equal(last->ghost_run, 1);
    assert_true(last->ghost_series[1].values[2] == 1e99);
    assert_true(isnan(last->series[1].values[0]));
    assert_true(last->spans[0].to == 80 * STORM_SECOND + 1 && last->spans[1].to == STORM_NEVER);
    assert_string_equal(last->settings[0].value, "exponential");
    assert_int_equal(read->variants[0].ghost_run, UINT32_MAX);
    const struct storm_metric *metric = &last->metrics[2];
    assert_string_equal(metric->name, "success_share");
    assert_int_equal(metric->better, STORM_BETTER_HIGHER);
    assert_true(metric->mean == 1.0 / 3.0 && metric->per_run[3] == 1.0 / 3.0);
}

static void overrides_and_help_are_read_back(void **state) {
    struct fixture *fixture = *state;
    fixture->sample.results.overrides = "faults.0.for=30s, policies.app.delay=\"x\"";
    char *text = sample_written(report_write_json, &fixture->sample.results);
    const struct storm_results *read = parse(fixture, text);
    assert_non_null(read);
    assert_string_equal(read->overrides, fixture->sample.results.overrides);
    assert_string_equal(read->variants[0].metrics[0].help, "of any service");
    assert_string_equal(read->variants[0].metrics[1].help, "");
    free(text);
}

/* Files written before the two keys existed. */
static void a_file_without_overrides_and_help_is_read(void **state) {
    struct fixture *fixture = *state;
    static const char *const keys[] = {"\"overrides\":", "\"help\":"};
    static const char *const others[] = {"\"elsewhere\":", "\"hulp\":"};
    for (int i = 0; i < 2; i++) {
        char *text = edited(fixture, "{", keys[i], others[i]);
        const struct storm_results *read = parse(fixture, text);
        assert_non_null(read);
        assert_string_equal(read->overrides, "");
        assert_string_equal(read->variants[0].metrics[0].help, i == 0 ? "of any service" : "");
        free(text);
    }
    char *text = edited(fixture, "{", "\"overrides\": \"\"", "\"overrides\": 1");
    assert_null(parse(fixture, text));
    assert_string_equal(fixture->error.message,
                        "scenario.overrides must be a string, not a number");
    free(text);
}

static void empty_results_are_read_back_too(void **state) {
    struct fixture *fixture = *state;
    struct storm_results empty = {
        .title = "", .file = "x", .hash = "00000000000000ff", .bin_count = 0};
    char *text = sample_written(report_write_json, &empty);
    struct storm_results *read = parse(fixture, text);
    assert_non_null(read);
    char *again = sample_written(report_write_json, read);
    assert_string_equal(again, text);
    free(again);
    free(text);
}

static void a_run_that_was_not_done_stays_unknown(void **state) {
    struct fixture *fixture = *state;
    struct storm_variant *variant = &fixture->sample.variants[0];
    fixture->sample.results.complete = false;
    variant->runs_done = variant->verdicts[STORM_VERDICT_STUCK] = 3;
    variant->verdict_per_run[2] = UINT8_MAX;
    char *text = sample_written(report_write_json, &fixture->sample.results);
    struct storm_results *read = parse(fixture, text);
    assert_non_null(read);
    assert_false(read->complete);
    assert_int_equal(read->variants[0].verdict_per_run[2], UINT8_MAX);
    char *again = sample_written(report_write_json, read);
    assert_string_equal(again, text);
    free(again);
    free(text);
}

static void times_of_any_length_survive(void **state) {
    struct fixture *fixture = *state;
    uint64_t random = 88172645463325252;
    for (int i = 0; i < 4000; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        fixture->sample.spans[0].from = 0;
        fixture->sample.spans[0].to = (storm_time)(random >> (2 + random % 60));
        struct storm_results results = fixture->sample.results;
        struct storm_variant variant = {
            .name = "v", .ghost_run = UINT32_MAX, .span_count = 1, .spans = fixture->sample.spans};
        results.runs = 0;
        results.variants = &variant;
        results.variant_count = 1;
        char *text = sample_written(report_write_json, &results);
        struct storm_results *read = parse(fixture, text);
        assert_non_null(read);
        if (variant.spans[0].to < (storm_time)1 << 52)
            assert_true(read->variants[0].spans[0].to == variant.spans[0].to);
        char *again = sample_written(report_write_json, read);
        assert_string_equal(again, text);
        free(again);
        free(text);
        arena_free(&fixture->arena);
    }
}

static void keys_of_a_later_program_are_passed_over(void **state) {
    struct fixture *fixture = *state;
    char *text = edited(fixture, "\"seed\"", "\"seed\"", "\"color\": [1, {\"a\": null}], \"seed\"");
    struct storm_results *read = parse(fixture, text);
    assert_non_null(read);
    char *again = sample_written(report_write_json, read);
    assert_string_equal(again, fixture->text);
    free(again);
    free(text);
}

/* ---- refusing -------------------------------------------------------------------------------- */

struct refusal {
    const char *anchor, *old, *new;
    const char *path, *message;
};

static const struct refusal refusals[] = {
    {"{", "retrystorm.result/1", "retrystorm.result/2", "schema",
     "schema is 'retrystorm.result/2', and this program reads retrystorm.result/1"},
    {"{", "\"retrystorm.result/1\"", "1", "schema",
     "schema must be \"retrystorm.result/1\", not a number"},
    {"{", "\"schema\"", "\"scheme\"", "schema", "schema is missing"},
    {"{", "\"runs\": 4", "\"runs\": -1", "runs", "runs must be a whole number from 0 to 100000000"},
    {"{", "\"runs\": 4", "\"runs\": 4.5", "runs",
     "runs must be a whole number from 0 to 100000000"},
    {"{", "\"runs\": 4", "\"runs\": \"4\"", "runs", "runs must be a whole number, not a string"},
    {"{", "\"runs\": 4", "\"runs\": 3", "variants[0].runs_done",
     "variants[0].runs_done must be a whole number from 0 to 3"},
    {"{", "\"runs\": 4", "\"runs\": 5", "variants[0].verdict_per_run",
     "variants[0].verdict_per_run must have 5 values, not 4"},
    {"{", "\"seed\": 1", "\"seed\": 1.5", "seed", "seed must be a whole number below 2^64"},
    {"{", "\"seed\": 1", "\"seed\": 1e16", "seed", "seed must be a whole number below 2^64"},
    {"{", "\"seed\": 1", "\"seed\": \"18446744073709551616\"", "seed",
     "seed must be a whole number below 2^64"},
    {"{", "\"seed\": 1", "\"seed\": \"-1\"", "seed", "seed must be a whole number below 2^64"},
    {"{", "\"complete\": true", "\"complete\": 1", "complete",
     "complete must be true or false, not a number"},
    {"{", "0123456789abcdef", "0123456789abcdeX", "scenario.hash",
     "scenario.hash must be 16 hexadecimal digits"},
    {"{", "\"duration_s\": 240", "\"duration_s\": -1", "duration_s",
     "duration_s must not be negative"},
    {"{", "\"bin_width_s\": 0.5", "\"bin_width_s\": 0", "bin_width_s",
     "bin_width_s must be above 0, and bin_count bins of it a time"},
    {"{", "\"bin_width_s\": 0.5", "\"bin_width_s\": 1e300", "bin_width_s",
     "bin_width_s must be above 0, and bin_count bins of it a time"},
    {"{", "\"bin_count\": 3", "\"bin_count\": 2", "variants[0].series[0].values",
     "variants[0].series[0].values must have 2 values, not 3"},
    {"\"variants\"", "\"name\": \"no-backoff\"", "\"name\": null", "variants[0].name",
     "variants[0].name must be a string, not null"},
    {"\"variants\"", "\"stuck\": 4", "\"stuck\": 3", "variants[0].verdict",
     "variants[0].verdict adds up to 3, not to runs_done (4)"},
    {"full-jitter\",", "\"recovered\", \"unharmed\"", "\"recovered\", \"lost\"",
     "variants[1].verdict_per_run[2]", "variants[1].verdict_per_run[2] is no verdict: 'lost'"},
    {"full-jitter\",", "\"metrics\": {", "\"metrics\": [], \"m\": {", "variants[1].metrics",
     "variants[1].metrics must be an object, not an array"},
    {"\"dead_letters\"", "\"mean\": 9420.4", "\"mean\": \"9420.4\"",
     "variants[0].metrics.dead_letters.mean",
     "variants[0].metrics.dead_letters.mean must be a number or null, not a string"},
    {"\"dead_letters\"", "\"better\": \"lower\"", "\"better\": \"less\"",
     "variants[0].metrics.dead_letters.better",
     "variants[0].metrics.dead_letters.better must be lower, higher or neither, not 'less'"},
    {"\"dead_letters\"", "\"applies\": 4", "\"applies\": 5",
     "variants[0].metrics.dead_letters.applies",
     "variants[0].metrics.dead_letters.applies must be a whole number from 0 to 4"},
    {"\"knock_downs\"", "[15, 15,", "[15, true,", "variants[0].metrics.knock_downs.per_run[1]",
     "variants[0].metrics.knock_downs.per_run[1] must be a number or null, not true"},
    {"{", "\"ghost_run\": 1", "\"ghost_run\": 4", "variants[2].ghost_run",
     "variants[2].ghost_run must be below runs (4)"},
    {"{", "\"ghost_run\": 1", "\"ghost_run\": null", "variants[2].ghost_series",
     "variants[2].ghost_series must be empty when ghost_run is null"},
    {"{", "\"from_s\": 60", "\"from_s\": 90", "variants[0].spans[0]",
     "variants[0].spans[0] must not end before it begins"},
    {"{", "\"kind\": \"action\"", "\"kind\": \"act\"", "variants[0].spans[2].kind",
     "variants[0].spans[2].kind must be fault or action, not 'act'"},
    {"{", "\"raised_s\": 63}", "\"raised_s\": 62}", "variants[1].alarms[0]",
     "variants[1].alarms[0] must not go off before its first letter"},
    {"\"settings\"", "\"40\"", "40", "variants[0].settings.services.api.workers",
     "variants[0].settings.services.api.workers must be a string, not a number"},
};

static void each_wrong_value_is_refused_with_its_path(void **state) {
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct refusal *refusal = &refusals[i];
        char *text = edited(fixture, refusal->anchor, refusal->old, refusal->new);
        assert_null(parse(fixture, text));
        assert_string_equal(fixture->error.message, refusal->message);
        assert_string_equal(fixture->error.path, refusal->path);
        assert_int_equal(fixture->error.status, STORM_INVALID);
        free(text);
    }
}

static void each_missing_key_is_refused_with_its_path(void **state) {
    struct fixture *fixture = *state;
    static const char *const keys[] = {"scenario",
                                       "title",
                                       "question",
                                       "file",
                                       "hash",
                                       "seed",
                                       "runs",
                                       "complete",
                                       "duration_s",
                                       "bin_width_s",
                                       "bin_count",
                                       "variants",
                                       "name",
                                       "runs_done",
                                       "verdict",
                                       "too short to tell",
                                       "verdict_per_run",
                                       "digest",
                                       "metrics",
                                       "unit",
                                       "better",
                                       "bimodal",
                                       "applies",
                                       "mean",
                                       "lo",
                                       "hi",
                                       "median",
                                       "min",
                                       "max",
                                       "per_run",
                                       "series",
                                       "subject",
                                       "values",
                                       "ghost_series",
                                       "spans",
                                       "label",
                                       "from_s",
                                       "to_s",
                                       "settings"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char old[40], new[40];
        snprintf(old, sizeof old, "\"%s\":", keys[i]);
        snprintf(new, sizeof new, "\"%s!\":", keys[i]);
        char *text = edited(fixture, "{", old, new);
        assert_null(parse(fixture, text));
        assert_non_null(strstr(fixture->error.message, " is missing"));
        assert_string_equal(fixture->error.path + strlen(fixture->error.path) - strlen(keys[i]),
                            keys[i]);
        free(text);
    }
}

static void broken_syntax_is_refused_with_line_and_column(void **state) {
    struct fixture *fixture = *state;
    static const struct {
        const char *text;
        int line, column;
    } cases[] = {
        {"", 1, 0},
        {"{\n \"a\": ]\n}", 2, 7},
        {"{}x", 1, 3},
        {"{\"a\": 1e999}", 1, 11},
        {"{\"a\": 1,\n \"a\": 2}", 2, 4},
        {"\"\xFF\"", 1, 1},
        {"{\"a\": NaN}", 1, 9},
        {"[\"\\u0000\"]", 1, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_null(parse(fixture, cases[i].text));
        assert_int_equal(fixture->error.status, STORM_INVALID);
        assert_memory_equal(fixture->error.message, "no valid JSON: ", 15);
        assert_int_equal(fixture->error.line, cases[i].line);
        assert_int_equal(fixture->error.column, cases[i].column);
    }
}

static void another_kind_of_document_is_refused(void **state) {
    struct fixture *fixture = *state;
    assert_null(parse(fixture, "[]"));
    assert_string_equal(fixture->error.message, "the document must be an object, not an array");
    assert_null(parse(fixture, "{}"));
    assert_string_equal(fixture->error.message, "schema is missing");
}

static void every_prefix_of_a_file_is_refused(void **state) {
    struct fixture *fixture = *state;
    size_t length = strlen(fixture->text) - 2; /* without its last brace */
    for (size_t cut = 0; cut <= length; cut += 7) {
        assert_null(report_parse_json(fixture->text, cut, &fixture->arena, &fixture->error));
        assert_int_equal(fixture->error.status, STORM_INVALID);
    }
}

static void deep_nesting_is_refused_and_does_not_overflow_the_stack(void **state) {
    struct fixture *fixture = *state;
    enum { DEPTH = 1000000 };
    char *text = malloc(DEPTH + 1);
    assert_non_null(text);
    memset(text, '[', DEPTH);
    text[DEPTH] = '\0';
    assert_null(parse(fixture, text));
    assert_int_equal(fixture->error.status, STORM_INVALID);
    free(text);
}

static void a_document_that_would_fill_the_memory_is_refused(void **state) {
    struct fixture *fixture = *state;
    enum { LENGTH = 64 << 20 };
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, ',', LENGTH);
    for (size_t i = 0; i < LENGTH; i += 3)
        memcpy(text + i, "{},", LENGTH - i < 3 ? LENGTH - i : 3);
    text[0] = '[';
    text[LENGTH] = '\0';
    assert_null(parse(fixture, text));
    assert_int_equal(fixture->error.status, STORM_LIMIT);
    assert_string_equal(fixture->error.message, "the document is too large");
    free(text);
}

static void a_full_arena_is_a_limit(void **state) {
    struct fixture *fixture = *state;
    bool read = false;
    for (size_t limit = 0; !read; limit += 64) {
        struct arena arena;
        struct storm_error error = {0};
        arena_init(&arena, limit);
        read = report_parse_json(fixture->text, strlen(fixture->text), &arena, &error) != NULL;
        assert_true(read || error.status == STORM_LIMIT);
        arena_free(&arena);
        assert_true(limit < ROOM);
    }
}

static void a_file_is_read_whole(void **state) {
    struct fixture *fixture = *state;
    char path[] = "/tmp/result-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    size_t length = strlen(fixture->text);
    assert_int_equal(write(descriptor, fixture->text, length), length);
    close(descriptor);
    struct storm_results *read = report_read_json(path, &fixture->arena, &fixture->error);
    unlink(path);
    assert_non_null(read);
    char *again = sample_written(report_write_json, read);
    assert_string_equal(again, fixture->text);
    free(again);
}

static void a_file_that_cannot_be_read_is_named(void **state) {
    struct fixture *fixture = *state;
    assert_null(report_read_json("/nowhere/r.json", &fixture->arena, &fixture->error));
    assert_int_equal(fixture->error.status, STORM_IO);
    assert_string_equal(fixture->error.message,
                        "cannot read '/nowhere/r.json': No such file or directory");
    assert_null(report_read_json("/tmp", &fixture->arena, &fixture->error));
    assert_string_equal(fixture->error.message, "cannot read '/tmp': Is a directory");
}

#define WITH_SAMPLE(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_SAMPLE(the_file_begins_with_schema_version_and_scenario),
        WITH_SAMPLE(every_promised_key_is_there),
        WITH_SAMPLE(verdicts_are_counted_by_word_and_listed_by_run),
        WITH_SAMPLE(spans_and_settings_are_written),
        WITH_SAMPLE(alarms_are_written_and_read),
        WITH_SAMPLE(comparisons_are_written_and_read),
        WITH_SAMPLE(comparisons_that_cannot_be_are_refused),
        WITH_SAMPLE(older_files_have_faults_and_no_alarms),
        WITH_SAMPLE(a_seed_that_a_double_cannot_hold_is_a_string),
        WITH_SAMPLE(reading_and_writing_again_gives_the_same_bytes),
        WITH_SAMPLE(what_is_read_is_what_was_written),
        WITH_SAMPLE(overrides_and_help_are_read_back),
        WITH_SAMPLE(a_file_without_overrides_and_help_is_read),
        WITH_SAMPLE(empty_results_are_read_back_too),
        WITH_SAMPLE(a_run_that_was_not_done_stays_unknown),
        WITH_SAMPLE(times_of_any_length_survive),
        WITH_SAMPLE(keys_of_a_later_program_are_passed_over),
        WITH_SAMPLE(each_wrong_value_is_refused_with_its_path),
        WITH_SAMPLE(each_missing_key_is_refused_with_its_path),
        WITH_SAMPLE(broken_syntax_is_refused_with_line_and_column),
        WITH_SAMPLE(another_kind_of_document_is_refused),
        WITH_SAMPLE(every_prefix_of_a_file_is_refused),
        WITH_SAMPLE(deep_nesting_is_refused_and_does_not_overflow_the_stack),
        WITH_SAMPLE(a_document_that_would_fill_the_memory_is_refused),
        WITH_SAMPLE(a_full_arena_is_a_limit),
        WITH_SAMPLE(a_file_is_read_whole),
        WITH_SAMPLE(a_file_that_cannot_be_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
