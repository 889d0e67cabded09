/* test_lint.c: each rule by a scenario that breaks it, and by one that just does not. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "lint/lint.h"
#include "support/test.h"

enum { TEXT_MAX = 4096 };

/* A document and what lint says of it. */
struct rig {
    struct storm_document *document;
    struct arena arena;
    struct lint_findings findings;
};

static struct rig rig_of(const char *text, const char *variant) {
    struct storm_errors errors = {0};
    struct rig rig = {.document = storm_document_parse(text, strlen(text), &errors)};
    const struct storm_scenario *scenario = NULL;
    if (rig.document != NULL) {
        scenario = storm_document_decode(rig.document, variant, NULL, 0, &errors);
    }
    if (scenario == NULL) {
        fail_msg("%d:%d: %s: %s\n%s", errors.list[0].line, errors.list[0].column,
                 errors.list[0].path, errors.list[0].message, text);
    }
    arena_init(&rig.arena, (size_t)-1);
    assert_true(lint_find(rig.document, variant, scenario, &rig.arena, &rig.findings));
    return rig;
}

static void rig_free(struct rig *rig) {
    arena_free(&rig->arena);
    storm_document_free(rig->document);
}

/* The n-th finding of a rule, or NULL. */
static const struct lint_finding *finding_of(const struct rig *rig, const char *id, size_t n) {
    for (size_t i = 0; i < rig->findings.count; i++) {
        const struct lint_finding *finding = &rig->findings.list[i];
        if (strcmp(finding->rule->id, id) == 0 && n-- == 0) {
            return finding;
        }
    }
    return NULL;
}

/* The parts of a scenario that the tests vary. Empty parts are as below. */
struct parts {
    const char *duration, *policies, *clients, *services, *faults;
};

static const struct parts usual = {
    "5m", "app: {delay: full-jitter, attempts: 4}",
    "web: {count: 100, arrivals: {poisson: 20/s}, calls: {to: api, timeout: 1s, retry: app}}",
    "api: {workers: 4, service_time: 50ms, queue: {limit: 60}}",
    "{service: api, kind: down, at: 60s, for: 10s}"};

static const char *part(const char *own, const char *other) { return own != NULL ? own : other; }

static struct rig rig_with(struct parts parts) {
    char text[TEXT_MAX];
    snprintf(text, sizeof text,
             "version: 1\nduration: %s\npolicies:\n  %s\nclients:\n  %s\nservices:\n  %s\n"
             "faults:\n  - %s\n",
             part(parts.duration, usual.duration), part(parts.policies, usual.policies),
             part(parts.clients, usual.clients), part(parts.services, usual.services),
             part(parts.faults, usual.faults));
    return rig_of(text, NULL);
}

/* The text from the place of a finding on. */
static const char *text_at(const struct rig *rig, const struct lint_finding *finding) {
    size_t length;
    const char *text = storm_document_text(rig->document, &length);
    for (int line = 1; line < finding->line; line++) {
        text = strchr(text, '\n') + 1;
    }
    return text + finding->column - 1;
}

/* What the only finding must be: of the rule and severity, at this word, with this sentence. */
static void finds(struct parts parts, const char *id, enum lint_severity severity, int line,
                  const char *word, const char *message) {
    struct rig rig = rig_with(parts);
    const struct lint_finding *finding = finding_of(&rig, id, 0);
    if (finding == NULL) {
        fail_msg("%s found nothing; %s", id,
                 rig.findings.count > 0 ? rig.findings.list[0].message : "nor did any other");
        return;
    }
    assert_null(finding_of(&rig, id, 1));
    assert_string_equal(finding->message, message);
    assert_int_equal(finding->severity, severity);
    assert_int_equal(finding->line, line);
    if (strncmp(text_at(&rig, finding), word, strlen(word)) != 0) {
        fail_msg("%s stands at '%.20s'", id, text_at(&rig, finding));
    }
    rig_free(&rig);
}

/* The rule must be silent. */
static void passes(struct parts parts, const char *id) {
    struct rig rig = rig_with(parts);
    const struct lint_finding *finding = finding_of(&rig, id, 0);
    if (finding != NULL) {
        fail_msg("%s: %s", id, finding->message);
    }
    rig_free(&rig);
}

static void a_healthy_scenario_has_no_findings(void **state) {
    (void)state;
    struct rig rig = rig_with(usual);
    assert_int_equal(rig.findings.count, 0);
    rig_free(&rig);
}

static void retries_without_jitter(void **state) {
    (void)state;
    finds((struct parts){.policies = "app: {delay: exponential, base: 1s, attempts: 5}"}, "R001",
          LINT_WARNING, 4, "app",
          "'exponential' waits exactly 1s, 2s, 4s ...: all who fail at one moment come back at one "
          "moment");
    finds((struct parts){.policies = "app: {delay: no-backoff, attempts: 4}"}, "R001", LINT_WARNING,
          4, "app",
          "'no-backoff' retries at once: all who fail at one moment are back in the same moment");
    passes((struct parts){.policies = "app: {delay: exponential, attempts: 1}"}, "R001");
    passes((struct parts){.policies = "app: {delay: fixed, base: 1s, law: exponential}"}, "R001");
    passes((struct parts){.policies = "app: {delay: fixed, base: 1s, head_only: true}"}, "R001");
}

/* One client never comes twice at one moment; nobody fails together when nothing happens. */
static void jitter_matters_where_many_fail_together(void **state) {
    (void)state;
    static const char policy[] = "app: {delay: fixed, base: 1s, attempts: 2}";
    passes((struct parts){.policies = policy,
                          .clients = "one: {count: 1, arrivals: {poisson: 2/s}, calls: {to: api, "
                                     "timeout: 1s, retry: app}}"},
           "R001");
    static const char text[] =
        "version: 1\nduration: 5m\nclients: {web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: "
        "api, timeout: 1s, retry: {delay: fixed, base: 1s, attempts: 2}}}}\nservices: {api: "
        "{workers: 4, service_time: 50ms, queue: {limit: 9}}}\n";
    struct rig rig = rig_of(text, NULL);
    assert_int_equal(finding_of(&rig, "R001", 0)->severity, LINT_NOTE);
    assert_string_equal(finding_of(&rig, "R001", 0)->path, "clients.web.calls.retry");
    rig_free(&rig);
}

#define LAYERS(user, a, b)                                                                         \
    ((struct parts){                                                                               \
        .clients = "user: {count: 9, arrivals: {poisson: 9/s}, calls: {to: front, timeout: 30s, "  \
                   "retry: " user "}}",                                                            \
        .services = "front: {workers: unlimited, calls: [{to: middle, timeout: 9s, retry: " a      \
                    "}]}\n  middle: {workers: unlimited, calls: [{to: api, timeout: 1s, retry: " b \
                    "}]}\n  api: {workers: 9, service_time: 50ms, queue: {limit: 9}}"})

static void attempts_that_multiply_over_layers(void **state) {
    (void)state;
    finds(LAYERS("{delay: full-jitter, attempts: 2}", "no-retry",
                 "{delay: full-jitter, attempts: 3}"),
          "R002", LINT_WARNING, 9, "retry",
          "user -> front -> middle -> api: 2 x 1 x 3 = 6 attempts");
    finds(LAYERS("no-retry", "{delay: full-jitter, attempts: 4}",
                 "{delay: full-jitter, attempts: unlimited}"),
          "R002", LINT_WARNING, 9, "retry",
          "front -> middle -> api: 4 x unlimited = attempts without bound");
    passes(LAYERS("no-retry", "{delay: full-jitter, attempts: 4}", "no-retry"), "R002");
}

static void a_queue_with_more_work_than_callers_wait_for(void **state) {
    (void)state;
    finds((struct parts){.services = "api: {workers: 4, service_time: 50ms, queue: {limit: 81}}"},
          "R003", LINT_WARNING, 8, "limit",
          "81 waiting attempts are 1.01s of work for 'api' (at 80/s), but 'web' waits only 1s");
    finds((struct parts){.services = "api: {workers: 4, service_time: 50ms, queue: {limit: "
                                     "unlimited}}"},
          "R003", LINT_WARNING, 8, "limit",
          "the queue of 'api' has no limit; beyond 80 waiting attempts (80/s x 1s) 'web' has given "
          "up before it is served");
    passes((struct parts){.services = "api: {workers: 4, service_time: 50ms, queue: {limit: 80}}"},
           "R003");
    passes((struct parts){.services = "api: {workers: 4, service_time: 50ms, queue: {limit: 99, "
                                      "drop_expired: true}}"},
           "R003");
    passes((struct parts){.services = "api: {workers: 4, service_time: 50ms, queue: {limit: 99, "
                                      "order: lifo}}"},
           "R003");
    passes((struct parts){.services = "api: {workers: 4, service_time: 50ms, queue: {limit: 99}}",
                          .clients = "web: {count: 100, arrivals: {poisson: 20/s}, calls: {to: "
                                     "api, timeout: 1s, cancel: waiting, retry: app}}"},
           "R003");
}

static void retries_beyond_the_deadline(void **state) {
    (void)state;
    static const char pure[] = "app: {delay: exponential, base: 1s, attempts: 5}";
    finds((struct parts){.policies = pure,
                         .clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, "
                                    "timeout: 1s, deadline: 15s, retry: app}}"},
          "R004", LINT_WARNING, 6, "deadline",
          "on average only 4 of 5 attempts of web -> api begin within 15s even if all fail at "
          "once");
    finds((struct parts){.policies = pure,
                         .clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, "
                                    "timeout: 1s, deadline: 19s, retry: app}}"},
          "R004", LINT_NOTE, 6, "deadline",
          "on average only 4 of 5 attempts of web -> api begin within 19s if they end by their "
          "timeout");
    passes((struct parts){.policies = pure,
                          .clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, "
                                     "timeout: 1s, deadline: 20s, retry: app}}"},
           "R004");
    finds((struct parts){.policies = "app: {delay: fixed, base: 2s, attempts: 4, total_time: 5s}"},
          "R004", LINT_WARNING, 4, "total_time",
          "on average only 3 of 4 attempts of web -> api begin within 5s even if all fail at once");
}

static void retries_after_the_answer_lost_its_worth(void **state) {
    (void)state;
    finds((struct parts){.policies = "app: {delay: fixed, base: 5s, attempts: 4}",
                         .clients = "web: {count: 9, arrivals: {poisson: 9/s}, in_time: 10s, "
                                    "calls: {to: api, timeout: 1s, retry: app}}"},
          "R005", LINT_NOTE, 6, "in_time",
          "answers count for 10s, but 2 of 4 attempts begin later on average, the last after 15s");
    passes((struct parts){.policies = "app: {delay: fixed, base: 5s, attempts: 4}",
                          .clients = "web: {count: 9, arrivals: {poisson: 9/s}, in_time: 10s, "
                                     "calls: {to: api, timeout: 1s, deadline: 10s, retry: app}}"},
           "R005");
    passes((struct parts){.policies = "app: {delay: fixed, base: 3s, attempts: 4}",
                          .clients = "web: {count: 9, arrivals: {poisson: 9/s}, in_time: 10s, "
                                     "calls: {to: api, timeout: 1s, retry: app}}"},
           "R005");
    finds((struct parts){.policies = "app: {delay: fixed, base: 1s, attempts: 3}"}, "R005",
          LINT_NOTE, 6, "calls",
          "answers count for 1s, as there is no in_time and that is the timeout: no retry can be "
          "of use, the first begins after 1s on average");
    passes((struct parts){.policies = "app: {delay: fixed, base: 999ms, attempts: 3}"}, "R005");
}

/* Three attempts of 1 s and two delays of 1 s are 5 s; nine such, less what their timeouts cut. */
static void a_caller_that_gives_up_before_its_callee(void **state) {
    (void)state;
    static const char front[] =
        "front: {workers: unlimited, calls: [{to: api, timeout: 1s, retry: {delay: fixed, base: "
        "1s, attempts: 3}}]}\n  api: {workers: 9, service_time: 50ms, queue: {limit: 9}}";
    finds((struct parts){.services = front,
                         .clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: front, "
                                    "timeout: 4s}}"},
          "R006", LINT_WARNING, 6, "timeout",
          "'web' waits 4s for 'front', which may go on for 5s trying what is below it");
    passes((struct parts){.services = front,
                          .clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: front, "
                                     "timeout: 5s}}"},
           "R006");
    passes((struct parts){.services = front,
                          .clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: front, "
                                     "timeout: 4s, cancel: all}}"},
           "R006");
}

static void attempts_without_bound(void **state) {
    (void)state;
    finds((struct parts){.policies = "app: {delay: full-jitter, attempts: unlimited}"}, "R007",
          LINT_WARNING, 4, "app",
          "web -> api may try for ever: attempts are unlimited, and there is neither a total_time "
          "nor a deadline");
    finds((struct parts){.policies = "app: {delay: no-backoff, attempts: unlimited}"}, "R007",
          LINT_ERROR, 4, "app",
          "web -> api may try for ever, without any delay: attempts are unlimited, and there is "
          "neither a total_time nor a deadline");
    passes((struct parts){.policies =
                              "app: {delay: full-jitter, attempts: unlimited, total_time: 60s}"},
           "R007");
    passes((struct parts){.policies = "app: {delay: full-jitter, attempts: unlimited, persist: "
                                      "90%}"},
           "R007");
    passes((struct parts){.policies = "app: {delay: full-jitter, attempts: unlimited}",
                          .clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, "
                                     "timeout: 1s, deadline: 30s, retry: app}}"},
           "R007");
}

static void calls_without_a_timeout(void **state) {
    (void)state;
    static const char patient[] =
        "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, retry: app}}";
    finds((struct parts){.clients = patient}, "R008", LINT_NOTE, 6, "calls",
          "1 call is without a timeout: web -> api");
    finds(
        (struct parts){.clients = patient,
                       .faults = "{service: api, kind: hang, at: 60s, for: 9s}"},
        "R008", LINT_WARNING, 6, "calls",
        "'api' hangs by a fault, and 'web' has no timeout: such an attempt never ends and is never "
        "retried");
    finds((struct parts){.clients = patient,
                         .services = "api: {workers: 4, service_time: 50ms, queue: {limit: 9}, "
                                     "on_full: drop}"},
          "R008", LINT_WARNING, 6, "calls",
          "'api' drops attempts when its queue is full, and 'web' has no timeout: such an attempt "
          "never ends and is never retried");
    passes((struct parts){.faults = "{service: api, kind: hang, at: 60s, for: 9s}"}, "R008");
}

static void loss_without_a_timeout(void **state) {
    (void)state;
    finds(
        (struct parts){.clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, "
                                  "loss: 1%, retry: app}}"},
        "R009", LINT_ERROR, 6, "calls",
        "messages between 'web' and 'api' get lost, and there is no timeout: such an attempt never "
        "ends and is never retried");
    finds(
        (struct parts){.clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, "
                                  "deadline: 9s, retry: app}}",
                       .faults = "{service: api, kind: network, loss: 5%, at: 60s, for: 9s}"},
        "R009", LINT_WARNING, 6, "calls",
        "messages between 'web' and 'api' get lost, and there is no timeout: such an attempt uses "
        "up the whole deadline");
    passes((struct parts){.faults = "{service: api, kind: network, loss: 5%, at: 60s, for: 9s}"},
           "R009");
}

static void a_run_too_short_to_tell(void **state) {
    (void)state;
    finds((struct parts){.duration = "99s"}, "R010", LINT_WARNING, 2, "duration",
          "the trouble is over at 70s, 29s before the run ends; a verdict needs 30s");
    passes((struct parts){.duration = "100s"}, "R010");
    static const char slow[] =
        "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, timeout: 4s, retry: app}}";
    finds((struct parts){.duration = "109s", .clients = slow}, "R010", LINT_WARNING, 2, "duration",
          "the trouble is over at 70s, 39s before the run ends; a verdict needs 40s");
    passes((struct parts){.duration = "110s", .clients = slow}, "R010");
}

static void jitter_without_width(void **state) {
    (void)state;
    finds((struct parts){.policies = "app: {delay: full-jitter, base: 2s, jitter_low: 1}"}, "R011",
          LINT_WARNING, 4, "app",
          "'full-jitter' has no width left: its first delay is always exactly 2s");
    finds((struct parts){.policies = "app: {delay: additive-jitter, jitter_add: 0s}"}, "R011",
          LINT_WARNING, 4, "app",
          "'additive-jitter' has no width left: its first delay is always exactly 1s");
    passes((struct parts){.policies = "app: {delay: full-jitter, base: 2s, jitter_low: 0.99}"},
           "R011");
}

static void retries_of_what_fails_again(void **state) {
    (void)state;
    finds((struct parts){.policies = "app: {delay: full-jitter, retry_on: [404, 429]}"}, "R012",
          LINT_WARNING, 4, "retry_on",
          "status 404 is tried again, and will be the answer each time");
    passes((struct parts){.policies = "app: {delay: full-jitter, retry_on: [408, 429, 500]}"},
           "R012");
    static const char conflict[] = "app: {delay: full-jitter, retry_on: [409]}";
    finds((struct parts){.policies = conflict}, "R012", LINT_WARNING, 4, "retry_on",
          "status 409 is tried again, and will be the answer each time");
    passes((struct parts){.policies = conflict,
                          .services = "api: {workers: 4, service_time: 50ms, queue: {limit: 60}, "
                                      "optimistic_lock: true}"},
           "R012");
}

static void more_demand_than_capacity(void **state) {
    (void)state;
    finds((struct parts){.clients = "web: {count: 9, arrivals: {poisson: 81/s}, calls: {to: api, "
                                    "timeout: 1s, retry: app}}"},
          "R013", LINT_WARNING, 8, "workers", "81/s reach 'api', which can serve 80/s");
    passes((struct parts){.clients = "web: {count: 9, arrivals: {poisson: 79/s}, calls: {to: api, "
                                     "timeout: 1s, retry: app}}"},
           "R013");
    finds((struct parts){.services = "front: {workers: unlimited, calls: [{to: api, timeout: 1s}, "
                                     "{to: api, timeout: 1s}]}\n  api: {workers: 1, service_time: "
                                     "30ms, queue: {limit: 9}}",
                         .clients = "web: {count: 9, arrivals: {every: 500ms}, calls: {to: front, "
                                    "timeout: 9s}}"},
          "R013", LINT_WARNING, 9, "workers", "36/s reach 'api', which can serve 33.333/s");
    finds((struct parts){.services = "api: {workers: 4, service_time: 50ms, queue: {limit: 60}, "
                                     "rate_limit: {rate: 15/s}}"},
          "R013", LINT_WARNING, 8, "rate", "20/s reach 'api', which lets in 15/s");
    finds((struct parts){.clients = "web: {count: 9, arrivals: {rate: [[0s, 20/s], [9s, 90/s]]}, "
                                    "calls: {to: api, timeout: 1s, retry: app}}"},
          "R013", LINT_WARNING, 8, "workers", "90/s reach 'api', which can serve 80/s");
    passes((struct parts){.clients = "web: {count: 9, arrivals: {rate: [[0s, 20/s], [9s, 90/s], "
                                     "[19s, 20/s]]}, calls: {to: api, timeout: 1s, retry: app}}"},
           "R013"); /* a surge is a trigger */
}

static void a_cap_that_stops_all_growth(void **state) {
    (void)state;
    finds((struct parts){.policies = "app: {delay: exponential, base: 1s, cap: 1s}"}, "R014",
          LINT_NOTE, 4, "app",
          "base and cap of 'exponential' are both 1s, so the delay does not grow");
    passes((struct parts){.policies = "app: {delay: exponential, base: 1s, cap: 2s}"}, "R014");
}

static void a_timeout_shorter_than_the_service_takes(void **state) {
    (void)state;
    finds((struct parts){.clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, "
                                    "timeout: 89ms, network: 20ms, retry: app}}",
                         .services = "api: {workers: 4, service_time: 50ms, queue: {limit: 1}}"},
          "R015", LINT_WARNING, 6, "timeout",
          "'web' waits 89ms for 'api', whose answer takes 90ms on average, network included");
    passes((struct parts){.clients = "web: {count: 9, arrivals: {poisson: 9/s}, calls: {to: api, "
                                     "timeout: 90ms, network: 20ms, retry: app}}"},
           "R015");
}

static void fleets_are_looked_at_one_by_one(void **state) {
    (void)state;
    struct rig rig = rig_with(
        (struct parts){.policies = "app: {delay: full-jitter}\n  old: {delay: fixed, base: 1s}",
                       .clients = "web: {count: 100, arrivals: {poisson: 20/s}, share: {old: 30%, "
                                  "no-backoff: 10%}, calls: {to: api, timeout: 1s, retry: app}}"});
    assert_string_equal(finding_of(&rig, "R001", 0)->path, "policies.old");
    assert_string_equal(finding_of(&rig, "R001", 1)->path, "clients.web.share.no-backoff");
    assert_int_equal(finding_of(&rig, "R001", 1)->line, 7);
    assert_null(finding_of(&rig, "R001", 2));
    rig_free(&rig);
}

static void a_variant_is_looked_at_where_it_is_written(void **state) {
    (void)state;
    static const char text[] =
        "version: 1\nduration: 5m\npolicies: {app: {delay: full-jitter}}\nclients: {web: {count: "
        "9, arrivals: {poisson: 9/s}, calls: {to: api, timeout: 1s, retry: app}}}\nservices: {api: "
        "{workers: 4, service_time: 50ms, queue: {limit: 9}}}\nvariants:\n  as-is: {}\n  bad: "
        "{services.api.queue.limit: 90}\n";
    struct rig rig = rig_of(text, "as-is");
    assert_int_equal(rig.findings.count, 0);
    rig_free(&rig);
    rig = rig_of(text, "bad");
    assert_int_equal(rig.findings.count, 1);
    assert_int_equal(finding_of(&rig, "R003", 0)->line, 8);
    rig_free(&rig);
}

static void rules_have_rising_ids_and_say_all_that_is_needed(void **state) {
    (void)state;
    for (size_t i = 0; i < lint_rule_count(); i++) {
        const struct lint_rule *rule = lint_rule_at(i);
        char id[8];
        snprintf(id, sizeof id, "R%03u", (unsigned)(i + 1));
        assert_string_equal(rule->id, id);
        assert_true(strlen(rule->title) > 0 && rule->title[strlen(rule->title) - 1] != '.');
        assert_true(strlen(rule->fix) > 0 && rule->fix[strlen(rule->fix) - 1] != '.');
        assert_true(strlen(rule->why) > 0 && rule->why[strlen(rule->why) - 1] == '.');
    }
}

static void findings_come_in_the_order_of_their_places(void **state) {
    (void)state;
    struct rig rig =
        rig_with((struct parts){.duration = "80s",
                                .policies = "app: {delay: exponential, attempts: unlimited}",
                                .services = "api: {workers: 4, service_time: 50ms}"});
    static const char *const ids[] = {"R010", "R001", "R007", "R003"};
    assert_int_equal(rig.findings.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(rig.findings.list[i].rule->id, ids[i]);
    }
    rig_free(&rig);
}

static void who_begins_after_the_end_does_nothing(void **state) {
    (void)state;
    finds((struct parts){.faults = "{service: api, kind: down, at: 5m, for: 10s}"}, "R029",
          LINT_WARNING, 10, "at: 5m", "begins at 5m, but the run ends at 5m");
    passes((struct parts){.faults = "{service: api, kind: down, at: 299s, for: 10s}"}, "R029");
    finds((struct parts){.faults = "{service: api, kind: down, at: 60s, for: 10s}\n"
                                   "actions:\n  - {at: 1h, replay: web, rate: 1/s}"},
          "R029", LINT_WARNING, 12, "at: 1h", "begins at 1h, but the run ends at 5m");
    passes((struct parts){.duration = "until_idle",
                          .clients = "web: {count: 100, arrivals: {at: 1s}, "
                                     "calls: {to: api, timeout: 1s, retry: app}}",
                          .faults = "{service: api, kind: down, at: 1h, for: 10s}"},
           "R029");
}

/* The usual scenario with two variants, of which only one has a breaker. */
static struct rig rig_of_variants(const char *change, const char *expected) {
    char faults[512];
    snprintf(faults, sizeof faults,
             "{service: api, kind: down, at: 60s, for: 10s}\nvariants:\n"
             "  braked: {policies.app.breaker: {kind: consecutive}}\n  other: {%s}\n"
             "expect:\n  - {%s, at_most: 4}",
             change, expected);
    return rig_with((struct parts){.faults = faults});
}

/* The rule must say so, in that line; NULL: nothing. */
static void variants_make(const char *change, const char *expected, const char *id, int line,
                          const char *message) {
    struct rig rig = rig_of_variants(change, expected);
    const struct lint_finding *finding = finding_of(&rig, id, 0);
    if (message == NULL && finding != NULL) {
        fail_msg("%s: %s", id, finding->message);
    } else if (message != NULL) {
        assert_non_null(finding);
        assert_string_equal(finding->message, message);
        assert_int_equal(finding->severity, LINT_ERROR);
        assert_int_equal(finding->line, line);
    }
    rig_free(&rig);
}

static void every_variant_is_decoded(void **state) {
    (void)state;
    variants_make("duration: 4m", "metric: recovers", "R030", 0, NULL);
    variants_make("policies.ap.cap: 30s", "metric: recovers", "R030", 13,
                  "policies: has no 'ap'; did you mean 'app'?");
    variants_make("policies.app.capp: 30s", "metric: recovers", "R030", 13,
                  "policies.app.capp: unknown setting; did you mean 'cap'?");
}

static void expectations_are_of_metrics_that_there_are(void **state) {
    (void)state;
    static const char change[] = "duration: 4m";
    variants_make(change, "metric: amplification.api", "R031", 0, NULL);
    variants_make(change, "metric: amplification", "R031", 0, NULL);
    variants_make(change, "metric: breaker_opened.api", "R031", 0, NULL);
    variants_make(change, "variant: braked, metric: breaker_opened.api", "R031", 0, NULL);
    variants_make(change, "variant: other, metric: breaker_opened.api", "R031", 15,
                  "the variant other has no metric 'breaker_opened.api'");
    variants_make(change, "metric: amplification.ap", "R031", 15,
                  "the scenario has no metric 'amplification.ap'; did you mean "
                  "'amplification.api'?");
}

static void expectations_can_be_kept(void **state) {
    (void)state;
    static const char change[] = "duration: 4m";
    struct parts calm = {.faults = "{service: api, kind: down, at: 10m, for: 10s}\n"
                                   "expect:\n  - {metric: recovers, at_least: 99%}"};
    finds(calm, "R032", LINT_ERROR, 12, "{metric",
          "'recovers' has no value: there is neither a fault nor a surge");
    variants_make(change, "metric: recovers", "R032", 0, NULL);
    variants_make(change, "metric: recovers, at_least: 99%", "R032", 0, NULL);
    variants_make(change, "metric: amplification.api, at_least: 3", "R032", 0, NULL);
    variants_make(change, "metric: recovers, at_least: 3", "R032", 15,
                  "'recovers' is a share: it is never above 100%, and so never at least 300%");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expectations_can_be_kept),
        cmocka_unit_test(a_healthy_scenario_has_no_findings),
        cmocka_unit_test(retries_without_jitter),
        cmocka_unit_test(jitter_matters_where_many_fail_together),
        cmocka_unit_test(attempts_that_multiply_over_layers),
        cmocka_unit_test(a_queue_with_more_work_than_callers_wait_for),
        cmocka_unit_test(retries_beyond_the_deadline),
        cmocka_unit_test(retries_after_the_answer_lost_its_worth),
        cmocka_unit_test(a_caller_that_gives_up_before_its_callee),
        cmocka_unit_test(attempts_without_bound),
        cmocka_unit_test(calls_without_a_timeout),
        cmocka_unit_test(loss_without_a_timeout),
        cmocka_unit_test(a_run_too_short_to_tell),
        cmocka_unit_test(jitter_without_width),
        cmocka_unit_test(retries_of_what_fails_again),
        cmocka_unit_test(more_demand_than_capacity),
        cmocka_unit_test(a_cap_that_stops_all_growth),
        cmocka_unit_test(a_timeout_shorter_than_the_service_takes),
        cmocka_unit_test(fleets_are_looked_at_one_by_one),
        cmocka_unit_test(a_variant_is_looked_at_where_it_is_written),
        cmocka_unit_test(rules_have_rising_ids_and_say_all_that_is_needed),
        cmocka_unit_test(who_begins_after_the_end_does_nothing),
        cmocka_unit_test(every_variant_is_decoded),
        cmocka_unit_test(expectations_are_of_metrics_that_there_are),
        cmocka_unit_test(findings_come_in_the_order_of_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
