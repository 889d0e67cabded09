/* copies.c: requests that are sent once more: replays of dead letters, resends by hand, batches
   run again. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants:
   1. What an action sends lies in [next, end) of its source: the letters it was given, or the
      births or dead letters that there were when it began. It goes through them once: what one of
      its copies leaves behind is not sent again by it.
   2. A dead letter of the run is sent at most once, by whoever comes first: it is gone then.
   3. An action has at most one live event while it sends, and none while its probe is under way. A
      population's own replay has one while `auto_waits`.
   4. A copy's number is new among those of the clients whose request it is: with their index it
      tells copies apart. */
#include "model/copies.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include <retrystorm/scenario.h>
#include <retrystorm/units.h>

#include "base/arena.h"
#include "model/broker.h"
#include "model/population.h"
#include "model/world.h"

enum { FIRST_ROOM = 64 };

/* Things that are numbered as they come; the oldest may be forgotten. */
struct tape {
    char *items;
    size_t size; /* of one */
    size_t room;
    uint64_t first, end; /* the numbers of those that are there: [first, end) */
};

/* A birth that may be wanted again. */
struct kept_birth {
    uint32_t member, ordinal;
    uint16_t day;
};

struct kept_letter {
    struct storm_letter letter;
    storm_time died;
    storm_time due; /* when it goes again by itself; STORM_NEVER: it does not */
    bool gone;      /* sent once more */
};

/* What is remembered of a population. */
struct memory {
    struct tape births, letters;
    storm_time retention; /* of the queue of its dead letters */
    uint64_t auto_next;   /* the first letter that may have to go by itself */
    bool auto_waits;
};

enum sender_state { SENDER_WAITS, SENDER_SENDS, SENDER_PROBES, SENDER_OVER };

struct probe_copy {
    uint32_t origin, copy; /* copy 0: it has ended */
};

/* An action that sends copies. */
struct sender {
    enum sender_state state;
    uint64_t next, end; /* invariant 1 */
    uint32_t sent;
    uint32_t paced;    /* of those, since ... */
    storm_time anchor; /* ... its pace began */
    struct probe_copy *probe;
    uint32_t probe_ended, probe_good;
};

struct copies {
    struct memory *memories; /* [population] */
    struct sender *senders;  /* [action] */
};

/* ---- tapes ----------------------------------------------------------------------------------- */

static void *item(const struct tape *tape, uint64_t number) {
    assert(number >= tape->first && number < tape->end);
    return tape->items + (number - tape->first) * tape->size;
}

/* Makes room for one more by forgetting what comes before `needed`, if that is worth the move. */
static bool make_room(struct world *world, struct tape *tape, uint64_t needed) {
    size_t count = (size_t)(tape->end - tape->first);
    assert(needed >= tape->first && needed <= tape->end);
    if (needed - tape->first > count / 2) {
        size_t left = (size_t)(tape->end - needed);
        memmove(tape->items, tape->items + (needed - tape->first) * tape->size, left * tape->size);
        tape->first = needed;
        return true;
    }
    size_t room = tape->room > 0 ? 2 * tape->room : FIRST_ROOM;
    void *moved = arena_grow_array(world->arena, tape->items, tape->room, room, tape->size);
    if (moved == NULL) {
        return world_out_of_memory(world);
    }
    tape->items = moved;
    tape->room = room;
    return true;
}

static bool is_full(const struct tape *tape) { return tape->end - tape->first == tape->room; }

/* The place of one more item, for which there is room. */
static void *append(struct tape *tape) {
    assert(!is_full(tape));
    return item(tape, tape->end++);
}

/* ---- what is remembered ---------------------------------------------------------------------- */

static bool sends_births(const struct storm_action *action) {
    return action->kind == STORM_ACTION_RESEND || action->kind == STORM_ACTION_RERUN;
}

static bool sends_dead(const struct storm_action *action) {
    return action->kind == STORM_ACTION_REPLAY && action->letters == NULL;
}

/* Whether an action to come will send such things of this population. */
static bool is_wanted(const struct world *world, uint32_t population,
                      bool (*sends)(const struct storm_action *)) {
    for (uint32_t i = 0; i < world->original->action_count; i++) {
        const struct storm_action *action = &world->original->actions[i];
        if (sends(action) && action->population == population &&
            world->copies->senders[i].state == SENDER_WAITS) {
            return true;
        }
    }
    return false;
}

/* The first birth that an action would send if there were no more than `count`. */
static uint64_t first_birth(const struct storm_action *action, uint64_t count) {
    if (action->kind == STORM_ACTION_RESEND) {
        return count > action->pace.limit ? count - action->pace.limit : 0;
    }
    return action->checkpoint > 0 ? count - count % action->checkpoint : 0;
}

/* The first birth that somebody still needs. */
static uint64_t births_needed(const struct world *world, uint32_t population) {
    const struct tape *births = &world->copies->memories[population].births;
    uint64_t needed = births->end;
    for (uint32_t i = 0; i < world->original->action_count; i++) {
        const struct storm_action *action = &world->original->actions[i];
        const struct sender *sender = &world->copies->senders[i];
        if (sends_births(action) && action->population == population &&
            sender->state != SENDER_OVER) {
            bool waits = sender->state == SENDER_WAITS;
            uint64_t first = waits ? first_birth(action, births->end) : sender->next;
            needed = first < needed ? first : needed;
        }
    }
    return needed;
}

void copies_born(struct world *world, uint32_t population, const struct birth *birth) {
    struct tape *births = &world->copies->memories[population].births;
    if (birth->kind != STORM_BIRTH_FRESH || !is_wanted(world, population, sends_births) ||
        (is_full(births) && !make_room(world, births, births_needed(world, population)))) {
        return;
    }
    *(struct kept_birth *)append(births) =
        (struct kept_birth){birth->member, birth->ordinal, birth->day};
}

/* A letter that is still in its dead-letter queue: neither sent again nor too old. NULL: it is
   not. */
static struct kept_letter *find_letter(const struct world *world, const struct memory *memory,
                                       uint64_t number) {
    if (number < memory->letters.first) {
        return NULL;
    }
    struct kept_letter *kept = item(&memory->letters, number);
    bool is_old = storm_time_add(kept->died, memory->retention) <= world_now(world);
    return kept->gone || is_old ? NULL : kept;
}

static uint64_t letters_needed(const struct world *world, const struct memory *memory) {
    uint64_t needed = memory->letters.first;
    while (needed < memory->letters.end && find_letter(world, memory, needed) == NULL) {
        needed++;
    }
    return needed;
}

/* ---- sending --------------------------------------------------------------------------------- */

/* The number of one more copy of a request of the clients `origin` (invariant 4). */
static uint32_t number_copy(struct world *world, uint32_t origin) {
    return ++world->populations[origin].copies;
}

static void send(struct world *world, const struct storm_letter *letter, uint32_t copy,
                 enum storm_birth kind) {
    bool is_message = storm_is_consumer(world->populations[letter->population].plan);
    if (!world_reserve(world, 1, 1)) {
        return;
    }
    if (is_message) {
        broker_put(world, letter, copy);
    } else {
        population_bear(world, letter->population,
                        &(struct birth){.member = letter->member,
                                        .ordinal = letter->ordinal,
                                        .copy = copy,
                                        .message = letter->message,
                                        .day = letter->day,
                                        .kind = kind});
    }
}

/* ---- a population's own replay --------------------------------------------------------------- */

/* The next letter that goes by itself; NULL: there is none. */
static struct kept_letter *seek_auto(const struct world *world, struct memory *memory) {
    for (; memory->auto_next < memory->letters.end; memory->auto_next++) {
        struct kept_letter *kept = find_letter(world, memory, memory->auto_next);
        if (kept != NULL && kept->due < STORM_NEVER) {
            return kept;
        }
    }
    return NULL;
}

static void arm_auto(struct world *world, uint32_t population) {
    struct memory *memory = &world->copies->memories[population];
    const struct kept_letter *kept = memory->auto_waits ? NULL : seek_auto(world, memory);
    if (kept != NULL && kept->due < world->scenario->duration) {
        memory->auto_waits = true;
        world_schedule(world, kept->due, EVENT_COPIES, world_slot(world, SLOT_LETTERS, population));
    }
}

/* The letter is kept where a replay may want it. */
static void keep_letter(struct world *world, const struct storm_letter *letter) {
    const struct storm_population *plan = world->populations[letter->population].plan;
    struct memory *memory = &world->copies->memories[letter->population];
    struct tape *letters = &memory->letters;
    storm_time now = world_now(world);
    bool is_auto = storm_replays_itself(plan);
    if ((!is_auto && !is_wanted(world, letter->population, sends_dead)) ||
        (is_full(letters) && !make_room(world, letters, letters_needed(world, memory)))) {
        return;
    }
    *(struct kept_letter *)append(letters) =
        (struct kept_letter){.letter = *letter,
                             .died = now,
                             .due = is_auto ? storm_time_add(now, plan->auto_replay) : STORM_NEVER};
    arm_auto(world, letter->population);
}

void copies_auto_timer(struct world *world, uint32_t population) {
    struct memory *memory = &world->copies->memories[population];
    const struct population *p = &world->populations[population];
    assert(memory->auto_waits); /* invariant 3 */
    for (;;) {
        struct kept_letter *kept = seek_auto(world, memory);
        if (kept == NULL || kept->due > world_now(world) || world->error.status != STORM_OK) {
            break;
        }
        memory->auto_next++;
        if (storm_replays_itself(p->plan)) {
            struct storm_letter letter = kept->letter;
            kept->gone = true;
            send(world, &letter, number_copy(world, letter.origin), STORM_BIRTH_REPLAY);
        }
    }
    memory->auto_waits = false;
    arm_auto(world, population);
}

/* ---- actions --------------------------------------------------------------------------------- */

static storm_time due_of(const struct sender *sender, const struct storm_pace *pace) {
    return storm_time_add(sender->anchor, storm_pace_time(pace, sender->paced));
}

/* Whether what has this number in the action's source is to be sent. */
static bool may_go(const struct world *world, const struct storm_action *action, uint64_t number) {
    const struct memory *memory = &world->copies->memories[action->population];
    if (sends_births(action)) {
        return true;
    }
    const struct storm_letter *letter = NULL;
    if (action->letters != NULL) {
        letter = &action->letters[number];
    } else {
        const struct kept_letter *kept = find_letter(world, memory, number);
        letter = kept != NULL ? &kept->letter : NULL;
    }
    return letter != NULL && (action->with_data || !letter->data);
}

/* The next thing that the action sends; false: it is over. */
static bool seek(struct world *world, uint32_t index) {
    const struct storm_action *action = &world->original->actions[index];
    struct sender *sender = &world->copies->senders[index];
    while (sender->next < sender->end && !may_go(world, action, sender->next)) {
        sender->next++;
    }
    if (sender->next == sender->end || sender->sent == action->pace.limit) {
        sender->state = SENDER_OVER;
    }
    return sender->state != SENDER_OVER;
}

/* Takes it from its source. */
static struct storm_letter take(struct world *world, const struct storm_action *action,
                                uint64_t number) {
    struct memory *memory = &world->copies->memories[action->population];
    if (sends_births(action)) {
        const struct kept_birth *birth = item(&memory->births, number);
        return (struct storm_letter){.population = action->population,
                                     .origin = action->population,
                                     .member = birth->member,
                                     .ordinal = birth->ordinal,
                                     .day = birth->day};
    }
    if (action->letters != NULL) {
        assert(action->letters[number].population == action->population);
        return action->letters[number];
    }
    struct kept_letter *kept = item(&memory->letters, number);
    assert(!kept->gone); /* invariant 2 */
    kept->gone = true;
    return kept->letter;
}

static enum storm_birth birth_of(enum storm_action_kind kind) {
    return kind == STORM_ACTION_RESEND  ? STORM_BIRTH_RESEND
           : kind == STORM_ACTION_RERUN ? STORM_BIRTH_RERUN
                                        : STORM_BIRTH_REPLAY;
}

/* The pace begins anew. */
static void start_pace(struct world *world, struct sender *sender) {
    sender->state = SENDER_SENDS;
    sender->anchor = world_now(world);
    sender->paced = 0;
}

/* All of the probe's copies have ended. */
static void judge_probe(struct world *world, uint32_t index) {
    const struct storm_pace *pace = &world->original->actions[index].pace;
    struct sender *sender = &world->copies->senders[index];
    static const double grain = 1e-9; /* 28 of 100 are 28 % */
    assert(sender->state == SENDER_PROBES && sender->probe_ended == pace->probe);
    if (sender->probe_good + grain >= pace->probe_success * pace->probe) {
        start_pace(world, sender);
    } else {
        sender->state = SENDER_OVER;
    }
}

/* Sends the next one, if there is one. */
static void send_next(struct world *world, uint32_t index) {
    const struct storm_action *action = &world->original->actions[index];
    struct sender *sender = &world->copies->senders[index];
    if (!seek(world, index)) {
        return;
    }
    struct storm_letter letter = take(world, action, sender->next++);
    uint32_t copy = number_copy(world, letter.origin);
    if (sends_births(action)) {
        letter.message = copy; /* it is written anew */
    }
    if (sender->sent < action->pace.probe) {
        sender->probe[sender->sent] = (struct probe_copy){letter.origin, copy};
    }
    sender->sent++;
    sender->paced++;
    send(world, &letter, copy, birth_of(action->kind));
    if (seek(world, index) && sender->sent == action->pace.probe) {
        sender->state = SENDER_PROBES;
        if (sender->probe_ended == action->pace.probe) {
            judge_probe(world, index);
        }
    }
}

void copies_timer(struct world *world, uint32_t index) {
    const struct storm_pace *pace = &world->original->actions[index].pace;
    struct sender *sender = &world->copies->senders[index];
    assert(sender->state == SENDER_SENDS);
    while (sender->state == SENDER_SENDS && due_of(sender, pace) <= world_now(world) &&
           world->error.status == STORM_OK) {
        send_next(world, index);
    }
    storm_time due = due_of(sender, pace);
    if (sender->state == SENDER_SENDS && due < world->scenario->duration) {
        world_schedule(world, due, EVENT_COPIES, world_slot(world, SLOT_ACTION, index));
    }
}

void copies_begin(struct world *world, uint32_t index) {
    const struct storm_action *action = &world->original->actions[index];
    const struct memory *memory = &world->copies->memories[action->population];
    struct sender *sender = &world->copies->senders[index];
    assert(sender->state == SENDER_WAITS);
    if (sends_births(action)) {
        sender->end = memory->births.end;
        sender->next = first_birth(action, sender->end);
    } else if (sends_dead(action)) {
        sender->end = memory->letters.end;
        sender->next = memory->letters.first;
    } else {
        sender->end = action->letter_count;
    }
    start_pace(world, sender);
    copies_timer(world, index);
}

/* Whether the copy is one of the probe's that are under way; it is none any more. */
static bool leave_probe(struct sender *sender, const struct storm_pace *pace,
                        const struct storm_letter *letter) {
    uint32_t count = sender->sent < pace->probe ? sender->sent : pace->probe;
    for (uint32_t i = 0; sender->probe_ended < count && i < count; i++) {
        struct probe_copy *probe = &sender->probe[i];
        if (probe->origin == letter->origin && probe->copy == letter->copy) {
            *probe = (struct probe_copy){STORM_NONE, 0};
            return true;
        }
    }
    return false;
}

/* A copy has ended: what a probe waits for. */
static void end_copy(struct world *world, const struct storm_letter *letter, bool succeeded) {
    assert(letter->copy > 0);
    for (uint32_t i = 0; i < world->original->action_count; i++) {
        const struct storm_action *action = &world->original->actions[i];
        struct sender *sender = &world->copies->senders[i];
        if (action->population != letter->population ||
            !leave_probe(sender, &action->pace, letter)) {
            continue;
        }
        sender->probe_ended++;
        sender->probe_good += succeeded;
        if (sender->state == SENDER_PROBES && sender->probe_ended == action->pace.probe) {
            judge_probe(world, i);
            if (sender->state == SENDER_SENDS) {
                world_schedule(world, world_now(world), EVENT_COPIES,
                               world_slot(world, SLOT_ACTION, i));
            }
        }
    }
}

void copies_over(struct world *world, const struct storm_letter *letter, enum storm_reason reason) {
    assert(reason < STORM_REASON_COUNT);
    if (reason != STORM_REASON_NONE && reason != STORM_REASON_LOST) {
        keep_letter(world, letter);
    }
    if (letter->copy > 0) {
        end_copy(world, letter, reason == STORM_REASON_NONE);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool copies_are_coming(const struct world *world) {
    const struct copies *copies = world->copies;
    for (uint32_t i = 0; i < world->original->action_count; i++) {
        if (copies->senders[i].state != SENDER_OVER) {
            return true;
        }
    }
    for (uint32_t i = 0; i < world->original->population_count; i++) {
        if (copies->memories[i].auto_waits) {
            return true;
        }
    }
    return false;
}

/* Actions that send nothing are over before they begin. */
static bool init_sender(struct world *world, uint32_t index) {
    const struct storm_action *action = &world->original->actions[index];
    struct sender *sender = &world->copies->senders[index];
    bool sends = sends_births(action) || action->kind == STORM_ACTION_REPLAY;
    if (!sends || action->at >= world->original->duration) {
        sender->state = SENDER_OVER;
        return true;
    }
    assert(action->population < world->original->population_count);
    if (action->pace.probe > 0) {
        sender->probe = arena_take_array(world->arena, action->pace.probe, sizeof *sender->probe);
        return sender->probe != NULL || world_out_of_memory(world);
    }
    return true;
}

bool copies_init(struct world *world) {
    const struct storm_scenario *plan = world->original;
    struct copies *copies = arena_take(world->arena, sizeof *copies);
    if (copies == NULL) {
        return world_out_of_memory(world);
    }
    world->copies = copies;
    copies->memories =
        arena_take_array(world->arena, plan->population_count, sizeof *copies->memories);
    copies->senders = arena_take_array(world->arena, plan->action_count, sizeof *copies->senders);
    if (copies->memories == NULL || (copies->senders == NULL && plan->action_count > 0)) {
        return world_out_of_memory(world);
    }
    for (uint32_t i = 0; i < plan->population_count; i++) {
        const char *queue = storm_letter_queue_of(&plan->populations[i]);
        copies->memories[i] = (struct memory){.births.size = sizeof(struct kept_birth),
                                              .letters.size = sizeof(struct kept_letter),
                                              .retention = storm_letter_retention(plan, queue)};
    }
    for (uint32_t i = 0; i < plan->action_count; i++) {
        if (!init_sender(world, i)) {
            return false;
        }
    }
    return true;
}
