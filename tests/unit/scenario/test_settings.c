/* test_settings.c: every setting that can be written is printed, and read again as it was. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "unit/scenario/rig.h"

static const char everything[] = STORM_SOURCE_DIR "/tests/fuzz/scenarios/everything.yaml";

static struct storm_document *read_everything(void) {
    struct storm_errors errors = {.count = 0};
    struct storm_document *document = storm_document_read(everything, &errors);
    assert_non_null(document);
    return document;
}

/* Decodes with every effective setting as an override of its own: nothing may change. */
static void check_again(struct storm_document *d, const char *variant) {
    const struct storm_setting *settings, *again;
    size_t count = storm_document_settings(d, rig_decode(d, variant, NULL, NULL), &settings);
    struct storm_override *sets = calloc(count, sizeof *sets);
    assert_non_null(sets);
    size_t set_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (strstr(settings[i].path, ".retry.") == NULL && strcmp(settings[i].path, "version") != 0)
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

static void every_setting_set_to_itself_changes_nothing(void **state) {
    (void)state;
    struct storm_document *d = read_everything();
    check_again(d, NULL);
    check_again(d, "other");
    storm_document_free(d);
}

static const char *const rows[][2] = {
    {"duration", "5m"},
    {"policies.app.persist", "90%"},
    {"policies.app.head_only", "true"},
    {"policies.app.hint", "override"},
    {"policies.app.law", "exponential"},
    {"policies.app.retry_on", "[409, timeout]"},
    {"policies.app.give_up_on", "[503, reset]"},
    {"policies.app.success_on", "[410, 208]"},
    {"policies.plain.retry_on", "[]"},
    {"policies.plain.persist", "100%"},
    {"clients.at.arrivals.at", "3s"},
    {"clients.at.arrivals.spread", "500ms"},
    {"clients.now.arrivals.spread", "none"},
    {"clients.cron.arrivals.spread", "random"},
    {"clients.at.calls.timeout", "{exponential: 2s}"},
    {"clients.now.calls.timeout", "none"},
    {"clients.at.calls.network", "{constant: 1ms, plus: {pareto: {least: 1ms, shape: 1.5x}}}"},
    {"clients.at.calls.loss", "1%"},
    {"clients.at.calls.cancel", "all"},
    {"clients.now.calls.cancel", "none"},
    {"clients.at.calls.late_reply", "accept"},
    {"clients.at.share.plain", "30%"},
    {"clients.at.share.full-jitter", "12.5%"},
    {"clients.at.message.poison", "0.1%"},
    {"clients.now.message.missing", "0%"},
    {"clients.ramp.arrivals.rate", "[[0s, 1.5/s], [60s, 0/s], [75s, 7/s]]"},
    {"clients.file.arrivals.series", "everything.csv#778eec48b5233be5"},
    {"clients.loop.arrivals.closed.think", "{weibull: {scale: 5s, shape: 0.7x}}"},
    {"services.api.sharing", "true"},
    {"services.api.service_time", "{gamma: {mean: 50ms, shape: 2.5x}}"},
    {"services.api.on_full", "drop"},
    {"services.db.on_full", "503"},
    {"services.api.reject_time", "3ms"},
    {"services.api.slowdown.per_concurrent", "1%"},
    {"services.db.slowdown.per_concurrent", "0%"},
    {"services.api.rate_limit.burst", "50"},
    {"services.api.rate_limit.retry_after", "personal"},
    {"services.db.rate_limit.burst", "1"},
    {"services.db.rate_limit.status", "429"},
    {"services.db.rate_limit.retry_after", "2s"},
    {"services.api.hold", "false"},
    {"services.db.hold", "true"},
    {"services.api.fan_out", "true"},
    {"services.db.optimistic_lock", "true"},
    {"services.db.queue.drop_expired", "true"},
    {"services.db.service_time", "{hyperexponential: {mean: 5ms, cv: 3x}}"},
    {"services.log.service_time", "{empirical: {0%: 1ms, 50%: 2ms, 99.9%: 2ms, 100%: 1s}}"},
    {"faults.0.every", "60s"},
    {"faults.0.lost", "kept"},
    {"faults.1.every", "once"},
    {"faults.2.latency", "{gamma: {mean: 9ms, shape: 3x}}"},
    {"faults.2.loss", "0%"},
    {"faults.3.loss", "10%"},
    {"actions.0.pause", "all"},
    {"actions.0.for", "30s"},
    {"actions.1.block", "open"},
    {"actions.1.for", "none"},
    {"actions.1.status", "429"},
    {"actions.2.clear", "db"},
    {"actions.3.admit", "200/s"},
    {"actions.3.service", "api"},
    {"actions.4.set", "{policies.app.retry_on: [409], services.api.service_time: "
                      "{exponential: 1s}, clients.open.arrivals.poisson: 2/s}"},
};

static void settings_are_printed_as_people_write_them(void **state) {
    (void)state;
    struct storm_document *d = read_everything();
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *value = rig_setting(d, s, rows[i][0]);
        if (value == NULL)
            fail_msg("%s is not printed", rows[i][0]);
        assert_string_equal(value, rows[i][1]);
    }
    storm_document_free(d);
}

static void what_means_nothing_is_not_printed(void **state) {
    (void)state;
    static const char *const paths[] = {"clients.now.share.plain",
                                        "clients.open.arrivals.spread",
                                        "services.log.rate_limit.rate",
                                        "services.api.crash.kind",
                                        "faults.0.loss",
                                        "faults.2.lost",
                                        "faults.2.factor",
                                        "actions.0.service",
                                        "actions.2.for",
                                        "actions.4.for",
                                        "actions.4.pause",
                                        "actions.0.set"};
    struct storm_document *d = read_everything();
    const struct storm_scenario *s = rig_decode(d, NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        assert_null(rig_setting(d, s, paths[i]));
    storm_document_free(d);
}

/* An empirical law of as many points as there may be, with the longest numbers. */
static void the_longest_law_is_printed_whole(void **state) {
    (void)state;
    char text[8192] = "{constant: 1.23456789s, plus: {empirical: {0%: 0s";
    for (int i = 1; i < STORM_QUANTILES_MAX - 1; i++)
        sprintf(text + strlen(text), ", %d.%015d%%: 1234567%02d.123456789s", i, i, i);
    strcat(text, ", 100%: 200000000.123456789s}}}");
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES);
    const char *path = "services.api.service_time";
    const struct storm_scenario *s = rig_decode(d, NULL, path, text);
    assert_int_equal(s->services[0].service_time.quantile_count, STORM_QUANTILES_MAX);
    const char *printed = rig_setting(d, s, path);
    assert_true(strlen(printed) > 2000);
    const struct storm_scenario *again = rig_decode(d, NULL, path, printed);
    assert_string_equal(rig_setting(d, again, path), printed);
    storm_document_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_setting_set_to_itself_changes_nothing),
        cmocka_unit_test(settings_are_printed_as_people_write_them),
        cmocka_unit_test(what_means_nothing_is_not_printed),
        cmocka_unit_test(the_longest_law_is_printed_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
