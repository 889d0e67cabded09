/* test_override.c: variants and --set change the tree, and only where they say. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "unit/scenario/rig.h"

#define TWO                                                                                        \
    RIG_HEAD                                                                                       \
    "policies: {app: &app {delay: fixed, base: 1s}, other: *app}\n"                                \
    "clients:\n"                                                                                   \
    "  a: {count: 1, arrivals: {at: 1s}, calls: &call {to: api, timeout: 2s, retry: app}}\n"       \
    "  b: {count: 1, arrivals: {at: 1s}, calls: *call}\n" RIG_SERVICES                             \
    "faults: [{service: api, kind: down, at: 1s, for: 1s}, {service: api, kind: hang, at: "        \
    "9s, for: 1s}]\n"

static void an_override_changes_one_of_two_aliases(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(TWO);
    const struct storm_scenario *s = rig_decode(d, NULL, "clients.a.calls.timeout", "5s");
    assert_int_equal(s->populations[0].call.timeout.offset, 5 * STORM_SECOND);
    assert_int_equal(s->populations[1].call.timeout.offset, 2 * STORM_SECOND);
    s = rig_decode(d, NULL, "policies.other.base", "7s");
    assert_true(s->policies[0].delay.base == 1.0 && s->policies[1].delay.base == 7.0);
    s = rig_decode(d, NULL, NULL, NULL);
    assert_int_equal(s->populations[0].call.timeout.offset, 2 * STORM_SECOND);
    assert_true(s->policies[1].delay.base == 1.0);
    storm_document_free(d);
}

static void items_of_a_list_go_by_number(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(TWO);
    const struct storm_scenario *s = rig_decode(d, NULL, "faults.1.for", "3s");
    assert_int_equal(s->faults[0].length, STORM_SECOND);
    assert_int_equal(s->faults[1].length, 3 * STORM_SECOND);
    struct storm_errors errors = rig_refuse(d, NULL, "faults.2.for", "3s");
    assert_string_equal(errors.list[0].message, "faults: has no item '2'");
    assert_string_equal(errors.list[0].suggestion, "its items are numbered 0 to 1");
    storm_document_free(d);
}

static void maps_on_the_way_are_made_but_no_names(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(TWO);
    const struct storm_scenario *s = rig_decode(d, NULL, "services.api.queue.limit", "9");
    assert_int_equal(s->services[0].queue_limit, 9);
    struct storm_errors errors = rig_refuse(d, NULL, "policies.ap.base", "3s");
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.list[0].message, "policies: has no 'ap'");
    assert_string_equal(errors.list[0].suggestion, "did you mean 'app'?");
    assert_string_equal(errors.list[0].path, "--set policies.ap.base=3s");
    s = rig_decode(d, NULL, "services.db", "{workers: 3}");
    assert_int_equal(s->service_count, 2);
    storm_document_free(d);
}

/* Its keys are paths themselves: those that are written, and others. */
static void what_operators_set_can_be_changed_and_added_to(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        TWO "actions: [{at: 5s, clear: api}, {at: 9s, set: {services.api.workers: 9}}]\n");
    const struct storm_scenario *s = rig_decode(d, NULL, "actions.1.set.services.api.workers", "7");
    assert_int_equal(s->actions[1].after->services[0].workers, 7);
    s = rig_decode(d, NULL, "actions.1.set.services.api.queue.limit", "40");
    assert_int_equal(s->actions[1].after->services[0].queue_limit, 40);
    assert_int_equal(s->actions[1].after->services[0].workers, 9);
    struct storm_errors errors = rig_refuse(d, NULL, "actions.1.set.services.api.worker", "7");
    assert_string_equal(errors.list[0].suggestion, "did you mean 'workers'?");
    storm_document_free(d);
}

static void an_override_may_be_a_whole_map(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(TWO);
    const struct storm_scenario *s =
        rig_decode(d, NULL, "policies.app", "{delay: full-jitter, attempts: 3}");
    assert_string_equal(s->policies[0].headline, "full-jitter");
    assert_int_equal(s->policies[0].attempts, 3);
    assert_string_equal(s->policies[1].headline, "fixed");
    storm_document_free(d);
}

static void a_set_comes_after_the_variant(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(
        TWO "variants:\n  slow: {services.api.workers: 2, policies.app.base: 5s}\n  none:\n");
    assert_int_equal(storm_document_variant_count(d), 2);
    assert_string_equal(storm_document_variant_name(d, 1), "none");
    assert_null(storm_document_variant_name(d, 2));
    const struct storm_scenario *s = rig_decode(d, "slow", "services.api.workers", "8");
    assert_int_equal(s->services[0].workers, 8);
    assert_true(s->policies[0].delay.base == 5.0);
    assert_int_equal(rig_decode(d, "none", NULL, NULL)->services[0].workers, 4);
    storm_document_free(d);
}

static void an_error_in_a_variant_has_the_variants_place(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(RIG_HEAD RIG_CLIENTS RIG_SERVICES
                                         "variants:\n  bad: {services.api.workers: many}\n");
    rig_decode(d, NULL, NULL, NULL);
    struct storm_errors errors = rig_refuse(d, "bad", NULL, NULL);
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.list[0].line, 6);
    assert_int_equal(errors.list[0].column, 31);
    assert_string_equal(errors.list[0].path, "services.api.workers");
    storm_document_free(d);
}

static void an_error_in_a_set_has_its_text(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(TWO);
    struct storm_errors errors = rig_refuse(d, NULL, "policies.app.cap", "30");
    assert_int_equal(errors.list[0].line, 0);
    assert_string_equal(errors.list[0].path, "--set policies.app.cap=30");
    char *printed = storm_errors_print(&errors, "t.yaml", NULL, 0);
    assert_string_equal(printed,
                        "--set policies.app.cap=30: error: policies.app.cap: '30' has no unit\n"
                        "      = help: write 30s or 30ms\n1 error in t.yaml\n");
    free(printed);
    errors = rig_refuse(d, NULL, "policies.app", "{delay: fixed");
    assert_string_equal(errors.list[0].path, "--set policies.app={delay: fixed");
    storm_document_free(d);
}

static void some_paths_may_not_be_set(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(TWO "variants: {t: {title: x}}\n");
    static const char *const paths[] = {"",   ".",       "a..b",     "a.",
                                        ".a", "version", "variants", "variants.t.title"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        assert_int_equal(rig_refuse(d, NULL, paths[i], "1").count, 1);
    char path[400];
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    rig_refuse(d, NULL, path, "1");
    for (size_t i = 1; i < 180; i += 2)
        path[i] = '.';
    path[180] = '\0';
    rig_refuse(d, NULL, path, "1");
    assert_string_equal(rig_refuse(d, "t", NULL, NULL).list[0].message,
                        "a variant cannot change the title");
    assert_string_equal(rig_decode(d, NULL, "title", "mine")->title, "mine");
    storm_document_free(d);
}

static void a_text_has_nothing_in_it_to_set(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(TWO);
    struct storm_errors errors =
        rig_refuse(d, NULL, "services.api.service_time.exponential", "5ms");
    assert_string_equal(errors.list[0].message,
                        "services.api.service_time: is '20ms', so there is no 'exponential' in it");
    storm_document_free(d);
}

static void an_unknown_variant_is_an_error(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(TWO "variants: {slow: {}}\n");
    struct storm_errors errors = rig_refuse(d, "slwo", NULL, NULL);
    assert_string_equal(errors.list[0].message, "there is no variant 'slwo'");
    assert_string_equal(errors.list[0].suggestion, "did you mean 'slow'?");
    storm_document_free(d);
}

static void an_override_that_is_no_utf8_is_shown_as_such(void **state) {
    (void)state;
    struct storm_document *d = rig_parse(TWO);
    struct storm_errors errors = rig_refuse(d, NULL, "policies.\xFF\xBF.base", "\x1B[31m\xC3");
    assert_string_equal(errors.list[0].path, "--set policies.??.base=?[31m?");
    storm_document_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_override_changes_one_of_two_aliases),
        cmocka_unit_test(items_of_a_list_go_by_number),
        cmocka_unit_test(maps_on_the_way_are_made_but_no_names),
        cmocka_unit_test(what_operators_set_can_be_changed_and_added_to),
        cmocka_unit_test(an_override_may_be_a_whole_map),
        cmocka_unit_test(a_set_comes_after_the_variant),
        cmocka_unit_test(an_error_in_a_variant_has_the_variants_place),
        cmocka_unit_test(an_error_in_a_set_has_its_text),
        cmocka_unit_test(some_paths_may_not_be_set),
        cmocka_unit_test(a_text_has_nothing_in_it_to_set),
        cmocka_unit_test(an_unknown_variant_is_an_error),
        cmocka_unit_test(an_override_that_is_no_utf8_is_shown_as_such),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
