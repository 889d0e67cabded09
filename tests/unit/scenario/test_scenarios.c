/* test_scenarios.c: every scenario that we ship loads, says what it is for, and survives being
   damaged. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <dirent.h>

#include "unit/scenario/rig.h"

static const char folder[] = STORM_SOURCE_DIR "/scenarios/";

typedef void visitor(const char *path);

static void each_scenario(visitor *visit) {
    int count = 0;
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
        char path[512];
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        visit(path);
        count++;
    }
    closedir(files);
    assert_true(count >= 4);
}

static struct storm_document *read_good(const char *path) {
    struct storm_errors errors = {.count = 0};
    struct storm_document *document = storm_document_read(path, &errors);
    if (document == NULL)
        fail_msg("%s:%d: %s", path, errors.list[0].line, errors.list[0].message);
    return document;
}

static void check_words(const char *path) {
    struct storm_document *d = read_good(path);
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    assert_true(strlen(s->title) > 10 && strlen(s->title) < 100);
    assert_true(strlen(s->question) > 10);
    assert_true(strlen(s->story) > 100);
    assert_true(s->expect_count > 0);
    assert_true(storm_document_variant_count(d) >= 2);
    storm_document_free(d);
}

static void every_scenario_says_what_it_is_for(void **state) {
    (void)state;
    each_scenario(check_words);
}

/* A retry that is a name in the file has no map to set one of its settings in. */
static bool is_settable(const struct storm_setting *setting) {
    return strstr(setting->path, ".retry.") == NULL && strcmp(setting->path, "version") != 0;
}

/* Decodes with every effective setting as an override of its own: nothing may change. */
static void check_settings_of(struct storm_document *d, const char *variant) {
    const struct storm_setting *settings, *again;
    size_t count = storm_document_settings(d, rig_decode(d, variant, NULL, NULL), &settings);
    struct storm_override *sets = calloc(count, sizeof *sets);
    assert_non_null(sets);
    size_t set_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_settable(&settings[i]))
            sets[set_count++] = (struct storm_override){settings[i].path, settings[i].value};
    }
    struct storm_errors errors = {.count = 0};
    const struct storm_scenario *s = storm_document_decode(d, variant, sets, set_count, &errors);
    if (s == NULL)
        fail_msg("%s: %s", errors.list[0].path, errors.list[0].message);
    assert_int_equal(storm_document_settings(d, s, &again), count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(settings[i].path, again[i].path);
        assert_string_equal(settings[i].value, again[i].value);
    }
    free(sets);
}

static void check_settings(const char *path) {
    struct storm_document *d = read_good(path);
    check_settings_of(d, NULL);
    for (size_t i = 0; i < storm_document_variant_count(d); i++)
        check_settings_of(d, storm_document_variant_name(d, i));
    storm_document_free(d);
}

static void every_setting_set_to_itself_changes_nothing(void **state) {
    (void)state;
    each_scenario(check_settings);
}

static void settings_are_written_with_their_units(void **state) {
    (void)state;
    struct storm_document *d = read_good(STORM_SOURCE_DIR "/scenarios/01-thundering-herd.yaml");
    const struct storm_scenario *s = rig_decode(d, "full-jitter", NULL, NULL);
    static const char *const rows[][2] = {
        {"duration", "4m"},
        {"policies.app.delay", "full-jitter"},
        {"policies.app.cap", "30s"},
        {"policies.app.jitter_low", "0x"},
        {"policies.app.total_time", "none"},
        {"clients.sessions.calls.network", "{constant: 20ms, plus: {exponential: 30ms}}"},
        {"clients.sessions.calls.retry", "app"},
        {"clients.traffic.arrivals.poisson", "200/s"},
        {"services.api.queue.limit", "800"},
        {"services.api.recovery.from", "20%"},
        {"services.api.crash.when.offered", "4x"},
        {"services.api.errors_before", "false"},
        {"faults.0.kind", "hang"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *value = rig_setting(d, s, rows[i][0]);
        assert_non_null(value);
        assert_string_equal(value, rows[i][1]);
    }
    assert_null(rig_setting(d, s, "title"));
    assert_null(rig_setting(d, s, "seed"));
    storm_document_free(d);
}

static void shares_are_printed_as_they_were_written(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    for (int i = 1; i <= 1000; i++) {
        char share[16];
        snprintf(share, sizeof share, i % 10 == 0 ? "%d%%" : "%d.%d%%", i / 10, i % 10);
        const struct storm_scenario *s =
            rig_decode(d, NULL, "services.api.recovery", "{time: 1s, from: 0%}");
        char map[64];
        snprintf(map, sizeof map, "{time: 1s, from: %s}", share);
        s = rig_decode(d, NULL, "services.api.recovery", map);
        assert_string_equal(rig_setting(d, s, "services.api.recovery.from"), share);
    }
    storm_document_free(d);
}

/* Cuts, doubles and swaps pieces of a text, by a small generator of its own. */
static size_t damage(char *text, size_t length, uint64_t *chance) {
    uint64_t draws[3];
    for (int i = 0; i < 3; i++) {
        *chance = *chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        draws[i] = *chance >> 33;
    }
    size_t at = draws[0] % length;
    size_t piece = 1 + draws[1] % 20;
    piece = at + piece > length ? length - at : piece;
    if (draws[2] % 3 == 0) {
        memmove(text + at, text + at + piece, length - at - piece);
        return length - piece;
    }
    if (draws[2] % 3 == 1)
        text[at] = "{}[]:,#'\"-%&*x\n \t\x01\xFF"[draws[1] % 19];
    else
        memmove(text + at, text + draws[1] % (length - piece), piece);
    return length;
}

static void check_damage(const char *path) {
    struct storm_document *good = read_good(path);
    size_t length;
    const char *text = storm_document_text(good, &length);
    uint64_t chance = 1;
    for (int i = 0; i < 300; i++) {
        struct storm_errors errors = {.count = 0};
        char *copy = malloc(length);
        assert_non_null(copy);
        memcpy(copy, text, length);
        size_t left = damage(copy, length, &chance);
        struct storm_document *d = storm_document_parse(copy, left, &errors);
        for (size_t k = 0; d != NULL && k < storm_document_variant_count(d); k++)
            storm_document_decode(d, storm_document_variant_name(d, k), NULL, 0, &errors);
        char *printed = storm_errors_print(&errors, "t", copy, left);
        assert_non_null(printed);
        assert_true(d != NULL || errors.count > 0);
        free(printed);
        storm_document_free(d);
        free(copy);
    }
    storm_document_free(good);
}

static void a_damaged_scenario_is_an_error_or_another_scenario(void **state) {
    (void)state;
    each_scenario(check_damage);
}

static void a_file_that_is_not_there_says_why(void **state) {
    (void)state;
    struct storm_errors errors = {.count = 0};
    assert_null(storm_document_read("/nowhere/at/all.yaml", &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.list[0].status, STORM_IO);
    errors.count = 0;
    assert_null(storm_document_read(folder, &errors));
    assert_int_equal(errors.list[0].status, STORM_IO);
    errors.count = 0;
    assert_null(storm_document_read("/dev/zero", &errors));
    assert_string_equal(errors.list[0].message, "is larger than 16 MiB");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_says_what_it_is_for),
        cmocka_unit_test(every_setting_set_to_itself_changes_nothing),
        cmocka_unit_test(settings_are_written_with_their_units),
        cmocka_unit_test(shares_are_printed_as_they_were_written),
        cmocka_unit_test(a_damaged_scenario_is_an_error_or_another_scenario),
        cmocka_unit_test(a_file_that_is_not_there_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
