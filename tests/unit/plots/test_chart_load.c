/* test_chart_load.c: the scene of "load over time": right places, right numbers, nothing over
   anything. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/chart.h>
#include <retrystorm/error.h>
#include <retrystorm/results.h>
#include <retrystorm/units.h>

#include "plots/charts.h"
#include "plots/scene.h"
#include "plots/theme.h"
#include "plots/type.h"
#include "plots/words.h"
#include "support/sample_results.h"
#include "unit/plots/look.h"
#include "unit/plots/near.h"

static const struct storm_chart_options plain = {.dark = false};

static void the_usual_chart_says_what_it_must(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    (void)state;
    draw(results, &scene);
    assert_text(&scene, "title", 0, "Exponential turns a 30-second outage into a permanent one");
    assert_non_null(strstr(find(&scene, "subtitle", 0)->text,
                           "Attempts per second at api, which can serve 100/s. Demand is 45/s; "
                           "outage from 60"));
    assert_text(&scene, "panel-name", 2, "full-jitter");
    assert_text(&scene, "pill-text", 2, "recovers in 42 of 100 runs");
    assert_text(&scene, "ghost-label", 0, "58 of 100 runs end up here");
    assert_text(&scene, "dead-label", 1, "6,487 dead letters");
    assert_text(&scene, "capacity-label", 0, "capacity 100/s");
    assert_text(&scene, "stuck", 0, "stuck");
    assert_int_equal(count(&scene, "ghost-label"), 1);
    assert_int_equal(count(&scene, "capacity-label"), 1);
    assert_int_equal(count(&scene, "band-label"), 4);
    assert_int_equal(count(&scene, "peak"), 4);
    const char *footer = find(&scene, "footer", 0)->text;
    assert_non_null(
        strstr(footer, "reconnect-herd.yaml · 100 runs per variant, seed 7, first run"));
    assert_non_null(strstr(footer, "attempts 6"));
    assert_non_null(strstr(footer, "queue 300"));
    assert_non_null(strstr(find(&scene, "footer-right", 0)->text, "3f2a91c04b"));
    scene_free(&scene);
    sample_results_free(results);
}

static void no_label_lies_over_another_however_many_panels(void **state) {
    static const enum sample_shape shapes[] = {SAMPLE_RECOVERS, SAMPLE_STUCK,    SAMPLE_MIXED,
                                               SAMPLE_AT_ONCE,  SAMPLE_UNHARMED, SAMPLE_STUCK,
                                               SAMPLE_MIXED,    SAMPLE_RECOVERS, SAMPLE_AT_ONCE};
    static const char *const names[] = {"fixed",
                                        "exponential",
                                        "full-jitter",
                                        "retry-budget",
                                        "decorrelated-jitter",
                                        "no-backoff",
                                        "equal-jitter",
                                        "linear",
                                        "an-unreasonably-long-name-of-a-variant"};
    (void)state;
    for (uint32_t panels = 1; panels <= 9; panels++) {
        struct storm_results *results = sample_results(shapes, names, panels);
        struct scene scene;
        draw(results, &scene);
        assert_int_equal(count(&scene, "panel-name"), panels);
        check_texts(&scene);
        scene_free(&scene);
        sample_results_free(results);
    }
}

static void both_axes_share_the_gridlines(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    (void)state;
    draw(results, &scene);
    uint32_t left = count(&scene, "left-tick"), right = count(&scene, "right-tick");
    assert_int_equal(left, right); /* two of the four panels carry either */
    assert_int_equal(count(&scene, "grid"), 2 * left);
    for (uint32_t i = 0; i < left; i++)
        assert_near(find(&scene, "left-tick", i)->y, find(&scene, "right-tick", i)->y, 0);
    assert_text(&scene, "left-tick", 0, "0");
    assert_text(&scene, "left-tick", 4, "800/s");
    assert_text(&scene, "right-tick", 4, "8,000");
    scene_free(&scene);
    sample_results_free(results);
}

static void curves_stand_where_their_numbers_say(void **state) {
    static const enum sample_shape shapes[] = {SAMPLE_RECOVERS};
    static const char *const names[] = {"one"};
    struct storm_results *results = sample_results(shapes, names, 1);
    double *first = sample_series(results->variants, STORM_SERIES_FIRST);
    double *retries = sample_series(results->variants, STORM_SERIES_RETRIES);
    double *dead = sample_series(results->variants, STORM_SERIES_DEAD);
    struct scene scene;
    (void)state;
    for (int bin = 0; bin < 240; bin++) {
        first[bin] = 100;
        retries[bin] = bin == 120 ? 300 : 0;
        dead[bin] = bin < 180 ? 0 : 1000;
    }
    draw(results, &scene);
    const struct scene_mark *zero = find(&scene, "left-tick", 0),
                            *top = find(&scene, "left-tick", 4);
    assert_string_equal(top->text, "400/s");
    double y0 = zero->y - 4, y400 = top->y - 4;
    const struct scene_mark *band = find(&scene, "band", 0), *area = find(&scene, "retries", 0);
    double left = find(&scene, "first", 0)->points[0].x, width = band->width * 8; /* 30 of 240 s */
    assert_near(band->x, left + width / 4, 1e-6);
    assert_near(area->points[0].y, y0 + (y400 - y0) / 4, 1e-6);
    double peak_x = left + width / 2;
    bool is_found = false;
    for (uint32_t i = 0; i < area->point_count; i++)
        is_found = is_found || (fabs(area->points[i].x - peak_x) < 1e-6 &&
                                fabs(area->points[i].y - y400) < 1e-6);
    assert_true(is_found);
    const struct scene_mark *line = find(&scene, "dead", 0), *dot = find(&scene, "dead-end", 0);
    assert_near(line->points[0].x, left + width * 0.75, 1e-6);
    assert_near(line->points[0].y, y0, 1e-6);
    assert_near(dot->x, left + width, 1e-6);
    assert_string_equal(find(&scene, "right-tick", 4)->text, "1,000");
    assert_near(dot->y, y400, 1e-6);
    scene_free(&scene);
    sample_results_free(results);
}

static void the_strip_has_nine_steps_and_merges_equal_cells(void **state) {
    static const enum sample_shape shapes[] = {SAMPLE_UNHARMED};
    static const char *const names[] = {"one"};
    struct storm_results *results = sample_results(shapes, names, 1);
    double *born = sample_series(results->variants, STORM_SERIES_BORN);
    double *failed = sample_series(results->variants, STORM_SERIES_FAILED);
    struct scene scene;
    (void)state;
    for (int bin = 0; bin < 240; bin++) {
        born[bin] = bin >= 200 && bin < 220 ? 0 : 10;
        failed[bin] = bin < 100 ? 0 : bin < 200 ? 10 : bin >= 220 ? 5 : 0;
    }
    draw(results, &scene);
    assert_int_equal(count(&scene, "strip"), 3); /* nothing where no request is born */
    assert_int_equal(find(&scene, "strip", 0)->role, ROLE_STRIP_0);
    assert_int_equal(find(&scene, "strip", 1)->role, ROLE_STRIP_8);
    assert_int_equal(find(&scene, "strip", 2)->role, ROLE_STRIP_4);
    const struct scene_mark *middle = find(&scene, "strip", 1);
    assert_near(middle->width, find(&scene, "strip", 0)->width, 1e-6);
    scene_free(&scene);
    sample_results_free(results);
}

static void what_is_too_young_to_be_judged_is_blank_not_fine(void **state) {
    static const enum sample_shape shapes[] = {SAMPLE_UNHARMED};
    static const char *const names[] = {"one"};
    struct storm_results *results = sample_results(shapes, names, 1);
    double *born = sample_series(results->variants, STORM_SERIES_BORN);
    double *failed = sample_series(results->variants, STORM_SERIES_FAILED);
    struct scene scene;
    (void)state;
    for (int bin = 0; bin < 240; bin++) {
        born[bin] = bin < 100 || bin >= 120 ? 10 : 0;
        failed[bin] = bin < 100 ? 0 : (double)NAN;
    }
    draw(results, &scene);
    assert_int_equal(count(&scene, "strip"), 1);
    const struct scene_mark *judged = find(&scene, "strip", 0), *base = find(&scene, "first", 0);
    double plot = base->points[base->point_count - 2].x - base->points[0].x;
    assert_near(judged->width, plot * 100 / 240, 4); /* a cell may be some bins wide */
    scene_free(&scene);
    for (int bin = 235; bin < 240; bin++)
        failed[bin] = 0; /* but half a cell that is known is none */
    draw(results, &scene);
    assert_int_equal(count(&scene, "strip"), 2);
    assert_near(find(&scene, "strip", 1)->width, plot * 4 / 240, 1e-6);
    scene_free(&scene);
    for (int bin = 100; bin < 120; bin++)
        failed[bin] = 0; /* of no births, nothing is known nor unknown */
    draw(results, &scene);
    assert_int_equal(count(&scene, "strip"), 2);
    scene_free(&scene);
    sample_results_free(results);
}

static void without_losses_there_is_no_right_axis(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    (void)state;
    for (int i = 0; i < 4; i++)
        memset(sample_series(&results->variants[i], STORM_SERIES_DEAD), 0, 240 * sizeof(double));
    draw(results, &scene);
    assert_int_equal(count(&scene, "right-tick"), 0);
    assert_int_equal(count(&scene, "dead"), 0);
    assert_int_equal(count(&scene, "dead-label"), 0);
    assert_int_equal(count(&scene, "legend"), 4);
    scene_free(&scene);
    sample_results_free(results);
}

static void unlimited_capacity_has_no_line_and_no_factor(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    (void)state;
    for (int i = 0; i < 4; i++) {
        for (int bin = 0; bin < 240; bin++)
            sample_series(&results->variants[i], STORM_SERIES_CAPACITY)[bin] = (double)NAN;
        sample_metric(&results->variants[i], "peak_load_capacity.api")->per_run[0] = (double)NAN;
    }
    draw(results, &scene);
    assert_int_equal(count(&scene, "capacity"), 0);
    assert_int_equal(count(&scene, "capacity-label"), 0);
    assert_null(strstr(find(&scene, "subtitle", 0)->text, "serve"));
    for (uint32_t i = 0; i < count(&scene, "note-body"); i++)
        assert_null(strstr(find(&scene, "note-body", i)->text, "capacity"));
    scene_free(&scene);
    sample_results_free(results);
}

static void a_lonely_giant_peak_is_cut_and_says_so(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    (void)state;
    sample_series(&results->variants[3], STORM_SERIES_FIRST)[60] = 10000;
    sample_metric(&results->variants[3], "peak_load.api")->per_run[0] = 10075;
    draw(results, &scene);
    assert_int_equal(count(&scene, "beyond") > 0, true);
    bool is_said = false;
    for (uint32_t i = 0; i < count(&scene, "note-body"); i++)
        is_said = is_said || strstr(find(&scene, "note-body", i)->text, "off the scale") != NULL;
    assert_true(is_said);
    assert_text(&scene, "left-tick", 4, "400/s");
    assert_text(&scene, "peak", 3, "peak 10,075/s");
    scene_free(&scene);
    sample_results_free(results);
}

/* Bins begin at whole seconds, the busiest second anywhere: the label agrees with the tables. */
static void a_peak_has_its_place_from_the_bins_and_its_value_from_the_metric(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_metric *peak = sample_metric(&results->variants[0], "peak_load.api");
    struct storm_metric *factor = sample_metric(&results->variants[0], "peak_load_capacity.api");
    struct scene scene;
    (void)state;
    peak->per_run[0] = 515;
    peak->median = 999; /* of all runs, but this one is drawn */
    factor->per_run[0] = 7;
    draw(results, &scene);
    assert_text(&scene, "peak", 0, "peak 515/s");
    assert_text(&scene, "note-body", 0, "7.0" WORDS_TIMES "capacity");
    assert_non_null(strstr(scene.description, "peak 515/s"));
    double y = find(&scene, "peak", 0)->y;
    scene_free(&scene);
    peak->per_run[0] = 1234; /* but the tallest bin is drawn at 492/s */
    draw(results, &scene);
    assert_text(&scene, "peak", 0, "busiest second 1,234/s");
    scene_free(&scene);
    factor->per_run[0] = (double)NAN;
    draw(results, &scene);
    assert_string_not_equal(find(&scene, "note-body", 0)->text, "7.0" WORDS_TIMES "capacity");
    scene_free(&scene);
    peak->name = "peak_load.db"; /* nothing is known: what is drawn must do */
    draw(results, &scene);
    assert_text(&scene, "peak", 0, "peak 492/s");
    assert_near(find(&scene, "peak", 0)->y, y, 16);
    scene_free(&scene);
    sample_results_free(results);
}

/* A mean of what is bimodal would be a lie: the pill speaks of all runs even if the drawn one
   recovers. */
static void the_drawn_run_does_not_change_the_claims(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    (void)state;
    results->variants[1].verdict_per_run[0] = STORM_VERDICT_RECOVERED;
    draw(results, &scene);
    assert_text(&scene, "pill-text", 1, "never recovers");
    assert_text(&scene, "title", 0, "Exponential turns a 30-second outage into a permanent one");
    scene_free(&scene);
    sample_results_free(results);
}

static void a_run_unlike_the_others_says_that_it_is_this_run(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_metric *time = sample_metric(&results->variants[0], "time_to_recover");
    struct scene scene;
    (void)state;
    draw(results, &scene);
    assert_text(&scene, "recovered", 0, "recovered");
    assert_text(&scene, "note-body", 1, "after 3" WORDS_THIN "s");
    scene_free(&scene);
    time->per_run[0] = 78;
    time->max = 78;
    draw(results, &scene);
    assert_text(&scene, "note-body", 1, "this run: after 78" WORDS_THIN "s");
    assert_text(&scene, "pill-text", 0, "always recovers, in 3–78" WORDS_THIN "s");
    scene_free(&scene);
    sample_results_free(results);
}

/* The title of the scenario says 20 s, the command line 30 s. */
static void what_the_command_line_changed_is_named_before_it_misleads(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    char many[] =
        "faults.0.for=30s, policies.app.cap=30s, policies.app.base=1s, services.api.workers=9";
    (void)state;
    results->overrides = "faults.0.for=30s";
    draw(results, &scene);
    assert_non_null(strstr(find(&scene, "subtitle", 0)->text,
                           "Three hundred clients reconnect at once, with faults.0.for=30s"));
    assert_non_null(strstr(find(&scene, "footer", 0)->text,
                           "reconnect-herd.yaml · --set faults.0.for=30s · 100 runs"));
    scene_free(&scene);
    results->overrides = many;
    draw(results, &scene);
    assert_non_null(strstr(find(&scene, "subtitle", 0)->text, "at once, with settings changed"));
    assert_non_null(strstr(find(&scene, "footer", 0)->text, "--set faults.0.for=30s, policies"));
    check_texts(&scene);
    scene_free(&scene);
    results->overrides = "seed=3";
    results->variants[0].runs_done = 1; /* no finding: the scenario's words are the title */
    memset(results->variants[0].verdicts, 0, sizeof results->variants[0].verdicts);
    results->question = NULL;
    draw(results, &scene);
    assert_text(&scene, "title", 0, results->title);
    assert_memory_equal(find(&scene, "subtitle", 0)->text, "With seed=3. Attempts", 21);
    scene_free(&scene);
    sample_results_free(results);
}

static void faults_of_other_services_say_whose_they_are(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    (void)state;
    for (int i = 0; i < 4; i++)
        results->variants[i].spans[0] = (struct storm_span){"3 × slower", "db", 60 * STORM_SECOND,
                                                            90 * STORM_SECOND, STORM_SPAN_FAULT};
    draw(results, &scene);
    assert_text(&scene, "band-label", 0, "db: 3 × slower");
    assert_non_null(strstr(find(&scene, "subtitle", 0)->text, "; db: 3 × slower from 60"));
    scene_free(&scene);
    sample_results_free(results);
}

static void the_service_with_most_retries_is_drawn(void **state) {
    struct storm_results *results = sample_results_usual();
    double *first = sample_add_series(&results->variants[0], "queue", STORM_SERIES_FIRST);
    double *retries = sample_add_series(&results->variants[0], "queue", STORM_SERIES_RETRIES);
    struct scene scene;
    (void)state;
    first[10] = 1e6;
    draw(results, &scene);
    assert_non_null(strstr(find(&scene, "subtitle", 0)->text, "at api"));
    scene_free(&scene);
    retries[10] = 1e6;
    draw(results, &scene);
    assert_non_null(strstr(find(&scene, "subtitle", 0)->text, "at queue"));
    scene_free(&scene);
    sample_results_free(results);
}

static void the_time_axis_is_labelled_at_its_end_where_there_is_room(void **state) {
    static const struct {
        int seconds;
        const char *last, *next_to_last;
    } rows[] = {{240, "240" WORDS_THIN "s", "180"},
                {230, "230" WORDS_THIN "s", "180"},
                {189, "180" WORDS_THIN "s", "150"}}; /* nine seconds are too narrow */
    struct storm_results *results = sample_results_usual();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene;
        results->duration = rows[i].seconds * STORM_SECOND;
        results->bin_count = (uint32_t)rows[i].seconds;
        draw(results, &scene);
        uint32_t labels = count(&scene, "time-label");
        assert_text(&scene, "time-label", labels - 1, rows[i].last);
        assert_text(&scene, "time-label", labels - 2, rows[i].next_to_last);
        scene_free(&scene);
    }
    sample_results_free(results);
}

/* A plot without a free spot still says what it must, on plates instead of frayed halos. */
static void in_a_full_panel_labels_stand_on_plates(void **state) {
    static const enum sample_shape shapes[] = {SAMPLE_STUCK};
    static const char *const names[] = {"one"};
    struct storm_results *results = sample_results(shapes, names, 1);
    double *retries = sample_series(results->variants, STORM_SERIES_RETRIES);
    struct scene scene;
    (void)state;
    for (int bin = 0; bin < 240; bin++)
        retries[bin] =
            bin < 120 ? 0 : 800 - sample_series(results->variants, STORM_SERIES_FIRST)[bin];
    results->variants[0].spans[0].from = 130 * STORM_SECOND;
    results->variants[0].spans[0].to = 133 * STORM_SECOND;
    for (int full = 0; full < 2; full++) {
        for (int bin = 0; full == 1 && bin < 120; bin++)
            retries[bin] = 800 - sample_series(results->variants, STORM_SERIES_FIRST)[bin];
        draw(results, &scene);
        check_texts(&scene);
        assert_int_equal(count(&scene, "stuck"), 1);
        assert_text(&scene, "dead-label", 0, "6,487 dead letters");
        assert_int_equal(count(&scene, "band-label"), 1);
        assert_true(count(&scene, "plate") >= 2);
        uint32_t bands = 0; /* the fault's name stands on its own colour, the others on paper */
        for (uint32_t i = 0; i < count(&scene, "plate"); i++)
            bands += find(&scene, "plate", i)->role == ROLE_BAND ? 1 : 0;
        assert_int_equal(bands, 1);
        scene_free(&scene);
    }
    memset(sample_series(results->variants, STORM_SERIES_DEAD), 0, 240 * sizeof(double));
    sample_series(results->variants, STORM_SERIES_DEAD)[239] = 1;
    draw(results, &scene);
    assert_text(&scene, "dead-label", 0, "1 dead letter");
    scene_free(&scene);
    sample_results_free(results);
}

static void the_footer_leaves_out_what_a_delay_does_not_use(void **state) {
    static const struct {
        const char *growth;
        bool has_base, has_cap;
    } rows[] = {{"exponential", true, true}, {"constant", true, false}, {"none", false, false}};
    struct storm_results *results = sample_results_usual();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene;
        struct storm_setting *setting = (struct storm_setting *)&results->variants[1].settings[0];
        *setting = (struct storm_setting){"policies.app.growth", rows[i].growth};
        draw(results, &scene);
        const char *footer = find(&scene, "footer", 0)->text;
        assert_int_equal(strstr(footer, "base 1" WORDS_THIN "s") != NULL, rows[i].has_base);
        assert_int_equal(strstr(footer, "cap 10" WORDS_THIN "s") != NULL, rows[i].has_cap);
        assert_non_null(strstr(footer, "attempts 6"));
        scene_free(&scene);
    }
    sample_results_free(results);
}

static void odd_results_are_drawn_all_the_same(void **state) {
    struct storm_results *results = sample_results_usual();
    struct scene scene;
    uint32_t metric_count = 0;
    (void)state;
    for (int step = 0; step < 6; step++) {
        for (int i = 0; i < 4; i++) {
            struct storm_variant *variant = &results->variants[i];
            if (step == 0) /* all at zero */
                for (uint32_t j = 0; j < variant->series_count; j++)
                    memset(variant->series[j].values, 0, 240 * sizeof(double));
            if (step == 1) /* not even numbers */
                for (uint32_t j = 0; j < variant->series_count; j++)
                    for (int bin = 0; bin < 240; bin++)
                        variant->series[j].values[bin] = bin % 3 == 0   ? (double)NAN
                                                         : bin % 3 == 1 ? -5
                                                                        : (double)INFINITY;
            if (step == 4)
                variant->span_count = 0;
        }
        if (step == 2) {
            results->bin_count = 1;
            results->bin_width = results->duration;
        }
        if (step == 3) { /* a run cut off within its last bin, and shorter than the fault's start */
            results->bin_count = 3;
            results->bin_width = 2 * STORM_SECOND;
            results->duration = 5 * STORM_SECOND;
        }
        if (step == 5) {
            metric_count = results->variants[1].metric_count;
            results->variants[1].metric_count = 0;
            results->variants[1].setting_count = 0;
            results->variants[1].runs_done = 0;
            memset(results->variants[1].verdicts, 0, sizeof results->variants[1].verdicts);
        }
        draw(results, &scene);
        check_texts(&scene);
        assert_int_equal(count(&scene, "panel-name"), 4);
        scene_free(&scene);
    }
    results->variants[1].metric_count = metric_count; /* so that they are freed */
    sample_results_free(results);
}

static void long_and_hostile_words_stay_on_the_page(void **state) {
    struct storm_results *results = sample_results_usual();
    char longest[6000];
    struct scene scene;
    (void)state;
    memset(longest, 'W', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    for (size_t i = 9; i < sizeof longest - 1; i += 10)
        longest[i] = i % 20 == 9 ? ' ' : '\n';
    results->title = longest;
    results->question = longest + 1;
    results->file = longest;
    results->variants[0].name = longest;
    results->variants[1].name = "";
    results->variants[2].name = "<script>&amp;\xFF\xE2\x80\xAE\"";
    results->variants[2].runs_done = 3; /* the question becomes the title */
    results->variants[2].verdicts[STORM_VERDICT_RECOVERED] = 1;
    results->variants[2].verdicts[STORM_VERDICT_STUCK] = 2;
    results->variants[0].spans[0].label = longest;
    draw(results, &scene);
    check_texts(&scene);
    scene_free(&scene);
    sample_results_free(results);
}

static void what_cannot_be_drawn_is_refused_with_a_reason(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_chart_options wanted = {.service = "db"};
    struct storm_error error = {0};
    struct scene scene;
    (void)state;
    scene_init(&scene, false);
    assert_false(chart_load(results, &wanted, &scene, &error));
    assert_string_equal(error.message, "there is no service 'db' in the results");
    assert_string_equal(error.suggestion, "the only service is api");
    results->variants[3].series[0].subject = "web"; /* known in one variant only */
    assert_false(chart_load(results, &wanted, &scene, &error));
    assert_string_equal(error.suggestion, "its services are api, web");
    results->variants[3].series[0].subject = "api";
    results->variant_count = 10;
    assert_false(chart_load(results, &plain, &scene, &error));
    assert_non_null(strstr(error.message, "at most 9 variants"));
    results->variant_count = 0;
    assert_false(chart_load(results, &plain, &scene, &error));
    assert_int_equal(error.status, STORM_INVALID);
    results->variant_count = 4;
    results->bin_count = 0;
    assert_false(chart_load(results, &plain, &scene, &error));
    assert_int_equal(error.status, STORM_INVALID);
    results->bin_count = 240;
    for (int i = 0; i < 4; i++)
        results->variants[i].series_count = 0;
    assert_false(chart_load(results, &plain, &scene, &error));
    assert_non_null(strstr(error.message, "no load over time"));
    for (int i = 0; i < 4; i++)
        results->variants[i].series_count = 7;
    scene_free(&scene);
    sample_results_free(results);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_usual_chart_says_what_it_must),
        cmocka_unit_test(no_label_lies_over_another_however_many_panels),
        cmocka_unit_test(both_axes_share_the_gridlines),
        cmocka_unit_test(curves_stand_where_their_numbers_say),
        cmocka_unit_test(the_strip_has_nine_steps_and_merges_equal_cells),
        cmocka_unit_test(what_is_too_young_to_be_judged_is_blank_not_fine),
        cmocka_unit_test(without_losses_there_is_no_right_axis),
        cmocka_unit_test(unlimited_capacity_has_no_line_and_no_factor),
        cmocka_unit_test(a_lonely_giant_peak_is_cut_and_says_so),
        cmocka_unit_test(a_peak_has_its_place_from_the_bins_and_its_value_from_the_metric),
        cmocka_unit_test(the_drawn_run_does_not_change_the_claims),
        cmocka_unit_test(a_run_unlike_the_others_says_that_it_is_this_run),
        cmocka_unit_test(what_the_command_line_changed_is_named_before_it_misleads),
        cmocka_unit_test(faults_of_other_services_say_whose_they_are),
        cmocka_unit_test(the_service_with_most_retries_is_drawn),
        cmocka_unit_test(the_time_axis_is_labelled_at_its_end_where_there_is_room),
        cmocka_unit_test(in_a_full_panel_labels_stand_on_plates),
        cmocka_unit_test(the_footer_leaves_out_what_a_delay_does_not_use),
        cmocka_unit_test(odd_results_are_drawn_all_the_same),
        cmocka_unit_test(long_and_hostile_words_stay_on_the_page),
        cmocka_unit_test(what_cannot_be_drawn_is_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
