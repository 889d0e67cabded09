/* test_rank.c: places in the order of their names. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include "base/rank.h"

static void consumers_come_after_all_clients(void **state) {
    (void)state;
    struct storm_population populations[] = {
        {.name = "web"}, {.name = "app", .arrival = STORM_ARRIVAL_QUEUE}, {.name = "batch"}};
    struct storm_scenario scenario = {.populations = populations, .population_count = 3};
    assert_int_equal(rank_of_population(&scenario, 0), 1);
    assert_int_equal(rank_of_population(&scenario, 1), 2);
    assert_int_equal(rank_of_population(&scenario, 2), 0);
}

static void calls_go_by_their_service_and_then_as_listed(void **state) {
    (void)state;
    struct storm_service services[] = {{.name = "web", .call_first = 0, .call_count = 2},
                                       {.name = "none", .call_first = 2},
                                       {.name = "app", .call_first = 2, .call_count = 1}};
    struct storm_scenario scenario = {.services = services, .service_count = 3, .call_count = 3};
    assert_int_equal(rank_of_call(&scenario, 0), 1);
    assert_int_equal(rank_of_call(&scenario, 1), 2);
    assert_int_equal(rank_of_call(&scenario, 2), 0);
}

static void without_names_the_list_decides(void **state) {
    (void)state;
    struct storm_population populations[3] = {{.name = NULL}};
    struct storm_scenario scenario = {.populations = populations, .population_count = 3};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(rank_of_population(&scenario, i), i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consumers_come_after_all_clients),
        cmocka_unit_test(calls_go_by_their_service_and_then_as_listed),
        cmocka_unit_test(without_names_the_list_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
