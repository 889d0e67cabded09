/* letter_record.c: what lies in each dead-letter queue, for how long, and when somebody is told.

   1. Letters stand in the order in which they died, so the oldest that is kept is the next to
      expire, and the first of the last n + 1 tells whether more than n came within a time.
   2. A queue is up to date as of the last fact about it: what time alone does (letters expire, an
      age is reached) is made up for before the next.
   3. `names` leads to the oldest kept letter of each name, and from each to the next younger one;
      `kept` is the number of letters that are not gone. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/letter_record.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/scenario.h>

#include "base/arena.h"
#include "base/stream.h"
#include "record/recording.h"
#include "record/scope.h"

/* ---- alarms ---------------------------------------------------------------------------------- */

static bool is_about(const struct storm_alert *alert, const struct letter_record *q) {
    return strcmp(alert->queue, q->queue) == 0;
}

static bool watches_age(const struct storm_alert *alert) {
    return alert->kind == STORM_ALERT_AGE || alert->kind == STORM_ALERT_UNREVIEWED;
}

/* The alert goes off. */
static void go_off(struct recorder *r, const struct letter_record *q, uint32_t alert,
                   storm_time now) {
    struct alarm_record *a = &r->alarms;
    assert(q->oldest < q->count && !a->is_raised[alert]);
    a->is_raised[alert] = true;
    a->times[alert]++;
    a->first[alert] = now < a->first[alert] ? now : a->first[alert];
    if (a->count == a->room && a->room < ALARMS_KEPT) {
        uint32_t room = a->room > 0 ? 2 * a->room : 8;
        struct alarm *more = arena_grow_array(r->arena, a->alarms, a->room, room, sizeof *more);
        r->out_of_memory = r->out_of_memory || more == NULL;
        a->alarms = more != NULL ? more : a->alarms;
        a->room = more != NULL ? room : a->room;
    }
    if (a->count < a->room) {
        a->alarms[a->count++] = (struct alarm){alert, q->letters[q->oldest].died, now};
    }
}

/* When the oldest letter will be that old; STORM_NEVER when there is none. */
static storm_time reaches_age(const struct letter_record *q, storm_time age) {
    return q->oldest < q->count ? storm_time_add(q->letters[q->oldest].died, age) : STORM_NEVER;
}

/* Whether more than the alert's count have come within its time, the youngest of them now. */
static bool has_grown(const struct letter_record *q, const struct storm_alert *alert,
                      storm_time now) {
    double back = floor(alert->count) + 1;
    return back <= q->count && q->letters[q->count - (uint32_t)back].died > now - alert->time;
}

/* Whether an alert's condition holds now. */
static bool holds(const struct letter_record *q, const struct storm_alert *alert, storm_time now) {
    switch (alert->kind) {
    case STORM_ALERT_DEPTH:
        return q->kept > alert->count;
    case STORM_ALERT_GROWTH:
        return has_grown(q, alert, now);
    case STORM_ALERT_AGE:
    case STORM_ALERT_UNREVIEWED:
        return reaches_age(q, alert->time) <= now;
    }
    assert(0 && "no such alert");
    return false;
}

/* Takes back the alerts whose condition holds no longer. */
static void clear_alerts(struct recorder *r, const struct letter_record *q, storm_time now) {
    for (uint32_t i = 0; i < r->scenario->alert_count; i++) {
        const struct storm_alert *alert = &r->scenario->alerts[i];
        if (r->alarms.is_raised[i] && is_about(alert, q) && !holds(q, alert, now)) {
            r->alarms.is_raised[i] = false;
        }
    }
}

static void raise_alerts(struct recorder *r, const struct letter_record *q, storm_time now) {
    for (uint32_t i = 0; i < r->scenario->alert_count; i++) {
        const struct storm_alert *alert = &r->scenario->alerts[i];
        if (!r->alarms.is_raised[i] && is_about(alert, q) && holds(q, alert, now)) {
            go_off(r, q, i, now);
        }
    }
}

/* ---- letters come and go --------------------------------------------------------------------- */

/* Draws how many are kept at the ends of all bins before that of `now`. */
static void draw(const struct recorder *r, struct letter_record *q, storm_time now) {
    for (uint32_t bin = recorder_bin_at(r, now); q->drawn < bin; q->drawn++) {
        q->kept_bins[q->drawn] = q->kept;
    }
}

/* Puts a letter behind those of its name. False at the arena's limit. */
static bool link_name(struct recorder *r, struct letter_record *q, uint32_t index) {
    uint64_t name = q->letters[index].name;
    uint32_t last;
    if (!key_map_find(&q->names, name, &last)) {
        return key_map_put(&q->names, r->arena, name, index);
    }
    while (q->letters[last].next_same != STORM_NONE) {
        last = q->letters[last].next_same;
    }
    q->letters[last].next_same = index;
    return true;
}

static void add_letter(struct recorder *r, struct letter_record *q, uint64_t name, storm_time now) {
    if (q->count == q->room) {
        uint32_t room = q->room > 0 ? 2 * q->room : 64;
        struct letter *more = arena_grow_array(r->arena, q->letters, q->room, room, sizeof *more);
        if (more == NULL) {
            r->out_of_memory = true;
            return;
        }
        q->letters = more;
        q->room = room;
    }
    q->letters[q->count] = (struct letter){.died = now, .name = name, .next_same = STORM_NONE};
    if (!link_name(r, q, q->count)) {
        r->out_of_memory = true;
        return;
    }
    q->count++;
    q->kept++;
}

/* The oldest letter of that name leaves the queue. */
static void remove_letter(struct recorder *r, struct letter_record *q, uint64_t name) {
    uint32_t index;
    if (!key_map_take(&q->names, name, &index)) {
        return; /* it died before the run, or has expired */
    }
    struct letter *letter = &q->letters[index];
    assert(!letter->gone && q->kept > 0);
    letter->gone = true;
    q->kept--;
    if (letter->next_same != STORM_NONE) {
        bool fits = key_map_put(&q->names, r->arena, name, letter->next_same);
        assert(fits); /* there is the room that was just given up */
        (void)fits;
    }
    while (q->oldest < q->count && q->letters[q->oldest].gone) {
        q->oldest++;
    }
}

/* ---- time passes ----------------------------------------------------------------------------- */

/* When time alone changes something about a queue. */
static storm_time next_change(const struct recorder *r, const struct letter_record *q) {
    storm_time next = reaches_age(q, q->retention);
    for (uint32_t i = 0; i < r->scenario->alert_count; i++) {
        const struct storm_alert *alert = &r->scenario->alerts[i];
        if (watches_age(alert) && !r->alarms.is_raised[i] && is_about(alert, q)) {
            storm_time due = reaches_age(q, alert->time);
            next = due < next ? due : next;
        }
    }
    return next;
}

/* Lets letters expire and come of age up to `now` (invariant 2). Who comes of age as it expires is
   told of. */
static void pass_time(struct recorder *r, struct letter_record *q, storm_time now) {
    for (storm_time next = next_change(r, q); next <= now && next < STORM_NEVER;
         next = next_change(r, q)) {
        raise_alerts(r, q, next);
        if (reaches_age(q, q->retention) <= next) {
            draw(r, q, next);
            q->run_out++;
            remove_letter(r, q, q->letters[q->oldest].name);
            clear_alerts(r, q, next);
        }
    }
    draw(r, q, now);
}

/* ---- entry ----------------------------------------------------------------------------------- */

/* What consumers handle is told apart by whose request it was; clients' own is theirs. */
static uint64_t name_of(const struct recorder *r, uint32_t population, uint32_t origin,
                        uint32_t member, uint32_t ordinal) {
    bool consumes = storm_is_consumer(&r->scenario->populations[population]);
    uint64_t whose = (uint64_t)population << 32 | (consumes ? origin : population);
    return stream_mix64(stream_mix64(whose) + ((uint64_t)member << 32 | ordinal));
}

/* The queue of a population's letters. */
static struct letter_record *queue_of(const struct recorder *r, uint32_t population) {
    return &r->letters[r->populations[population].letters];
}

/* Letters that operators bring along are in their queues from the start. */
static void bring_letters(struct recorder *r, const struct storm_action *action) {
    for (uint32_t i = 0; i < action->letter_count; i++) {
        const struct storm_letter *letter = &action->letters[i];
        struct letter_record *q = queue_of(r, letter->population);
        uint64_t name =
            name_of(r, letter->population, letter->origin, letter->member, letter->ordinal);
        add_letter(r, q, name, 0);
        raise_alerts(r, q, 0);
    }
}

static bool init_alarms(struct recorder *r, struct arena *arena) {
    uint32_t count = r->scenario->alert_count;
    r->alarms.is_raised = arena_take_array(arena, count, sizeof *r->alarms.is_raised);
    r->alarms.times = arena_take_array(arena, count, sizeof *r->alarms.times);
    r->alarms.first = arena_take_array(arena, count, sizeof *r->alarms.first);
    for (uint32_t i = 0; r->alarms.first != NULL && i < count; i++) {
        r->alarms.first[i] = STORM_NEVER;
    }
    return r->alarms.is_raised != NULL && r->alarms.times != NULL && r->alarms.first != NULL;
}

bool letter_record_init(struct recorder *r, struct arena *arena) {
    const struct storm_scenario *scenario = r->scenario;
    uint32_t count = scenario->population_count;
    r->letters = arena_take_array(arena, count, sizeof *r->letters);
    if (r->letters == NULL || !init_alarms(r, arena)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct letter_record *q = &r->letters[i];
        r->populations[i].letters = scope_letters_of(scenario, i);
        if (!scope_has(scenario, SCOPE_LETTERS, i)) {
            continue;
        }
        q->queue = scope_name(scenario, SCOPE_LETTERS, i);
        q->retention = storm_letter_retention(scenario, q->queue);
        q->kept_bins = arena_take_array(arena, r->bin_count, sizeof *q->kept_bins);
        if (q->kept_bins == NULL) {
            return false;
        }
    }
    for (uint32_t i = 0; i < scenario->action_count; i++) {
        bring_letters(r, &scenario->actions[i]);
    }
    return !r->out_of_memory;
}

void letter_record_hear(struct recorder *r, const struct storm_fact *fact) {
    struct letter_record *q = queue_of(r, fact->place);
    uint64_t name = name_of(r, fact->place, fact->origin, fact->member, fact->ordinal);
    if (q->queue == NULL || fact->reason == STORM_REASON_LOST) {
        return; /* nobody looks after letters; and what a broker has lost leaves none */
    }
    pass_time(r, q, fact->time);
    if (fact->kind == STORM_FACT_BORN) {
        remove_letter(r, q, name);
        clear_alerts(r, q, fact->time);
    } else {
        clear_alerts(r, q, fact->time);
        add_letter(r, q, name, fact->time);
        raise_alerts(r, q, fact->time);
    }
}

static int compare_alarms(const void *left, const void *right) {
    const struct alarm *a = left, *b = right;
    if (a->raised != b->raised) {
        return a->raised < b->raised ? -1 : 1;
    }
    return (a->alert > b->alert) - (a->alert < b->alert);
}

void letter_record_finish(struct recorder *r, storm_time end) {
    for (uint32_t i = 0; i < r->scenario->population_count; i++) {
        struct letter_record *q = &r->letters[i];
        if (q->queue == NULL) {
            continue;
        }
        pass_time(r, q, end);
        for (; q->drawn < r->bin_count; q->drawn++) {
            q->kept_bins[q->drawn] = q->kept;
        }
    }
    if (r->alarms.count > 0) {
        qsort(r->alarms.alarms, r->alarms.count, sizeof *r->alarms.alarms, compare_alarms);
    }
}

double letter_record_alarms(const struct recorder *r, const struct letter_record *q) {
    double sum = 0;
    for (uint32_t i = 0; i < r->scenario->alert_count; i++) {
        sum += is_about(&r->scenario->alerts[i], q) ? (double)r->alarms.times[i] : 0;
    }
    return sum;
}

double letter_record_delay(const struct recorder *r, const struct letter_record *q) {
    storm_time first = STORM_NEVER;
    for (uint32_t i = 0; i < r->scenario->alert_count; i++) {
        bool earlier = r->alarms.first[i] < first && is_about(&r->scenario->alerts[i], q);
        first = earlier ? r->alarms.first[i] : first;
    }
    return first < STORM_NEVER ? storm_time_to_seconds(first - q->letters[0].died) : (double)NAN;
}

/* ---- results --------------------------------------------------------------------------------- */

/* "depth > 0", "growth > 10 within 60s", "age > 1h": as the scenario has it. */
static const char *rule_of(const struct storm_alert *alert, struct arena *arena) {
    static const char *const words[] = {[STORM_ALERT_DEPTH] = "depth",
                                        [STORM_ALERT_GROWTH] = "growth",
                                        [STORM_ALERT_AGE] = "age",
                                        [STORM_ALERT_UNREVIEWED] = "unreviewed"};
    char text[160], number[32], time[48];
    const char *word = words[alert->kind];
    storm_double_print(alert->count, number, sizeof number);
    storm_time_print(alert->time, time, sizeof time);
    int length = watches_age(alert) ? snprintf(text, sizeof text, "%s > %s", word, time)
                 : alert->kind == STORM_ALERT_GROWTH
                     ? snprintf(text, sizeof text, "%s > %s within %s", word, number, time)
                     : snprintf(text, sizeof text, "%s > %s", word, number);
    assert(length > 0 && (size_t)length < sizeof text);
    return arena_copy_string(arena, text, (size_t)length);
}

bool letter_record_copy(const struct recorder *r, struct arena *arena, struct storm_alarm **alarms,
                        uint32_t *count) {
    *count = r->alarms.count;
    *alarms = arena_take_array(arena, *count, sizeof **alarms);
    for (uint32_t i = 0; *alarms != NULL && i < *count; i++) {
        const struct alarm *alarm = &r->alarms.alarms[i];
        const struct storm_alert *alert = &r->scenario->alerts[alarm->alert];
        (*alarms)[i] = (struct storm_alarm){.queue = alert->queue,
                                            .rule = rule_of(alert, arena),
                                            .first_letter = alarm->first_letter,
                                            .raised = alarm->raised};
        if ((*alarms)[i].rule == NULL) {
            return false;
        }
    }
    return *alarms != NULL;
}
