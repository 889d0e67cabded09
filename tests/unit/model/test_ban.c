/* test_ban.c: who comes back too early is banned, for longer each time; who stays away is not. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/ban.h"

#include "model/world.h"
#include "policy/hint.h"
#include "support/small_world.h"
#include "support/test.h"

/* ---- the rules alone ------------------------------------------------------------------------- */

/* One service that bans after three strikes, for 30 s, then 60 s, up to 100 s, and two populations
   of two clients. */
struct door {
    struct storm_population populations[2];
    struct storm_service plan;
    struct storm_scenario scenario;
    struct service service;
    struct arena arena;
    struct world world;
    struct storm_fact last;
    int told;
};

static void hear(void *context, const struct storm_fact *fact) {
    struct door *door = context;
    assert_int_equal(fact->kind, STORM_FACT_BANNED);
    door->last = *fact;
    door->told++;
}

static void open_door(struct door *d, size_t memory) {
    *d = (struct door){.populations = {{.count = 2}, {.count = 2}}};
    d->plan.ban = (struct storm_ban){
        .strikes = 3, .length = 30 * SEC, .factor = 2, .longest = 100 * SEC, .status = 403};
    d->scenario = (struct storm_scenario){.service_count = 1,
                                          .services = &d->plan,
                                          .population_count = 2,
                                          .populations = d->populations};
    d->service.plan = &d->plan;
    arena_init(&d->arena, memory);
    d->world.scenario = &d->scenario;
    d->world.services = &d->service;
    d->world.arena = &d->arena;
    d->world.listener = (struct storm_listener){hear, d};
    assert_true(ban_init(&d->world));
}

static void close_door(struct door *d) { arena_free(&d->arena); }

/* A client of population `origin` comes at `now`. Returns how long it is banned from then on; 0: it
   is not. */
static storm_time come(struct door *d, storm_time now, uint8_t origin, uint32_t member) {
    struct attempt attempt = {.origin = origin, .member = member};
    storm_time left = 0;
    d->world.engine.now = now;
    uint16_t status = ban_meets(&d->world, &attempt, &left);
    assert_int_equal(status, left > 0 ? 403 : 0);
    return left;
}

static void come_and_be_refused(struct door *d, storm_time now, storm_time hint) {
    struct attempt attempt = {.origin = 1, .member = 1};
    assert_true(come(d, now, 1, 1) == 0);
    ban_refused(&d->world, &attempt, hint);
}

static void come_and_be_admitted(struct door *d, storm_time now) {
    struct attempt attempt = {.origin = 1, .member = 1};
    assert_true(come(d, now, 1, 1) == 0);
    ban_admitted(&d->world, &attempt);
}

/* The first refusal is nobody's fault. */
static void so_many_strikes_in_a_row_lead_to_a_ban(void **state) {
    (void)state;
    struct door d;
    open_door(&d, 1 << 20);
    for (int i = 0; i < 3; i++)
        come_and_be_refused(&d, (10 + i) * SEC, 2 * SEC);
    assert_int_equal(d.told, 0);
    come_and_be_refused(&d, 13 * SEC, 2 * SEC);
    assert_int_equal(d.told, 1);
    assert_true(d.last.place == 0 && d.last.origin == 1 && d.last.member == 1);
    assert_true(d.last.due == 43 * SEC);
    close_door(&d);
}

static void it_strikes_the_client_and_nobody_else(void **state) {
    (void)state;
    struct door d;
    open_door(&d, 1 << 20);
    for (int i = 0; i < 4; i++)
        come_and_be_refused(&d, 10 * SEC, 2 * SEC);
    assert_true(come(&d, 10 * SEC, 0, 1) == 0);
    assert_true(come(&d, 10 * SEC, 1, 0) == 0);
    assert_true(come(&d, 10 * SEC, 1, 1) > 0);
    close_door(&d);
}

static void a_ban_that_is_ignored_begins_anew_and_grows_to_its_limit(void **state) {
    (void)state;
    static const storm_time lengths[] = {60 * SEC, 100 * SEC, 100 * SEC};
    struct door d;
    open_door(&d, 1 << 20);
    storm_time now = 10 * SEC, until = now + 30 * SEC;
    for (int i = 0; i < 4; i++)
        come_and_be_refused(&d, now, 2 * SEC);
    for (int i = 0; i < 3; i++) {
        now = until - 1;
        assert_true(come(&d, now, 1, 1) == lengths[i]);
        until = now + lengths[i];
        assert_true(d.last.due == until);
    }
    assert_int_equal(d.told, 4);
    assert_true(come(&d, until, 1, 1) == 0);
    close_door(&d);
}

static void who_comes_as_told_is_never_banned(void **state) {
    (void)state;
    struct door d;
    open_door(&d, 1 << 20);
    for (int i = 0; i < 50; i++)
        come_and_be_refused(&d, i * 2 * SEC, 2 * SEC);
    assert_int_equal(d.told, 0);
    close_door(&d);
}

/* Two strikes, and one refusal of a client that has waited: the row is broken. */
static void waiting_once_breaks_the_row(void **state) {
    (void)state;
    struct door d;
    open_door(&d, 1 << 20);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 3; i++)
            come_and_be_refused(&d, (10 * round + i) * SEC, 2 * SEC);
    }
    assert_int_equal(d.told, 0);
    close_door(&d);
}

/* Who is not told when to come back cannot do right but by not coming. */
static void without_a_time_each_further_refusal_is_a_strike(void **state) {
    (void)state;
    struct door d;
    open_door(&d, 1 << 20);
    for (int i = 0; i < 3; i++)
        come_and_be_refused(&d, i * 3600 * SEC, HINT_NONE);
    assert_int_equal(d.told, 0);
    come_and_be_refused(&d, 3 * 3600 * SEC, HINT_NONE);
    assert_int_equal(d.told, 1);
    close_door(&d);
}

/* Who has been banned and was let in since is banned for no longer than at first. */
static void who_is_let_in_is_forgiven(void **state) {
    (void)state;
    struct door d;
    open_door(&d, 1 << 20);
    for (int i = 0; i < 4; i++)
        come_and_be_refused(&d, 0, 2 * SEC);
    come_and_be_admitted(&d, 30 * SEC);
    for (int i = 0; i < 3; i++)
        come_and_be_refused(&d, 31 * SEC, 2 * SEC);
    come_and_be_admitted(&d, 31 * SEC);
    for (int i = 0; i < 4; i++)
        come_and_be_refused(&d, 32 * SEC, 2 * SEC);
    assert_int_equal(d.told, 2);
    assert_true(d.last.due == 62 * SEC);
    close_door(&d);
}

/* After a ban the strikes are counted from none; but the next one is longer until the client has
   been let in. */
static void a_second_ban_in_a_row_is_longer(void **state) {
    (void)state;
    struct door d;
    open_door(&d, 1 << 20);
    for (int i = 0; i < 4; i++)
        come_and_be_refused(&d, 0, HINT_NONE);
    for (int i = 0; i < 3; i++)
        come_and_be_refused(&d, 30 * SEC, HINT_NONE);
    assert_int_equal(d.told, 1);
    come_and_be_refused(&d, 30 * SEC, HINT_NONE);
    assert_int_equal(d.told, 2);
    assert_true(d.last.due == 90 * SEC);
    close_door(&d);
}

static void the_memory_limit_is_an_error(void **state) {
    (void)state;
    struct door d;
    open_door(&d, 8192);
    d.populations[1].count = 1000;
    come_and_be_refused(&d, 0, 2 * SEC);
    assert_int_equal(d.world.error.status, STORM_LIMIT);
    close_door(&d);
}

/* ---- in the world ---------------------------------------------------------------------------- */

/* Four clients want something at once from a service that lets in one a second, says to each when
   there will be room, and bans as above, but from 5 s to 20 s. */
static void rushing(struct small_world *w, enum storm_hint rule) {
    small_world_init(w);
    small_world_retry(w, 8, 0.5);
    w->policies[0].hint.rule = (int)rule;
    w->populations[0].count = 4;
    struct storm_service *api = &w->services[0];
    api->limit_rate = 1;
    api->limit_burst = 1;
    api->limit_status = 429;
    api->retry_after = STORM_RETRY_AFTER_PERSONAL;
    api->ban = (struct storm_ban){
        .strikes = 3, .length = 5 * SEC, .factor = 2, .longest = 20 * SEC, .status = 403};
}

static void expect_bans(const struct small_world *w, uint32_t member, const storm_time *times,
                        const storm_time *ends, size_t count) {
    size_t seen = 0;
    for (size_t i = 0; i < w->fact_count; i++) {
        const struct storm_fact *f = &w->facts[i];
        if (f->kind != STORM_FACT_BANNED || f->member != member)
            continue;
        assert_true(seen < count && f->time == times[seen] && f->due == ends[seen]);
        seen++;
    }
    assert_int_equal(seen, count);
}

static void clients_who_heed_the_429_are_all_served_and_never_banned(void **state) {
    (void)state;
    struct small_world w;
    rushing(&w, STORM_HINT_FLOOR);
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 4);
    assert_int_equal(small_world_count(&w, STORM_FACT_BANNED, 0), 0);
    assert_int_equal(small_world_count(&w, STORM_FACT_REFUSED, 0), 3);
    small_world_free(&w);
}

/* The second client has luck at 2 s; the others have their third strike at 2.5 s, and are told at
   3 s that they are banned. */
static void clients_who_ignore_it_are_shut_out(void **state) {
    (void)state;
    struct small_world w;
    rushing(&w, STORM_HINT_IGNORE);
    small_world_live(&w);
    static const storm_time times[] = {2500 * MS, 3 * SEC}, ends[] = {7500 * MS, 13 * SEC};
    expect_bans(&w, 0, NULL, NULL, 0);
    expect_bans(&w, 1, NULL, NULL, 0);
    expect_bans(&w, 2, times, ends, 2);
    expect_bans(&w, 3, times, ends, 2);
    assert_int_equal(small_world_count(&w, STORM_FACT_DEAD, 0), 2);
    const struct storm_fact *dead = small_world_fact(&w, STORM_FACT_DEAD, 0, 1);
    assert_true(dead->time == 3 * SEC && dead->status == 403);
    assert_int_equal(dead->reason, STORM_REASON_NOT_RETRYABLE);
    small_world_free(&w);
}

/* They do not even heed the 403, each of which makes their ban longer: until, after 4 s, they go
   slower than it lasts. */
static void a_ban_grows_while_it_is_ignored_and_ends_when_it_is_heeded(void **state) {
    (void)state;
    struct small_world w, after;
    rushing(&w, STORM_HINT_IGNORE);
    w.policies[0].class_count = 1;
    w.policies[0].classes[0] = (struct storm_class_row){403, STORM_CLASS_RETRY};
    w.policies[0].attempts = 20;
    small_world_add_change(&w, 4200 * MS, &after);
    after.policies[0].delay.base = 21;
    small_world_live(&w);
    static const storm_time times[] = {2500 * MS, 3 * SEC, 3500 * MS, 4 * SEC, 4500 * MS};
    static const storm_time ends[] = {7500 * MS, 13 * SEC, 23500 * MS, 24 * SEC, 24500 * MS};
    expect_bans(&w, 3, times, ends, 5);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), 4);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(so_many_strikes_in_a_row_lead_to_a_ban),
        cmocka_unit_test(it_strikes_the_client_and_nobody_else),
        cmocka_unit_test(a_ban_that_is_ignored_begins_anew_and_grows_to_its_limit),
        cmocka_unit_test(who_comes_as_told_is_never_banned),
        cmocka_unit_test(waiting_once_breaks_the_row),
        cmocka_unit_test(without_a_time_each_further_refusal_is_a_strike),
        cmocka_unit_test(who_is_let_in_is_forgiven),
        cmocka_unit_test(a_second_ban_in_a_row_is_longer),
        cmocka_unit_test(the_memory_limit_is_an_error),
        cmocka_unit_test(clients_who_heed_the_429_are_all_served_and_never_banned),
        cmocka_unit_test(clients_who_ignore_it_are_shut_out),
        cmocka_unit_test(a_ban_grows_while_it_is_ignored_and_ends_when_it_is_heeded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
