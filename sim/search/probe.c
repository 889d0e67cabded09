/* probe.c: runs of one scenario at points of a search; no run is made twice. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants:
   1. Every place stands for another point: keys differ.
   2. The results of a place are those of its runs 0 .. done - 1. */

#include "search/probe.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/stream.h"
#include "base/suggest.h"

enum { KEY_MAX = 8192 };

/* A point that runs were made at. */
struct place {
    const char *key;
    uint32_t done, room;
    struct storm_run_result *results;   /* [room] */
    uint64_t *courses;                  /* [room], of what happened in each run */
    const struct storm_variant *folded; /* of all of them; NULL: not yet */
};

struct probe {
    struct probe_plan plan;
    struct arena *arena;
    uint64_t runs;
    uint32_t count, room;
    struct place *places; /* [room] */
};

/* A scenario at a point, for as long as a call takes. */
struct opened {
    struct storm_document *document;
    const struct storm_scenario *scenario;
};

struct probe *probe_new(const struct probe_plan *plan, struct arena *arena) {
    struct probe *probe = arena_take(arena, sizeof *probe);
    if (probe != NULL) {
        *probe = (struct probe){.plan = *plan, .arena = arena};
    }
    return probe;
}

uint64_t probe_run_count(const struct probe *probe) { return probe->runs; }

/* ---- the scenario at a point ----------------------------------------------------------------- */

/* Without memory alone there is nothing in `errors`. */
static bool fail_memory(const struct storm_errors *errors, struct storm_error *error) {
    return storm_fail(error, errors->count > 0 ? STORM_INVALID : STORM_LIMIT, "%s",
                      errors->count > 0 ? errors->list[0].message
                                        : "no memory for one more point of the search");
}

/* Closed with close_point, whatever it returned. */
static bool open_point(const struct probe *probe, const struct probe_point *point,
                       struct opened *opened, struct storm_errors *errors,
                       struct storm_error *error) {
    const struct probe_plan *plan = &probe->plan;
    size_t count = plan->set_count + point->set_count;
    struct storm_override *sets = arena_take_array(probe->arena, count + 1, sizeof *sets);
    *opened = (struct opened){.document = storm_document_parse(plan->text, plan->length, errors)};
    if (opened->document == NULL || sets == NULL ||
        !storm_document_locate(opened->document, plan->file)) {
        return fail_memory(errors, error);
    }
    for (size_t i = 0; i < count; i++) {
        sets[i] = i < plan->set_count ? plan->sets[i] : point->sets[i - plan->set_count];
    }
    opened->scenario = storm_document_decode(
        opened->document, point->variant != NULL ? point->variant : plan->variant, sets, count,
        errors);
    return opened->scenario != NULL || fail_memory(errors, error);
}

static void close_point(struct opened *opened) { storm_document_free(opened->document); }

/* ---- places ---------------------------------------------------------------------------------- */

static const char *write_key(const struct probe_point *point, char key[KEY_MAX]) {
    size_t used =
        (size_t)snprintf(key, KEY_MAX, "%s", point->variant != NULL ? point->variant : "");
    for (size_t i = 0; i < point->set_count && used < KEY_MAX; i++) {
        used += (size_t)snprintf(key + used, KEY_MAX - used, "\n%s=%s", point->sets[i].path,
                                 point->sets[i].value);
    }
    return key;
}

static struct place *find_place(const struct probe *probe, const struct probe_point *point) {
    char key[KEY_MAX];
    write_key(point, key);
    for (uint32_t i = 0; i < probe->count; i++) {
        if (strcmp(probe->places[i].key, key) == 0) {
            return &probe->places[i];
        }
    }
    return NULL;
}

/* The place of a point, made if need be (1). NULL at the arena's limit. */
static struct place *take_place(struct probe *probe, const struct probe_point *point) {
    struct place *place = find_place(probe, point);
    char key[KEY_MAX];
    if (place != NULL) {
        return place;
    }
    if (probe->count == probe->room) {
        uint32_t room = probe->room > 0 ? 2 * probe->room : 64;
        struct place *grown =
            arena_grow_array(probe->arena, probe->places, probe->count, room, sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        probe->places = grown;
        probe->room = room;
    }
    place = &probe->places[probe->count];
    *place =
        (struct place){.key = arena_copy_string(probe->arena, key, strlen(write_key(point, key)))};
    probe->count += place->key != NULL;
    return place->key != NULL ? place : NULL;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* What happened, when, where and to whom as one number. The keys are left out: they are drawn anew
   in every run, even where nothing comes of it. */
static void hear_course(void *context, const struct storm_fact *fact) {
    uint64_t *course = context;
    uint64_t what = (uint64_t)fact->kind << 48 | (uint64_t)fact->status << 32 |
                    (uint64_t)fact->place << 16 | fact->attempts;
    *course = stream_mix64(*course + (uint64_t)fact->time);
    *course = stream_mix64(*course + (what ^ (uint64_t)fact->member << 20));
}

/* Makes the runs that are missing (2): those that could be made stay. */
static bool make_runs(struct probe *probe, struct place *place,
                      const struct storm_scenario *scenario, uint32_t runs,
                      struct storm_error *error) {
    uint32_t missing = runs - place->done;
    struct storm_run_result *results =
        arena_grow_array(probe->arena, place->results, place->room, runs, sizeof *results);
    uint64_t *courses =
        arena_grow_array(probe->arena, place->courses, place->room, runs, sizeof *courses);
    struct batch_job *jobs = arena_take_array(probe->arena, missing, sizeof *jobs);
    if (results == NULL || courses == NULL || jobs == NULL) {
        return storm_fail(error, STORM_LIMIT, "no memory for the results of %u runs", runs);
    }
    place->results = results;
    place->courses = courses;
    place->room = runs;
    place->folded = NULL;
    for (uint32_t i = 0; i < missing; i++) {
        courses[place->done + i] = 0;
        jobs[i] = (struct batch_job){.scenario = scenario,
                                     .run = place->done + i,
                                     .also = {hear_course, &courses[place->done + i]}};
    }
    uint32_t done =
        batch_run(&probe->plan.rules, jobs, missing, results + place->done, probe->arena, error);
    place->done += done;
    probe->runs += done;
    return done == missing;
}

const struct storm_variant *probe_runs(struct probe *probe, const struct probe_point *point,
                                       uint32_t runs, struct storm_errors *errors,
                                       struct storm_error *error) {
    struct place *place = take_place(probe, point);
    assert(runs > 0 && point->set_count <= PROBE_AXES_MAX);
    if (place == NULL) {
        storm_fail(error, STORM_LIMIT, "no memory for one more point of the search");
        return NULL;
    }
    if (place->done >= runs && place->folded != NULL) {
        return place->folded;
    }
    struct opened opened;
    bool good = open_point(probe, point, &opened, errors, error);
    good = good && (place->done >= runs || make_runs(probe, place, opened.scenario, runs, error));
    if (good) {
        place->folded =
            batch_fold(point->variant, opened.scenario, place->results, place->done, probe->arena);
        if (place->folded == NULL) {
            storm_fail(error, STORM_LIMIT, "no memory for the results of %u runs", runs);
        }
    }
    close_point(&opened);
    return good ? place->folded : NULL;
}

bool probe_is_alike(const struct probe *probe, const struct probe_point *point) {
    const struct place *place = find_place(probe, point);
    for (uint32_t i = 1; place != NULL && i < place->done; i++) {
        if (place->courses[i] != place->courses[0]) {
            return false;
        }
    }
    return place != NULL && place->done > 1;
}

/* ---- questions without runs ------------------------------------------------------------------ */

const struct storm_variant *probe_metrics(struct probe *probe, const struct probe_point *point,
                                          struct storm_errors *errors, struct storm_error *error) {
    struct opened opened;
    struct storm_variant *variant = NULL;
    if (open_point(probe, point, &opened, errors, error)) {
        variant = batch_fold(point->variant, opened.scenario, NULL, 0, probe->arena);
        if (variant == NULL) {
            storm_fail(error, STORM_LIMIT, "no memory for the names of the metrics");
        }
    }
    close_point(&opened);
    return variant;
}

/* The value of a path among settings; NULL after filling `error`. */
static const char *find_setting(const struct storm_setting *settings, size_t count,
                                const char *path, struct arena *arena, struct storm_error *error) {
    struct suggest suggest = suggest_begin(path);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(settings[i].path, path) == 0) {
            const char *copy =
                arena_copy_string(arena, settings[i].value, strlen(settings[i].value));
            if (copy == NULL) {
                storm_fail(error, STORM_LIMIT, "no memory for the value of a setting");
            }
            return copy;
        }
        suggest_offer(&suggest, settings[i].path);
    }
    storm_fail(error, STORM_INVALID, "the scenario as it stands has no setting '%.120s'", path);
    if (suggest.best != NULL) {
        suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    }
    return NULL;
}

const char *probe_setting(struct probe *probe, const struct probe_point *point, const char *path,
                          struct storm_errors *errors, struct storm_error *error) {
    struct opened opened;
    const char *value = NULL;
    if (open_point(probe, point, &opened, errors, error)) {
        const struct storm_setting *settings = NULL;
        size_t count = storm_document_settings(opened.document, opened.scenario, &settings);
        value = find_setting(settings, count, path, probe->arena, error);
    }
    close_point(&opened);
    return value;
}
