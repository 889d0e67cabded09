/* test_letter_record.c: what lies in a dead-letter queue, and when somebody is told, of made-up
   facts. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/letter_record.h"

#include <math.h>

#include "record/scope.h"
#include "stage.h"
#include "support/test.h"

#define HOUR (3600 * SEC)
#define FACT(what, ...) ((struct storm_fact){.kind = STORM_FACT_##what, __VA_ARGS__})

/* Two populations whose letters go to one queue, and what is said about it. */
struct desk {
    struct stage stage;
    struct storm_population populations[2];
    struct storm_alert alerts[4];
    struct storm_letter_queue kept;
};

static void desk_set(struct desk *d, storm_time duration) {
    stage_set(&d->stage, duration);
    d->populations[0] = d->populations[1] = d->stage.population;
    d->populations[0].dead_letter_queue = d->populations[1].dead_letter_queue = "dead";
    d->populations[1].name = "batch";
    d->stage.scenario.populations = d->populations;
    d->stage.scenario.population_count = 2;
    d->stage.scenario.alerts = d->alerts;
    d->stage.scenario.letter_queues = &d->kept;
}

static void desk_alert(struct desk *d, enum storm_alert_kind kind, double count, storm_time time) {
    d->alerts[d->stage.scenario.alert_count++] =
        (struct storm_alert){.queue = "dead", .kind = kind, .count = count, .time = time};
}

static void desk_keep(struct desk *d, storm_time retention) {
    d->kept = (struct storm_letter_queue){.name = "dead", .retention = retention};
    d->stage.scenario.letter_queue_count = 1;
}

static void die(struct desk *d, storm_time at, uint32_t ordinal) {
    stage_tell(&d->stage, at,
               FACT(DEAD, .ordinal = ordinal, .key = 1000 + ordinal, .reason = 1, .attempts = 1));
}

static void replay(struct desk *d, storm_time at, uint32_t ordinal) {
    stage_tell(&d->stage, at,
               FACT(BORN, .ordinal = ordinal, .key = 1000 + ordinal, .level = STORM_BIRTH_REPLAY));
}

static void check(struct desk *d, const char *metric, double expected) {
    double value = stage_metric(&d->stage, metric);
    if (!(fabs(value - expected) < 1e-9))
        fail_msg("%s: %.17g, not %.17g", metric, value, expected);
}

static double kept_at(const struct desk *d, storm_time at) {
    return d->stage.recorder->letters[0].kept_bins[recorder_bin_at(d->stage.recorder, at)];
}

static void check_alarm(struct desk *d, uint32_t index, const char *rule, storm_time first_letter,
                        storm_time raised) {
    struct storm_alarm *alarms;
    uint32_t count;
    assert_true(letter_record_copy(d->stage.recorder, &d->stage.arena, &alarms, &count));
    if (index >= count)
        fail_msg("there are %u alarms", count);
    assert_string_equal(alarms[index].queue, "dead");
    assert_string_equal(alarms[index].rule, rule);
    assert_int_equal(alarms[index].first_letter, first_letter);
    assert_int_equal(alarms[index].raised, raised);
}

static void letters_are_kept_until_they_are_replayed(void **state) {
    (void)state;
    struct desk d;
    desk_set(&d, 100 * SEC);
    desk_keep(&d, STORM_NEVER);
    stage_open(&d.stage);
    die(&d, 10 * SEC, 1);
    die(&d, 10 * SEC, 2);
    stage_tell(&d.stage, 11 * SEC, FACT(DEAD, .place = 1, .ordinal = 1, .reason = 1)); /* a third */
    replay(&d, 20 * SEC, 2);
    replay(&d, 20 * SEC, 9); /* of which nothing is known */
    stage_tell(&d.stage, 30 * SEC, FACT(SUCCEEDED, .ordinal = 2, .key = 1002, .since = 20 * SEC));
    stage_tell(&d.stage, 30 * SEC,
               FACT(DEAD, .ordinal = 9, .key = 1009, .since = 20 * SEC, .reason = 1));
    stage_finish(&d.stage);
    assert_true(kept_at(&d, 9 * SEC) == 0 && kept_at(&d, 10 * SEC) == 2);
    assert_true(kept_at(&d, 19 * SEC) == 3 && kept_at(&d, 20 * SEC) == 2);
    assert_true(kept_at(&d, 99 * SEC) == 3);
    check(&d, "letters_kept.dead", 3);
    check(&d, "dead_letters", 4);
    stage_close(&d.stage);
}

/* Two letters of one request are two: the older one goes first. */
static void of_two_letters_of_one_request_the_older_is_replayed(void **state) {
    (void)state;
    struct desk d;
    desk_set(&d, 100 * SEC);
    desk_alert(&d, STORM_ALERT_AGE, 0, 50 * SEC);
    stage_open(&d.stage);
    die(&d, 10 * SEC, 1);
    die(&d, 20 * SEC, 1);
    die(&d, 30 * SEC, 1);
    replay(&d, 40 * SEC, 1);
    stage_finish(&d.stage);
    check_alarm(&d, 0, "age > 50s", 20 * SEC, 70 * SEC);
    check(&d, "letters_kept.dead", 2);
    check(&d, "alarms.dead", 1);
    check(&d, "alarm_delay.dead", 60);
    stage_close(&d.stage);
}

static void letters_expire_at_their_age_without_any_fact(void **state) {
    (void)state;
    struct desk d;
    desk_set(&d, 100 * SEC);
    desk_keep(&d, 30 * SEC);
    stage_open(&d.stage);
    die(&d, 10 * SEC, 1);
    die(&d, 20 * SEC, 2);
    die(&d, 30 * SEC, 3);
    replay(&d, 31 * SEC, 2);
    die(&d, 62 * SEC, 5);
    replay(&d, 92 * SEC, 5); /* too late by nothing: it has just expired */
    die(&d, 93 * SEC, 4);
    stage_finish(&d.stage);
    assert_true(kept_at(&d, 31 * SEC) == 2 && kept_at(&d, 39 * SEC) == 2);
    assert_true(kept_at(&d, 40 * SEC) == 1 && kept_at(&d, 59 * SEC) == 1);
    assert_true(kept_at(&d, 60 * SEC) == 0 && kept_at(&d, 91 * SEC) == 1);
    assert_true(kept_at(&d, 92 * SEC) == 0 && kept_at(&d, 93 * SEC) == 1);
    check(&d, "letters_expired.dead", 3);
    check(&d, "letters_kept.dead", 1);
    stage_close(&d.stage);
}

static void where_there_is_an_archive_letters_are_archived_and_none_expires(void **state) {
    (void)state;
    struct desk d;
    desk_set(&d, 100 * SEC);
    desk_keep(&d, 30 * SEC);
    d.kept.archive = true;
    stage_open(&d.stage);
    die(&d, 10 * SEC, 1);
    die(&d, 20 * SEC, 2);
    replay(&d, 31 * SEC, 2);
    die(&d, 80 * SEC, 3);
    stage_finish(&d.stage);
    check(&d, "letters_archived.dead", 1);
    check(&d, "letters_kept.dead", 1);
    assert_int_equal(scope_count(&d.stage.scenario, SCOPE_ARCHIVE), 1);
    assert_int_equal(scope_count(&d.stage.scenario, SCOPE_RETENTION), 0);
    stage_close(&d.stage);
}

static void depth_is_told_at_the_letter_that_is_one_too_many(void **state) {
    (void)state;
    struct desk d;
    desk_set(&d, 100 * SEC);
    desk_alert(&d, STORM_ALERT_DEPTH, 0, 0);
    desk_alert(&d, STORM_ALERT_DEPTH, 2, 0);
    stage_open(&d.stage);
    die(&d, 10 * SEC, 1);
    die(&d, 11 * SEC, 2);
    die(&d, 12 * SEC, 3);
    die(&d, 13 * SEC, 4);
    replay(&d, 20 * SEC, 1);
    replay(&d, 21 * SEC, 2); /* two are left: the second alert is over */
    die(&d, 30 * SEC, 5);
    stage_finish(&d.stage);
    check_alarm(&d, 0, "depth > 0", 10 * SEC, 10 * SEC);
    check_alarm(&d, 1, "depth > 2", 10 * SEC, 12 * SEC);
    check_alarm(&d, 2, "depth > 2", 12 * SEC, 30 * SEC);
    check(&d, "alarms.dead", 3);
    check(&d, "alarm_delay.dead", 0);
    stage_close(&d.stage);
}

/* More than two within 10 s: those at 20, 25 and just before 30. At 30 the first of them is too
   old, which ends it; the one at 31 begins it anew. */
static void growth_is_seen_in_a_window_that_slides(void **state) {
    (void)state;
    struct desk d;
    desk_set(&d, 100 * SEC);
    desk_alert(&d, STORM_ALERT_GROWTH, 2, 10 * SEC);
    stage_open(&d.stage);
    die(&d, 10 * SEC, 1);
    die(&d, 15 * SEC, 2);
    die(&d, 20 * SEC, 3); /* the first was 10 s ago: no more within them */
    die(&d, 25 * SEC, 4);
    replay(&d, 26 * SEC, 4); /* what has come has come */
    die(&d, 30 * SEC - 1, 5);
    die(&d, 31 * SEC, 6);
    die(&d, 60 * SEC, 7);
    die(&d, 61 * SEC, 8);
    die(&d, 62 * SEC, 9);
    stage_finish(&d.stage);
    check_alarm(&d, 0, "growth > 2 within 10s", 10 * SEC, 30 * SEC - 1);
    check_alarm(&d, 1, "growth > 2 within 10s", 10 * SEC, 31 * SEC);
    check_alarm(&d, 2, "growth > 2 within 10s", 10 * SEC, 62 * SEC);
    check(&d, "alarms.dead", 3);
    stage_close(&d.stage);
}

/* Days without any fact cost nothing, and the alarm comes all the same. */
static void an_age_is_reached_without_any_fact(void **state) {
    (void)state;
    struct desk d;
    desk_set(&d, 14 * 24 * HOUR);
    desk_alert(&d, STORM_ALERT_UNREVIEWED, 0, 24 * HOUR);
    desk_keep(&d, 7 * 24 * HOUR);
    stage_open(&d.stage);
    die(&d, HOUR, 1);
    die(&d, 2 * HOUR, 2);
    replay(&d, 20 * HOUR, 1); /* reviewed: the second one is the oldest now */
    die(&d, 48 * HOUR, 3);
    stage_finish(&d.stage);
    check_alarm(&d, 0, "unreviewed > 24h", 2 * HOUR, 26 * HOUR);
    check(&d, "alarms.dead", 1); /* the third takes over before the second expires */
    check(&d, "alarm_delay.dead", 25 * 3600);
    check(&d, "letters_expired.dead", 2);
    stage_close(&d.stage);
}

static void letters_brought_along_are_there_from_the_start(void **state) {
    (void)state;
    const struct storm_letter letters[] = {{.population = 1, .ordinal = 1},
                                           {.population = 1, .ordinal = 2}};
    struct storm_action action = {
        .kind = STORM_ACTION_REPLAY, .population = 1, .letters = letters, .letter_count = 2};
    struct desk d;
    desk_set(&d, 100 * SEC);
    d.stage.scenario.actions = &action;
    d.stage.scenario.action_count = 1;
    stage_open(&d.stage);
    stage_tell(&d.stage, SEC,
               FACT(BORN, .place = 1, .ordinal = 2, .key = 5, .level = STORM_BIRTH_REPLAY));
    stage_tell(&d.stage, 2 * SEC, FACT(SUCCEEDED, .place = 1, .key = 5, .since = SEC));
    stage_finish(&d.stage);
    assert_true(kept_at(&d, 0) == 2 && kept_at(&d, 99 * SEC) == 1);
    check(&d, "replayed", 1);
    check(&d, "replay_succeeded", 1);
    check(&d, "replay_dead", 0);
    stage_close(&d.stage);
}

/* Users have asked once, whatever becomes of the copies: neither the verdict's shares nor the
   curves of births know them, but the books balance. */
static void copies_are_born_but_nobody_asked_again(void **state) {
    (void)state;
    struct storm_action actions[] = {{.kind = STORM_ACTION_REPLAY}, {.kind = STORM_ACTION_RERUN}};
    struct desk d;
    desk_set(&d, 100 * SEC);
    d.stage.scenario.actions = actions;
    d.stage.scenario.action_count = 2;
    stage_open(&d.stage);
    stage_tell(&d.stage, SEC, FACT(BORN, .ordinal = 1, .key = 1));
    stage_tell(&d.stage, 2 * SEC, FACT(DEAD, .ordinal = 1, .key = 1, .since = SEC, .reason = 1));
    stage_tell(&d.stage, 3 * SEC,
               FACT(BORN, .ordinal = 1, .key = 2, .level = STORM_BIRTH_REPLAY, .since = SEC));
    stage_tell(&d.stage, 3 * SEC, FACT(BORN, .key = 3, .level = STORM_BIRTH_RERUN));
    stage_tell(&d.stage, 4 * SEC, FACT(SUCCEEDED, .key = 2, .since = 3 * SEC, .level = 1));
    stage_finish(&d.stage);
    check(&d, "requests", 3);
    check(&d, "succeeded", 1);
    check(&d, "dead_letters", 1);
    check(&d, "in_flight", 1);
    check(&d, "success_share", 0);
    check(&d, "rerun", 1);
    check(&d, "replay_succeeded", 1);
    check(&d, "letters_kept.dead", 0);
    const struct population_record *p = &d.stage.recorder->populations[0];
    double born = 0, failed = 0;
    for (uint32_t bin = 0; bin + 2 < d.stage.recorder->bin_count; bin++) {
        born += p->born_bins[bin];
        failed += p->failed_bins[bin] > 0 ? p->failed_bins[bin] : 0;
    }
    assert_true(born == 1 && failed == 1);
    stage_close(&d.stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_kept_until_they_are_replayed),
        cmocka_unit_test(of_two_letters_of_one_request_the_older_is_replayed),
        cmocka_unit_test(letters_expire_at_their_age_without_any_fact),
        cmocka_unit_test(where_there_is_an_archive_letters_are_archived_and_none_expires),
        cmocka_unit_test(depth_is_told_at_the_letter_that_is_one_too_many),
        cmocka_unit_test(growth_is_seen_in_a_window_that_slides),
        cmocka_unit_test(an_age_is_reached_without_any_fact),
        cmocka_unit_test(letters_brought_along_are_there_from_the_start),
        cmocka_unit_test(copies_are_born_but_nobody_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
