/* survey.c: every run of every point of a sweep, in blocks that are kept as they come. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A scenario lives as long as the document it was decoded from, so each block of points parses a
   fresh one: memory does not grow with the number of points. */

#include "search/survey.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <retrystorm/run.h>

#include "base/arena.h"
#include "trials/fingerprint.h"

/* A block is what makes about so many events, as far as the one before tells: about a second. */
#define BLOCK_EVENTS UINT64_C(5000000)

enum { BLOCK_LEAST = 16, BLOCK_FIRST = 32, BLOCK_MOST = 4096, BLOCK_POINTS = 128 };

struct survey {
    struct survey_plan plan;
    struct survey_facts facts;
    struct storm_metric *metrics; /* those of the facts */
    uint32_t metric_room;
    struct arena *arena;
    uint32_t block; /* runs of the next block */
};

/* ---- the scenario at a point ----------------------------------------------------------------- */

static struct storm_document *open_document(const struct survey_plan *plan,
                                            struct storm_errors *errors) {
    struct storm_document *document = storm_document_parse(plan->text, plan->length, errors);
    if (document != NULL && !storm_document_locate(document, plan->file)) {
        storm_document_free(document);
        return NULL;
    }
    return document;
}

static const struct storm_scenario *decode(const struct survey_plan *plan, uint32_t point,
                                           struct storm_document *document, struct arena *arena,
                                           struct storm_errors *errors) {
    const struct points *points = plan->points;
    const char *variant = plan->variant;
    struct storm_override *sets =
        arena_take_array(arena, plan->set_count + points->axis_count, sizeof *sets);
    size_t count = plan->set_count;
    if (sets == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < plan->set_count; i++) {
        sets[i] = plan->sets[i];
    }
    for (uint32_t a = 0; a < points->axis_count; a++) {
        const char *value = points->values[(size_t)point * points->axis_count + a].text;
        if (strcmp(points->axes[a].path, "variant") == 0) {
            variant = value;
        } else {
            sets[count++] = (struct storm_override){points->axes[a].path, value};
        }
    }
    return storm_document_decode(document, variant, sets, count, errors);
}

const char *survey_point_words(const struct points *points, uint32_t point, char *buffer,
                               size_t size) {
    size_t used = 0;
    assert(point < points->count && size > 0);
    for (uint32_t a = 0; a < points->axis_count && used < size; a++) {
        used += (size_t)snprintf(buffer + used, size - used, "%s%s=%s", a > 0 ? ", " : "",
                                 points->axes[a].path,
                                 points->values[(size_t)point * points->axis_count + a].text);
    }
    return buffer;
}

/* ---- what all points have in common ---------------------------------------------------------- */

/* The place of a metric in the union, which is mostly the one it has at its point; UINT32_MAX: it
   has none. */
static uint32_t place_of(const struct survey *survey, const char *name, uint32_t likely) {
    if (likely < survey->facts.metric_count && strcmp(survey->metrics[likely].name, name) == 0) {
        return likely;
    }
    for (uint32_t i = 0; i < survey->facts.metric_count; i++) {
        if (strcmp(survey->metrics[i].name, name) == 0) {
            return i;
        }
    }
    return UINT32_MAX;
}

static const char *keep_text(struct survey *survey, const char *text) {
    return arena_copy_string(survey->arena, text, strlen(text));
}

/* Adds a metric to the union. Names of services are the document's, which does not last. */
static bool add_metric(struct survey *survey, const struct storm_metric *metric) {
    struct survey_facts *facts = &survey->facts;
    if (facts->metric_count == survey->metric_room) {
        uint32_t room = survey->metric_room > 0 ? 2 * survey->metric_room : 128;
        struct storm_metric *grown = arena_grow_array(survey->arena, survey->metrics,
                                                      facts->metric_count, room, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        survey->metrics = grown;
        survey->metric_room = room;
    }
    struct storm_metric *kept = &survey->metrics[facts->metric_count];
    *kept = *metric;
    kept->name = keep_text(survey, metric->name);
    kept->unit = keep_text(survey, metric->unit);
    kept->help = keep_text(survey, metric->help);
    facts->metrics = survey->metrics;
    facts->metric_count++;
    return kept->name != NULL && kept->unit != NULL && kept->help != NULL;
}

/* Adds what one point has. */
static bool add_point(struct survey *survey, struct storm_document *document,
                      const struct storm_scenario *scenario, struct arena *passing) {
    const struct storm_setting *settings = NULL;
    size_t setting_count = storm_document_settings(document, scenario, &settings);
    uint32_t count = 0;
    const struct storm_metric *metrics = storm_run_metrics(scenario, passing, &count);
    if (setting_count == 0 || metrics == NULL) {
        return false;
    }
    survey->facts.hash =
        fingerprint_settings(survey->facts.hash, settings, (uint32_t)setting_count);
    for (uint32_t i = 0; i < count; i++) {
        if (place_of(survey, metrics[i].name, i) == UINT32_MAX &&
            !add_metric(survey, &metrics[i])) {
            return false;
        }
    }
    return true;
}

/* Decodes some points. Returns the first that is wrong, or `end`. */
static uint32_t look_at_points(struct survey *survey, uint32_t begin, uint32_t end,
                               struct storm_errors *errors, struct storm_error *error) {
    struct storm_document *document = open_document(&survey->plan, errors);
    struct arena passing;
    uint32_t point = begin;
    bool good = document != NULL;
    arena_init(&passing, (size_t)-1);
    while (good && point < end) {
        const struct storm_scenario *scenario =
            decode(&survey->plan, point, document, &passing, errors);
        good = scenario != NULL && add_point(survey, document, scenario, &passing);
        point += good ? 1 : 0;
    }
    if (!good && errors->count == 0) {
        storm_fail(error, STORM_LIMIT, "no memory for %u points", survey->plan.points->count);
    }
    arena_free(&passing);
    storm_document_free(document);
    return point;
}

struct survey *survey_new(const struct survey_plan *plan, struct arena *arena, uint32_t *point,
                          struct storm_errors *errors, struct storm_error *error) {
    uint32_t count = plan->points->count;
    struct survey *survey = arena_take(arena, sizeof *survey);
    assert(plan->runs > 0 && count > 0);
    *point = 0;
    if (survey == NULL) {
        storm_fail(error, STORM_LIMIT, "no memory for %u points", count);
        return NULL;
    }
    *survey = (struct survey){.plan = *plan, .arena = arena, .block = BLOCK_FIRST};
    while (*point < count) {
        uint32_t end = count - *point > BLOCK_POINTS ? *point + BLOCK_POINTS : count;
        *point = look_at_points(survey, *point, end, errors, error);
        if (*point < end) {
            return NULL;
        }
    }
    return survey;
}

const struct survey_facts *survey_facts(const struct survey *survey) { return &survey->facts; }

/* ---- runs ------------------------------------------------------------------------------------ */

/* One block: its jobs, and what came of them. */
struct block {
    struct arena arena;
    struct storm_document *document;
    uint32_t count, points;
    uint64_t next; /* number of the run at which the next block begins to look */
    struct batch_job *jobs;
    struct storm_sweep_run *runs;
    struct storm_run_result *results;
};

static uint64_t count_all(const struct survey *survey) {
    return (uint64_t)survey->plan.points->count * survey->plan.runs;
}

/* Adds a run to the block. False after an error, or when its point would be one too many. */
static bool add_run(const struct survey *survey, struct block *block, uint64_t number,
                    struct storm_errors *errors) {
    uint32_t point = (uint32_t)(number / survey->plan.runs);
    uint32_t run = (uint32_t)(number % survey->plan.runs);
    uint32_t last = block->count - 1; /* when there is one */
    const struct storm_scenario *scenario = NULL;
    if (block->count > 0 && block->runs[last].point == point) {
        scenario = block->jobs[last].scenario;
    } else if (block->points < BLOCK_POINTS) {
        scenario = decode(&survey->plan, point, block->document, &block->arena, errors);
        block->points++;
    }
    if (scenario == NULL) {
        return false;
    }
    block->jobs[block->count] = (struct batch_job){.scenario = scenario, .run = run};
    block->runs[block->count++] = (struct storm_sweep_run){.point = point, .run = run};
    return true;
}

/* Gathers the next runs that are wanted. False without memory: every point could be decoded
   before. */
static bool gather(const struct survey *survey, const struct survey_sink *sink,
                   struct block *block) {
    struct storm_errors errors = {0};
    uint64_t all = count_all(survey);
    arena_init(&block->arena, (size_t)-1);
    block->document = open_document(&survey->plan, &errors);
    block->jobs = arena_take_array(&block->arena, survey->block, sizeof *block->jobs);
    block->runs = arena_take_array(&block->arena, survey->block, sizeof *block->runs);
    block->results = arena_take_array(&block->arena, survey->block, sizeof *block->results);
    block->count = block->points = 0;
    if (block->document == NULL || block->jobs == NULL || block->runs == NULL ||
        block->results == NULL) {
        return false;
    }
    while (block->count < survey->block && block->next < all) {
        if (sink->wants(sink->context, block->next) &&
            !add_run(survey, block, block->next, &errors)) {
            break;
        }
        block->next++;
    }
    return errors.count == 0 && (block->count > 0 || block->next == all);
}

/* Where the metrics of a scenario are in the union. */
struct places {
    uint32_t count;
    uint32_t *place; /* [count] */
};

static bool find_places(const struct survey *survey, const struct storm_scenario *scenario,
                        struct arena *arena, struct places *places) {
    const struct storm_metric *metrics = storm_run_metrics(scenario, arena, &places->count);
    places->place = arena_take_array(arena, places->count, sizeof *places->place);
    for (uint32_t i = 0; metrics != NULL && places->place != NULL && i < places->count; i++) {
        places->place[i] = place_of(survey, metrics[i].name, i);
        assert(places->place[i] != UINT32_MAX);
    }
    return metrics != NULL && places->place != NULL;
}

/* A run as it is kept. */
static bool spread(const struct survey *survey, const struct places *places,
                   const struct storm_run_result *result, struct arena *arena,
                   struct storm_sweep_run *run) {
    run->values = arena_take_array(arena, survey->facts.metric_count, sizeof *run->values);
    if (run->values == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < survey->facts.metric_count; i++) {
        run->values[i] = (double)NAN;
    }
    for (uint32_t i = 0; i < places->count; i++) {
        run->values[places->place[i]] = result->metrics[i];
    }
    run->verdict = result->verdict;
    run->duration = storm_time_to_seconds(result->duration);
    run->digest = result->digest;
    return true;
}

static bool spread_all(const struct survey *survey, struct block *block, uint32_t done) {
    struct places places = {.count = 0};
    for (uint32_t i = 0; i < done; i++) {
        const struct storm_scenario *scenario = block->jobs[i].scenario;
        bool same = i > 0 && scenario == block->jobs[i - 1].scenario;
        if ((!same && !find_places(survey, scenario, &block->arena, &places)) ||
            !spread(survey, &places, &block->results[i], &block->arena, &block->runs[i])) {
            return false;
        }
    }
    return true;
}

/* Makes the runs of a block and hands over those that were made. */
static bool do_block(struct survey *survey, const struct survey_sink *sink, struct block *block,
                     struct storm_error *error) {
    struct storm_error later;
    uint64_t events = 0;
    uint32_t done = batch_run(&survey->plan.rules, block->jobs, block->count, block->results,
                              &block->arena, error);
    for (uint32_t i = 0; i < done; i++) {
        events += block->results[i].events;
    }
    if (!spread_all(survey, block, done)) {
        return storm_fail(error, STORM_LIMIT, "no memory for the results of %u runs", done);
    }
    bool good = done == block->count;
    if (!good && error->status != STORM_INTERRUPTED) {
        survey_point_words(survey->plan.points, block->runs[done].point, error->path,
                           sizeof error->path);
    }
    if (done > 0 && !sink->keep(sink->context, block->runs, done, good ? error : &later)) {
        return false;
    }
    double wanted = (double)BLOCK_EVENTS * done / (double)(events + 1);
    survey->block = wanted < BLOCK_LEAST  ? BLOCK_LEAST
                    : wanted > BLOCK_MOST ? BLOCK_MOST
                                          : (uint32_t)wanted;
    return good;
}

bool survey_run(struct survey *survey, const struct survey_sink *sink, struct storm_error *error) {
    struct block block = {.next = 0};
    bool good = true, more = true;
    while (good && more) {
        good = gather(survey, sink, &block) ||
               storm_fail(error, STORM_LIMIT, "no memory for the next runs");
        more = block.count > 0;
        good = good && (!more || do_block(survey, sink, &block, error));
        arena_free(&block.arena);
        storm_document_free(block.document);
    }
    return good;
}
