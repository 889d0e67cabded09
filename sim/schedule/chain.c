/* chain.c: delays that each depend on the last one (decorrelated jitter): their laws, and the law
   of the sum together with the last delay. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The last delay lies on nodes that grow by a fixed ratio of which the rule's factor is a power, so
   that the edges of the first windows are nodes. A mass between two nodes is shared between both,
   which keeps its mean. One more state stands for "exactly at the cap".

   Invariants
   1. x[0] = base < x[1] < ... < x[nodes - 1] = top, the largest delay that matters.
   2. In the sums, mass [i][j] is the probability that the last delay was x[i] (i = nodes: the cap)
      and the tries so far ended with one at j steps, all before the moment, which is SUM_STEPS
      steps; what the sharing puts at the moment or later stays in the last column, before it.
   3. A call whose delays so far were all the cap (at the beginning: none) is at one exact moment;
      it is kept apart as the atom, and is in no mass of the grid between two steps.
   Next delays from state i are uniform on the state's window, cut at the cap. */

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/mathx.h"
#include "policy/delay.h"
#include "schedule/laws.h"

enum { LAW_NODES = 1 << 15, SUM_NODES = 512, SUM_STEPS = 2048, SUM_COLUMNS = SUM_STEPS + 1 };

/* Where the next delay goes from a state: whole cells [from, to) between nodes, and the parts of
   the two cells at the edges, already as masses of nodes first, first + 1, last and last + 1. */
struct window {
    double low, high; /* before the cap cuts it */
    double end;       /* of what lies on nodes */
    double density;
    double at_cap;
    uint32_t first, from, to, last;
    double first_low, first_high, last_low, last_high;
};

struct chain {
    const struct storm_delay *delay;
    double cap, top;
    uint32_t nodes;
    double *x;
    struct window *windows; /* of each node, and of the cap */
    double *mass, *cells;
};

static uint32_t states(const struct chain *chain) { return chain->nodes + 1; }

/* The cell [x[i], x[i + 1]] that a value lies in. */
static uint32_t cell_of(const struct chain *chain, double value) {
    uint32_t low = 0, high = chain->nodes - 1;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (chain->x[middle] <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Shares a mass at a value of cell i between the cell's nodes. */
static void share(const struct chain *chain, uint32_t i, double value, double mass, double *low,
                  double *high) {
    double part = (value - chain->x[i]) / (chain->x[i + 1] - chain->x[i]);
    *low = mass * (1 - part);
    *high = mass * part;
}

/* Spreads the part [low, high] of a window of this density over the nodes. */
static void window_spread(const struct chain *chain, double low, double high,
                          struct window *window) {
    uint32_t i = cell_of(chain, low), j = cell_of(chain, high);
    window->first = i;
    window->last = j;
    window->from = i + 1;
    window->to = i + 1 < j ? j : i + 1;
    double edge = i == j ? high : chain->x[i + 1];
    share(chain, i, (low + edge) / 2, window->density * (edge - low), &window->first_low,
          &window->first_high);
    if (i < j) {
        share(chain, j, (chain->x[j] + high) / 2, window->density * (high - chain->x[j]),
              &window->last_low, &window->last_high);
    }
}

static struct window window_of(const struct chain *chain, double last) {
    const struct storm_delay *delay = chain->delay;
    bool from_last = delay->decorrelated_low == STORM_DECORRELATED_PREVIOUS;
    struct window window = {.low = from_last ? last : delay->base, .high = delay->factor * last};
    window.high = from_last ? fmin(window.high, chain->cap) : window.high;
    double end = fmin(fmin(window.high, chain->cap), chain->top);
    window.end = fmax(end, window.low);
    if (window.high <= window.low) { /* no width is left: every later delay is the same */
        window.first = cell_of(chain, fmin(window.low, chain->top));
        window.from = window.to = window.last = window.first;
        share(chain, window.first, fmin(window.low, chain->top), 1, &window.first_low,
              &window.first_high);
        return window;
    }
    window.density = 1 / (window.high - window.low);
    if (window.high > chain->cap) {
        window.at_cap = (window.high - chain->cap) * window.density;
    }
    window_spread(chain, fmin(window.low, end), end, &window);
    return window;
}

/* Nodes from the base to `top`, at most `most` of them. */
static bool chain_make(struct chain *chain, const struct storm_delay *delay, double top,
                       uint32_t most, struct arena *arena) {
    *chain = (struct chain){.delay = delay, .cap = fmin(delay->cap, DELAY_CEILING)};
    chain->top = fmax(fmin(top, chain->cap), delay->base * 1.001);
    double spans = mathx_log(chain->top / delay->base) / mathx_log(delay->factor);
    double per_factor = floor((most - 2) / spans);
    assert(per_factor >=
           1); /* delays from 1 ns to DELAY_CEILING are 200 steps of a factor of 1.25 */
    uint32_t inner = (uint32_t)ceil(spans * per_factor - 1e-9);
    inner = inner < 1 ? 1 : inner;
    chain->nodes = inner + 1;
    chain->x = arena_take_array(arena, states(chain), sizeof *chain->x);
    chain->windows = arena_take_array(arena, states(chain), sizeof *chain->windows);
    if (chain->x == NULL || chain->windows == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < inner; i++) {
        chain->x[i] = delay->base * mathx_pow(delay->factor, i / per_factor);
    }
    chain->x[0] = delay->base;
    chain->x[inner] = chain->top;
    chain->x[inner + 1] = chain->cap;
    assert(inner == 0 || chain->x[inner - 1] < chain->top); /* invariant 1 */
    for (uint32_t i = 0; i < states(chain); i++) {
        chain->windows[i] = window_of(chain, chain->x[i]);
    }
    return true;
}

/* One step of `width` masses for each state: from `now` to `next`, which comes in zeroed, as do the
   cells. In column j only delays below reach[j], in cell reach_cell[j], are followed. */
struct step {
    const double *now;
    double *cells, *next;
    const double *reach;
    const uint32_t *reach_cell;
    const double *cap_within; /* the share of the column from which the cap is within reach */
    size_t width;
};

/* Spreads the masses of one state in the columns from `begin` to `end`, whose reach is beyond its
   window. */
static void spread_whole(const struct chain *chain, const struct step *step, uint32_t state,
                         size_t begin, size_t end) {
    const struct window *w = &chain->windows[state];
    size_t width = step->width;
    const double *row = step->now + state * width;
    double *first = step->next + w->first * width, *last = step->next + w->last * width;
    double *from = step->cells + w->from * width, *to = step->cells + w->to * width;
    for (size_t j = begin; j < end; j++) {
        double mass = row[j];
        from[j] += mass * w->density;
        to[j] -= mass * w->density;
        first[j] += mass * w->first_low;
        first[j + width] += mass * w->first_high;
        last[j] += mass * w->last_low; /* 0 where first and last are one cell */
        last[j + width] += mass * w->last_high;
    }
}

/* Spreads one mass over the part of its window that is within reach. */
static void spread_cut(const struct chain *chain, const struct step *step, uint32_t state,
                       size_t j) {
    const struct window *w = &chain->windows[state];
    double mass = step->now[state * step->width + j], reach = step->reach[j], low, high;
    uint32_t last = step->reach_cell[j];
    if (mass == 0 || reach <= w->low) {
        return;
    }
    double *at = step->next + j, begin = w->low;
    if (last > w->first) {
        at[w->first * step->width] += mass * w->first_low;
        at[(w->first + 1) * step->width] += mass * w->first_high;
        step->cells[w->from * step->width + j] += mass * w->density;
        step->cells[last * step->width + j] -= mass * w->density;
        begin = chain->x[last];
    }
    share(chain, last, (begin + reach) / 2, mass * w->density * (reach - begin), &low, &high);
    at[last * step->width] += low;
    at[(last + 1) * step->width] += high;
}

/* The masses of one state that go to the cap. */
static void spread_cap(const struct chain *chain, const struct step *step, uint32_t state) {
    double share_at_cap = chain->windows[state].at_cap;
    const double *row = step->now + state * step->width;
    double *cap = step->next + chain->nodes * step->width;
    for (size_t j = 0; share_at_cap > 0 && j < step->width; j++) {
        cap[j] += row[j] * share_at_cap * step->cap_within[j];
    }
}

/* The cells hold where densities begin and end: added up, the density in each cell. */
static void cells_fill(const struct chain *chain, const struct step *step) {
    for (uint32_t i = 0; i + 1 < chain->nodes; i++) {
        double half = (chain->x[i + 1] - chain->x[i]) / 2;
        double *cell = step->cells + i * step->width, *low = step->next + i * step->width;
        for (size_t j = 0; j < step->width; j++) {
            cell[j + step->width] += cell[j];
            low[j] += cell[j] * half;
            low[j + step->width] += cell[j] * half;
        }
    }
}

static void chain_step(const struct chain *chain, const struct step *step) {
    assert(step->width > 0);
    for (uint32_t i = 0; i < states(chain); i++) {
        size_t whole = 0; /* the reach falls from column to column */
        while (whole < step->width && step->reach[whole] > chain->windows[i].end) {
            whole++;
        }
        spread_whole(chain, step, i, 0, whole);
        for (size_t j = whole; j < step->width; j++) {
            spread_cut(chain, step, i, j);
        }
        spread_cap(chain, step, i);
    }
    cells_fill(chain, step);
}

/* ---- the law of one delay -------------------------------------------------------------------- */

/* The value below which the share p of the mass lies: straight lines between nodes, whose mass lies
   half on each side. */
static double quantile(const struct chain *chain, const double *mass, double p) {
    double below = 0, at = mass[0] / 2, from = chain->x[0];
    if (p <= at) {
        return from;
    }
    for (uint32_t i = 1; i < chain->nodes; i++) {
        below = at;
        at += (mass[i - 1] + mass[i]) / 2;
        if (at >= p) {
            return chain->x[i - 1] + (chain->x[i] - chain->x[i - 1]) * (p - below) / (at - below);
        }
    }
    return chain->cap;
}

static void law_read(const struct chain *chain, const double *mass, struct schedule_delay *law) {
    double squares = 0;
    law->mean = 0;
    for (uint32_t i = 0; i < states(chain); i++) {
        law->mean += mass[i] * chain->x[i];
        squares += mass[i] * chain->x[i] * chain->x[i];
    }
    law->variance = fmax(0, squares - law->mean * law->mean);
    law->at_cap = mass[chain->nodes];
    law->q05 = quantile(chain, mass, 0.05);
    law->median = quantile(chain, mass, 0.5);
    law->q95 = quantile(chain, mass, 0.95);
}

/* Mean and square of the next delay while no cap cuts it: exact. */
static void law_grow(const struct storm_delay *delay, double *mean, double *square) {
    double f = delay->factor, b = delay->base;
    if (delay->decorrelated_low == STORM_DECORRELATED_PREVIOUS) {
        *mean *= (1 + f) / 2;
        *square *= (1 + f + f * f) / 3;
        return;
    }
    *square = (b * b + b * f * *mean + f * f * *square) / 3;
    *mean = (b + f * *mean) / 2;
}

/* The first delay of some rules is the base itself. */
static bool begins_plain(const struct storm_delay *delay) { return delay->plain_first > 0; }

static void describe(struct schedule *schedule, const struct chain *chain, double *mass,
                     double *cells, double *next) {
    const struct storm_delay *delay = chain->delay;
    double mean = delay->base, square = delay->base * delay->base, high = delay->base;
    const double endless = HUGE_VAL, all = 1;
    const uint32_t cell = 0;
    mass[0] = 1;
    for (uint32_t k = 0; k < schedule->count; k++) {
        struct schedule_delay *law = &schedule->delays[k];
        if (k > 0 || !begins_plain(delay)) {
            memset(cells, 0, (chain->nodes + 2) * sizeof *cells);
            memset(next, 0, (chain->nodes + 2) * sizeof *next);
            chain_step(chain, &(struct step){mass, cells, next, &endless, &cell, &all, 1});
            memcpy(mass, next, states(chain) * sizeof *mass);
            law_grow(delay, &mean, &square);
            high *= delay->factor;
        }
        law_read(chain, mass, law);
        bool is_fixed = k == 0 && begins_plain(delay);
        law->low = delay->base;
        law->high = is_fixed ? law->low : fmin(high, chain->cap);
        if (high <= chain->cap) {
            law->mean = mean;
            law->variance = square - mean * mean;
            law->at_cap = 0;
        }
    }
}

bool chain_describe(struct schedule *schedule) {
    const struct storm_delay *delay = &schedule->policy->delay;
    struct arena arena;
    struct chain chain;
    arena_init(&arena, (size_t)64 << 20);
    double reach = delay->base * mathx_pow(delay->factor, schedule->count);
    bool good = chain_make(&chain, delay, reach, LAW_NODES, &arena);
    if (good) {
        double *mass = arena_take_array(&arena, chain.nodes + 2, sizeof *mass);
        double *cells = arena_take_array(&arena, chain.nodes + 2, sizeof *cells);
        double *next = arena_take_array(&arena, chain.nodes + 2, sizeof *next);
        good = mass != NULL && cells != NULL && next != NULL;
        if (good) {
            describe(schedule, &chain, mass, cells, next);
        }
    }
    arena_free(&arena);
    return good;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* A column stands for the moments around it, more of them near it than far: the share of those that
   lie at least `distance` steps beyond it. */
static double column_beyond(double distance) {
    if (distance <= -1 || distance >= 1) {
        return distance <= -1;
    }
    return distance < 0 ? 1 - (1 + distance) * (1 + distance) / 2
                        : (1 - distance) * (1 - distance) / 2;
}

/* P(next delay >= time) from a state, at one column. */
static double tail(const struct chain *chain, const struct window *window, double time,
                   double step) {
    double capped = window->at_cap * column_beyond((time - chain->cap) / step);
    if (time <= window->low) {
        return window->density > 0 ? 1 - window->at_cap + capped : 1;
    }
    double end = fmin(window->high, chain->cap);
    return (time < end ? (end - time) * window->density : 0) + capped;
}

static double cross(const struct chain *chain, const double *mass, double step,
                    const struct schedule_moment *moment) {
    double each = storm_time_to_seconds(moment->each);
    double time = storm_time_to_seconds(moment->time) - each;
    double limit = storm_time_to_seconds(moment->limit) - each, sum = 0;
    for (uint32_t i = 0; i < states(chain); i++) {
        const struct window *window = &chain->windows[i];
        for (uint32_t j = 0; j < SUM_COLUMNS; j++) {
            double here = mass[i * (size_t)SUM_COLUMNS + j];
            if (here > 0) {
                sum += here * (tail(chain, window, time - j * step, step) -
                               tail(chain, window, limit - j * step, step));
            }
        }
    }
    return sum;
}

/* Each state's row moves on by its delay and one failure. */
static void rows_shift(const struct chain *chain, const double *from, double *to, double step,
                       double each) {
    memset(to, 0, states(chain) * (size_t)SUM_COLUMNS * sizeof *to);
    for (uint32_t i = 0; i < states(chain); i++) {
        double places = fmin((chain->x[i] + each) / step, SUM_STEPS);
        uint32_t whole = (uint32_t)places;
        double part = places - whole;
        const double *source = from + i * (size_t)SUM_COLUMNS;
        double *target = to + i * (size_t)SUM_COLUMNS;
        for (uint32_t j = 0; j < SUM_COLUMNS; j++) {
            uint32_t low = j + whole < SUM_STEPS ? j + whole : SUM_STEPS;
            uint32_t high = low < SUM_STEPS ? low + 1 : SUM_STEPS;
            target[low] += source[j] * (1 - part);
            target[high] += source[j] * part;
        }
    }
}

/* The memory of a sum: masses of states and columns, and of columns alone. */
struct rooms {
    double *mass, *cells, *next, *reach, *cap_within;
    uint32_t *reach_cell;
};

static void reach_fill(const struct chain *chain, const struct rooms *rooms, double time,
                       double step) {
    for (uint32_t j = 0; j < SUM_COLUMNS; j++) {
        rooms->reach[j] = time - j * step;
        rooms->reach_cell[j] = cell_of(chain, rooms->reach[j]);
        rooms->cap_within[j] = 1 - column_beyond((rooms->reach[j] - chain->cap) / step);
    }
}

/* Invariant 3: what is still at one exact moment, and in which state. */
struct atom {
    double mass;
    storm_time at;
    uint32_t state;
};

/* The two columns around the atom, and its mass in each. */
struct columns {
    uint32_t column[2];
    double mass[2];
};

static struct columns atom_columns(const struct atom *atom, double step) {
    double place = fmin(storm_time_to_seconds(atom->at) / step, SUM_STEPS);
    uint32_t low = (uint32_t)place, high = low < SUM_STEPS ? low + 1 : low;
    double part = place - low;
    return (struct columns){{low, high}, {atom->mass * (1 - part), atom->mass * part}};
}

/* Moves the atom on to the cap, exactly, where the grid has done so in its two columns: what the
   grid made of it is taken out. Returns what is to be added to the probability of a first try. */
static double atom_move(const struct chain *chain, const struct schedule_moment *moment,
                        const struct rooms *rooms, double step, const struct columns *columns,
                        struct atom *atom) {
    double at_cap = chain->windows[atom->state].at_cap, change = 0;
    double each = storm_time_to_seconds(moment->each);
    double limit = storm_time_to_seconds(moment->limit) - each;
    double *cap = rooms->next + chain->nodes * (size_t)SUM_COLUMNS;
    for (int i = 0; i < 2; i++) {
        uint32_t j = columns->column[i];
        double mass = columns->mass[i] * at_cap;
        cap[j] -= mass * rooms->cap_within[j];
        change -= mass * (1 - rooms->cap_within[j]);
        change += mass * column_beyond((limit - j * step - chain->cap) / step);
    }
    atom->mass *= at_cap;
    atom->state = chain->nodes;
    atom->at =
        storm_time_add(atom->at, storm_time_add(moment->each, storm_time_from_seconds(chain->cap)));
    bool crosses = atom->at >= moment->time;
    change += crosses && atom->at < moment->limit ? atom->mass : 0;
    atom->mass = crosses ? 0 : atom->mass;
    return change;
}

static void sums(const struct schedule *schedule, const struct chain *chain,
                 const struct schedule_moment *moment, uint32_t from, const struct rooms *rooms,
                 double *first) {
    double each = storm_time_to_seconds(moment->each), time = storm_time_to_seconds(moment->time);
    double step = time / SUM_STEPS;
    size_t size = (chain->nodes + 2) * (size_t)SUM_COLUMNS * sizeof *rooms->mass;
    struct atom atom = {1, 0, 0};
    reach_fill(chain, rooms, time - each, step);
    for (uint32_t k = from; k < schedule->count; k++) {
        struct columns columns = atom_columns(&atom, step);
        for (int i = 0; i < 2; i++) {
            rooms->mass[atom.state * (size_t)SUM_COLUMNS + columns.column[i]] += columns.mass[i];
        }
        first[k] = cross(chain, rooms->mass, step, moment);
        memset(rooms->cells, 0, size);
        memset(rooms->next, 0, size);
        chain_step(chain, &(struct step){rooms->mass, rooms->cells, rooms->next, rooms->reach,
                                         rooms->reach_cell, rooms->cap_within, SUM_COLUMNS});
        first[k] = fmax(0, first[k] + atom_move(chain, moment, rooms, step, &columns, &atom));
        rows_shift(chain, rooms->next, rooms->mass, step, each);
    }
}

static bool rooms_take(struct rooms *rooms, const struct chain *chain, struct arena *arena) {
    size_t count = (chain->nodes + 2) * (size_t)SUM_COLUMNS;
    rooms->mass = arena_take_array(arena, count, sizeof *rooms->mass);
    rooms->cells = arena_take_array(arena, count, sizeof *rooms->cells);
    rooms->next = arena_take_array(arena, count, sizeof *rooms->next);
    rooms->reach = arena_take_array(arena, SUM_COLUMNS, sizeof *rooms->reach);
    rooms->reach_cell = arena_take_array(arena, SUM_COLUMNS, sizeof *rooms->reach_cell);
    rooms->cap_within = arena_take_array(arena, SUM_COLUMNS, sizeof *rooms->cap_within);
    return rooms->cap_within != NULL && rooms->mass != NULL && rooms->cells != NULL &&
           rooms->next != NULL && rooms->reach != NULL && rooms->reach_cell != NULL;
}

bool chain_first(const struct schedule *schedule, const struct schedule_moment *moment,
                 uint32_t from, double *first) {
    const struct storm_delay *delay = &schedule->policy->delay;
    struct arena arena;
    struct chain chain;
    arena_init(&arena, (size_t)256 << 20);
    double reach = storm_time_to_seconds(moment->time);
    bool good = chain_make(&chain, delay, reach, SUM_NODES, &arena);
    struct rooms rooms;
    good = good && rooms_take(&rooms, &chain, &arena);
    if (good) {
        sums(schedule, &chain, moment, from, &rooms, first);
    }
    arena_free(&arena);
    return good;
}
