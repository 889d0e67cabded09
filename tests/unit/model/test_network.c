/* test_network.c: messages take their time or are lost, there and back, by the network itself and
   by its faults. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/small_world.h"

#include <math.h>

#include "support/test.h"

static void a_lost_request_is_waited_for_until_the_timeout(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    small_world_retry(&w, 2, 0.5);
    w.with_rests = true;
    w.populations[0].call.loss = 1;
    w.populations[0].call.timeout.offset = 300 * MS;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s vanished api 0\n"
                           "1.3s gave up api try 1\n"
                           "1.3s backed off api try 1 until 1.8s\n"
                           "1.8s sent api try 2 retry\n"
                           "1.8s vanished api 0 retry\n"
                           "2.1s gave up api try 2 retry\n"
                           "2.1s dead client 0 in 1.1s tries 2 status 3 attempts_exhausted since "
                           "1.3s\n");
    small_world_free(&w);
}

static void without_a_timeout_a_lost_request_is_waited_for_to_the_end(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].call.loss = 1;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s vanished api 0\n");
    small_world_free(&w);
}

/* The network breaks while the service works: the answer is lost, and says what it would have
   been. */
static void a_fault_of_the_network_takes_the_answer_and_not_the_work(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].call.timeout.offset = 300 * MS;
    small_world_add_fault(&w, STORM_FAULT_NETWORK, 1050 * MS, SEC);
    w.faults[0].loss = 1;
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1s arrived api\n"
                           "1s started api after 0s\n"
                           "1.1s served api 200 in 100ms\n"
                           "1.1s vanished api 200\n"
                           "1.3s gave up api try 1\n"
                           "1.3s dead client 0 in 300ms tries 1 status 3 attempts_exhausted since "
                           "1.3s\n");
    small_world_free(&w);
}

static void a_refusal_can_be_lost_as_well(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].call.network = small_world_constant(20 * MS);
    w.populations[0].call.timeout.offset = 300 * MS;
    small_world_add_fault(&w, STORM_FAULT_DOWN, 0, 60 * SEC);
    small_world_add_fault(&w, STORM_FAULT_NETWORK, 1010 * MS, SEC);
    w.faults[1].loss = 1;
    small_world_live(&w);
    small_world_expect(&w, "0s outage api 1\n"
                           "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.02s arrived api\n"
                           "1.02s refused api 1\n"
                           "1.02s vanished api 1\n"
                           "1.3s gave up api try 1\n"
                           "1.3s dead client 0 in 300ms tries 1 status 3 attempts_exhausted since "
                           "1.3s\n");
    small_world_free(&w);
}

/* Two faults in force add to the latency of the edge; one is over when the answer leaves. */
static void latencies_of_faults_add_for_messages_that_leave_while_they_are_in_force(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.populations[0].call.network = small_world_constant(10 * MS);
    small_world_add_fault(&w, STORM_FAULT_NETWORK, SEC, 5 * SEC);
    small_world_add_fault(&w, STORM_FAULT_NETWORK, 900 * MS, 200 * MS);
    w.faults[0].latency = small_world_constant(30 * MS);
    w.faults[1].latency = small_world_constant(50 * MS);
    small_world_live(&w);
    small_world_expect(&w, "1s born client 0\n"
                           "1s sent api try 1\n"
                           "1.09s arrived api\n"
                           "1.09s started api after 0s\n"
                           "1.19s served api 200 in 100ms\n"
                           "1.23s succeeded client 0 in 230ms tries 1\n");
    small_world_free(&w);
}

/* Broken for 2 s every 10 s from 5 s on; a request every second, each twice lost or not at all. */
static void a_fault_that_comes_again_is_in_force_in_each_of_its_times(void **state) {
    (void)state;
    struct small_world w;
    small_world_init(&w);
    w.services[0].service_time = small_world_constant(0);
    w.populations[0].arrival = STORM_ARRIVAL_EVEN;
    w.populations[0].rate = 1;
    small_world_add_fault(&w, STORM_FAULT_NETWORK, 5 * SEC, 2 * SEC);
    w.faults[0].period = 10 * SEC;
    w.faults[0].loss = 1;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SENT, 0), 60);
    assert_int_equal(small_world_count(&w, STORM_FACT_VANISHED, 0), 12);
    for (size_t i = 0; i < 12; i++) {
        const struct storm_fact *fact = small_world_fact(&w, STORM_FACT_VANISHED, 0, i);
        storm_time expected = (storm_time)(5 + i / 2 * 10 + i % 2) * SEC;
        assert_true(fact->time == expected);
    }
    small_world_free(&w);
}

/* A request is lost with probability p, and of those that are not, the answer: each within 4
   standard errors. A fault of the network doubles what is lost, with luck of its own. */
static void so_many_messages_of_each_direction_are_lost(void **state) {
    (void)state;
    for (int with_fault = 0; with_fault < 2; with_fault++) {
        struct small_world w;
        double p = with_fault ? 1 - 0.8 * 0.8 : 0.2, n = 12000;
        small_world_init(&w);
        w.services[0].workers = STORM_UNLIMITED;
        w.services[0].service_time = small_world_constant(0);
        w.populations[0].arrival = STORM_ARRIVAL_EVEN;
        w.populations[0].rate = n / 60;
        w.populations[0].call.loss = 0.2;
        if (with_fault) {
            small_world_add_fault(&w, STORM_FAULT_NETWORK, 0, 60 * SEC);
            w.faults[0].loss = 0.2;
        }
        small_world_live(&w);
        double arrived = (double)small_world_count(&w, STORM_FACT_ARRIVED, 0);
        double answered = (double)small_world_count(&w, STORM_FACT_SUCCEEDED, 0);
        assert_true(fabs(arrived - n * (1 - p)) < 4 * sqrt(n * p * (1 - p)));
        assert_true(fabs(answered - arrived * (1 - p)) < 4 * sqrt(arrived * p * (1 - p)));
        small_world_free(&w);
    }
}

/* 1 - p of both ways, and another try after each loss: no luck is repeated. */
static void every_try_has_luck_of_its_own(void **state) {
    (void)state;
    struct small_world w;
    double n = 3000, p = 0.75, tries = 0;
    small_world_init(&w);
    small_world_retry(&w, STORM_ATTEMPTS_UNLIMITED, 0);
    w.services[0].workers = STORM_UNLIMITED;
    w.services[0].service_time = small_world_constant(0);
    w.populations[0].count = (uint32_t)n;
    w.populations[0].call.loss = 0.5;
    w.populations[0].call.timeout.offset = 10 * MS;
    small_world_live(&w);
    assert_int_equal(small_world_count(&w, STORM_FACT_SUCCEEDED, 0), (int)n);
    for (size_t i = 0; i < w.fact_count; i++)
        tries += w.facts[i].kind == STORM_FACT_SUCCEEDED ? w.facts[i].attempts : 0;
    double error = sqrt(n * p) / (1 - p); /* geometric: mean 1 / (1 - p), variance p / (1 - p)^2 */
    assert_true(fabs(tries - n / (1 - p)) < 4 * error);
    small_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_request_is_waited_for_until_the_timeout),
        cmocka_unit_test(without_a_timeout_a_lost_request_is_waited_for_to_the_end),
        cmocka_unit_test(a_fault_of_the_network_takes_the_answer_and_not_the_work),
        cmocka_unit_test(a_refusal_can_be_lost_as_well),
        cmocka_unit_test(latencies_of_faults_add_for_messages_that_leave_while_they_are_in_force),
        cmocka_unit_test(a_fault_that_comes_again_is_in_force_in_each_of_its_times),
        cmocka_unit_test(so_many_messages_of_each_direction_are_lost),
        cmocka_unit_test(every_try_has_luck_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
