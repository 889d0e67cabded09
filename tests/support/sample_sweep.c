/* sample_sweep.c: made-up sweeps for tests of charts and reports. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/sample_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

enum { LABEL_MAX = 32, PIECES_MAX = 64 };

/* The sweep, and all its memory. */
struct sample {
    struct storm_sweep sweep;
    void *pieces[PIECES_MAX];
    uint32_t piece_count;
    uint64_t luck;
};

static void *take(struct sample *sample, size_t count, size_t size) {
    void *piece = calloc(count > 0 ? count : 1, size);
    if (piece == NULL || sample->piece_count == PIECES_MAX) {
        abort();
    }
    return sample->pieces[sample->piece_count++] = piece;
}

/* From 0 to 1, by a multiplicative generator of Knuth's. */
static double draw(struct sample *sample) {
    sample->luck = sample->luck * 6364136223846793005u + 1442695040888963407u;
    return (double)(sample->luck >> 11) / 9007199254740992.0;
}

static double number_at(const struct sample_axis *axis, double place) {
    double number = axis->is_log ? axis->from * pow(axis->to / axis->from, place)
                                 : axis->from + place * (axis->to - axis->from);
    char text[LABEL_MAX];
    snprintf(text, sizeof text, "%.4g", number);
    return strtod(text, NULL);
}

static const char *label_at(const struct sample_axis *axis, double number, char *room) {
    bool is_share = strcmp(axis->unit, "share") == 0;
    snprintf(room, LABEL_MAX, "%.4g%s", is_share ? 100 * number : number, axis->suffix);
    return room;
}

static void fill_axis(struct sample *sample, const struct sample_axis *from, bool is_grid,
                      struct storm_sweep_axis *axis) {
    *axis =
        (struct storm_sweep_axis){.path = from->path, .unit = from->unit, .is_log = from->is_log};
    axis->from = from->words != NULL ? (double)NAN : from->from;
    axis->to = from->words != NULL ? (double)NAN : from->to;
    if (!is_grid) {
        return;
    }
    const char **labels = take(sample, from->count, sizeof *labels);
    double *numbers = take(sample, from->count, sizeof *numbers);
    char *room = take(sample, from->count, LABEL_MAX);
    for (uint32_t i = 0; i < from->count; i++) {
        numbers[i] = from->words != NULL
                         ? (double)NAN
                         : number_at(from, from->count > 1 ? (double)i / (from->count - 1) : 0);
        labels[i] =
            from->words != NULL ? from->words[i] : label_at(from, numbers[i], room + i * LABEL_MAX);
    }
    axis->value_count = from->count;
    axis->labels = labels;
    axis->numbers = numbers;
}

/* Runs that recover, and what follows from how many do. */
static void fill_point(struct sample *sample, double chance, uint32_t runs,
                       struct storm_sweep_point *point) {
    point->runs = point->judged = runs;
    for (uint32_t i = 0; i < runs; i++) {
        point->good += draw(sample) < chance;
    }
    double share = (double)point->good / runs;
    point->peak_load = floor(100 * (1.2 + 6 * (1 - chance) + draw(sample))) / 100;
    point->time_to_recover = share < 0.5
                                 ? (double)INFINITY
                                 : floor(10 * (4 + 60 * (1 - share) + 20 * draw(sample))) / 10;
    point->dead_letters = floor(5000 * (1 - share) + 400 * draw(sample));
}

static void place_point(struct sample *sample, const struct sample_axis *axes, uint32_t count,
                        const double *places, const char **labels, double *numbers, char *room) {
    (void)sample;
    for (uint32_t i = 0; i < count; i++) {
        if (axes[i].words != NULL) {
            uint32_t word = (uint32_t)(places[i] * (axes[i].count - 1) + 0.5);
            numbers[i] = (double)NAN;
            labels[i] = axes[i].words[word];
        } else {
            numbers[i] = number_at(&axes[i], places[i]);
            labels[i] = label_at(&axes[i], numbers[i], room + i * LABEL_MAX);
        }
    }
}

struct storm_sweep *sample_sweep(const struct sample_axis *axes, uint32_t axis_count,
                                 uint32_t scattered, uint32_t runs, sample_chance chance) {
    struct sample *sample = calloc(1, sizeof *sample);
    if (sample == NULL || axis_count > SAMPLE_AXES_MAX) {
        abort();
    }
    sample->luck = 7;
    struct storm_sweep_axis *own = take(sample, axis_count, sizeof *own);
    uint32_t count = scattered > 0 ? scattered : 1;
    for (uint32_t i = 0; i < axis_count; i++) {
        fill_axis(sample, &axes[i], scattered == 0, &own[i]);
        count *= scattered > 0 ? 1 : axes[i].count;
    }
    struct storm_sweep_point *points = take(sample, count, sizeof *points);
    const char **labels = take(sample, (size_t)count * axis_count, sizeof *labels);
    double *numbers = take(sample, (size_t)count * axis_count, sizeof *numbers);
    char *room = take(sample, (size_t)count * axis_count, LABEL_MAX);
    for (uint32_t i = 0; i < count; i++) {
        double places[SAMPLE_AXES_MAX];
        size_t first = (size_t)i * axis_count;
        uint32_t rest = i;
        for (uint32_t j = axis_count; j-- > 0;) {
            places[j] = scattered > 0       ? draw(sample)
                        : axes[j].count > 1 ? (double)(rest % axes[j].count) / (axes[j].count - 1)
                                            : 0;
            rest = axes[j].count > 0 ? rest / axes[j].count : rest;
        }
        place_point(sample, axes, axis_count, places, labels + first, numbers + first,
                    room + first * LABEL_MAX);
        points[i].labels = labels + first;
        points[i].numbers = numbers + first;
        fill_point(sample, chance(places), runs, &points[i]);
    }
    sample->sweep = (struct storm_sweep){.title = "Ten thousand sessions lose their server",
                                         .question = "Which back-off lets the service come back?",
                                         .file = "thundering-herd.yaml",
                                         .overrides = "",
                                         .hash = "3f2a91c04b7788aa",
                                         .seed = 7,
                                         .runs = runs,
                                         .complete = true,
                                         .axis_count = axis_count,
                                         .axes = own,
                                         .point_count = count,
                                         .points = points};
    sample_find_front(&sample->sweep);
    return &sample->sweep;
}

void sample_sweep_free(struct storm_sweep *sweep) {
    struct sample *sample = (struct sample *)sweep;
    for (uint32_t i = 0; i < sample->piece_count; i++) {
        free(sample->pieces[i]);
    }
    free(sample);
}

struct storm_sweep_point *sample_point(struct storm_sweep *sweep, uint32_t index) {
    assert_true(index < sweep->point_count);
    return (struct storm_sweep_point *)&sweep->points[index];
}

static bool beats(const struct storm_sweep_point *a, const struct storm_sweep_point *b) {
    return a->peak_load <= b->peak_load && a->time_to_recover <= b->time_to_recover &&
           a->dead_letters <= b->dead_letters &&
           (a->peak_load < b->peak_load || a->time_to_recover < b->time_to_recover ||
            a->dead_letters < b->dead_letters);
}

void sample_find_front(struct storm_sweep *sweep) {
    for (uint32_t i = 0; i < sweep->point_count; i++) {
        bool is_front = true;
        for (uint32_t j = 0; j < sweep->point_count; j++) {
            is_front = is_front && !beats(&sweep->points[j], &sweep->points[i]);
        }
        sample_point(sweep, i)->is_front = is_front;
    }
}

static double cliff(double distance, double width) { return 1 / (1 + exp(-distance / width)); }

double sample_sharp(const double *places) { return places[0] > 0.9 * places[1] - 0.02 ? 1 : 0; }

double sample_soft(const double *places) { return cliff(places[0] - 0.9 * places[1], 0.06); }

double sample_wall(const double *places) { return cliff(0.5 - places[0], 0.05); }

struct storm_sweep *sample_sweep_usual(void) {
    static const struct sample_axis axes[] = {{"policies.app.cap", "s", "s", true, 1, 60, 10, NULL},
                                              {"faults.0.for", "s", "s", false, 5, 45, 9, NULL}};
    return sample_sweep(axes, 2, 0, 100, sample_soft);
}
