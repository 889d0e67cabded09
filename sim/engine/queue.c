/* queue.c: the ladder: buckets by the digits of the key, and a small sorted window at its foot. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A key has eight digits of eight bits. An event lies in the bucket named by the highest digit in
   which its key differs from `origin` (the level) and by the value of that digit (the slot).
   Nothing in a bucket is sorted. Only the lowest bucket ever matters: it is opened when the window
   has run dry, and becomes the next window.

     level 7   [ ][ ][ ] ... [ ]        256 chains of chunks a level, and a bitmap of those in use
       ...
     level 1   [ ][#][ ] ... [#]  --.   opened, more than a chunk: its events are dealt to the
     level 0   [ ][ ][#] ... [ ]  <-'   highest digit in which they differ among themselves
                      |
                      |  opened, one chunk: sorted        opened, all keys equal: the chain itself
                      v                                              v
     window    bottom[head .. tail), ascending, keys <= limit, then fifo, each key == limit
                      |
                      v
                  queue_pop

   Invariants, which the asserts cite:
   1. Keys in the window are <= limit, keys in buckets are > limit; origin <= limit, and origin <=
      last: the key last popped, below which nothing may be pushed. So the window, then the lowest
      slot of the lowest level, holds the least key.
   2. An event in bucket[level][slot] agrees with `origin` in all digits above `level`, and has the
      digit `slot` there, which is above origin's. Opening a bucket moves origin only in digits
      that no other bucket's name depends on.
   3. Equal keys always lie in one container, in the order in which they were pushed: in one
      bucket; or in bottom; or in bottom and then, younger, in fifo. Every move keeps the order. So
      the order of events is (key, order of pushing) and no sequence number is stored.
   4. A set bit of `bitmap` is a bucket that is not empty, a set bit of `levels` a level that has
      one.
   5. held = events in bottom + fifo + buckets, stale ones included; live <= held; held <= 2 * live
      + QUEUE_SLACK after every call. When held == live nothing is stale, and nobody needs to look
      at the generations.
   6. The window was opened for a live event: a pop with live > 0 finds one, so `limit` never runs
      ahead of `last` into time that may still be pushed to.
   7. bottom holds at most BOTTOM_MOST + 2 events. Past BOTTOM_MOST the limit is lowered to a key
      inside (narrowing) and what lies above goes back to the buckets; origin stays, so 2 holds for
      old and new alike. A crowd of equal keys, which no limit can part, grows into the fifo
      instead.
   8. Chunks never run out inside a push or a pop. A chain of n events has at most 1 + (n - 1) / 63
      chunks, there are at most BUCKETS chains, and at any moment at most one more chain that is
      being read (fifo, or a bucket on its way to where it is dealt), whose first chunk may be read
      in part. So `held` events never need more than chunks_for(held), and pushing asserts held <
      capacity, the greatest number for which that many exist.

   Rejected: a sequence number in the event (24 bytes instead of 16); chunks linked into the window
   without sorting (a push at the present moment then needs a search); limit in origin's place (a
   second narrowing breaks 2). */

#include "engine/queue.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "engine/chain.h"

enum {
    LEVELS = 8,
    SLOTS = 256,
    DIGIT_BITS = 8,
    BUCKETS = LEVELS * SLOTS,
    WORDS = SLOTS / 64,
    BOTTOM_KEPT = 64,  /* events that a narrowing leaves in bottom, about */
    BOTTOM_MOST = 192, /* events in bottom that start a narrowing */
    BOTTOM_ROOM = 512, /* so that closing the gap before `head` is rare */
    SPARE_CHUNKS =
        2 /* for the chain being read: its last chunk, and its first one read in part (8) */
};

struct queue {
    uint64_t limit, origin, last;
    uint64_t live, held, capacity;
    size_t head, tail; /* bottom[head .. tail) */
    struct event *fifo_read;
    struct chain fifo;
    struct pool pool;
    unsigned levels;
    uint64_t bitmap[LEVELS][WORDS];
    struct event bottom[BOTTOM_ROOM];
    struct chain bucket[LEVELS][SLOTS];
};

/* The level of a difference between two keys: the highest digit that is not 0. */
static inline unsigned level_of(uint64_t difference) {
    assert(difference != 0);
    return (63U - (unsigned)__builtin_clzll(difference)) / DIGIT_BITS;
}

static inline unsigned digit_of(uint64_t key, unsigned level) {
    return (unsigned)(key >> (level * DIGIT_BITS)) & (SLOTS - 1U);
}

/* The keys below a digit of this level: 0, 255, 65535 ... */
static inline uint64_t mask_below(unsigned level) {
    return (UINT64_C(1) << (level * DIGIT_BITS)) - 1;
}

static uint64_t chunks_for(uint64_t events) {
    uint64_t crowd = events > BUCKETS ? events - BUCKETS : 0;
    return events - crowd + (crowd + CHUNK_ENTRIES - 1) / CHUNK_ENTRIES + SPARE_CHUNKS;
}

static uint64_t capacity_of(uint64_t chunks) {
    uint64_t usable = chunks > SPARE_CHUNKS ? chunks - SPARE_CHUNKS : 0;
    return usable > BUCKETS ? BUCKETS + (usable - BUCKETS) * CHUNK_ENTRIES : usable;
}

struct queue *queue_new(struct arena *arena) {
    assert(arena != NULL);
    struct queue *queue = arena_take(arena, sizeof *queue);
    if (queue != NULL)
        queue->pool.arena = arena;
    return queue;
}

bool queue_reserve(struct queue *queue, uint32_t count) {
    uint64_t wanted = queue->held + count;
    if (wanted <= queue->capacity)
        return true;
    uint64_t chunks = chunks_for(wanted);
    assert(chunks > queue->pool.total);
    if (!pool_grow(&queue->pool, chunks - queue->pool.total))
        return false;
    queue->capacity = capacity_of(queue->pool.total);
    assert(wanted <= queue->capacity);
    return true;
}

/* Gives the bucket a chunk, and its bit, which costs less than to ask whether it has one. */
static void bucket_extend(struct queue *queue, unsigned level, unsigned slot) {
    queue->levels |= 1U << level;
    queue->bitmap[level][slot / 64] |= UINT64_C(1) << (slot % 64);
    chain_extend(&queue->bucket[level][slot], &queue->pool);
}

/* Adds an event to a bucket of this level, whatever origin is. */
static inline void bucket_add(struct queue *queue, unsigned level, struct event event) {
    unsigned slot = digit_of(event.key, level);
    struct chain *bucket = &queue->bucket[level][slot];
    if (chain_needs_chunk(bucket))
        bucket_extend(queue, level, slot);
    chain_append(bucket, event);
}

/* Adds an event to the bucket where it belongs. */
static inline void bucket_push(struct queue *queue, struct event event) {
    assert(event.key > queue->limit); /* 1 */
    bucket_add(queue, level_of(event.key ^ queue->origin), event);
}

static void bucket_clear_bit(struct queue *queue, unsigned level, unsigned slot) {
    uint64_t *words = queue->bitmap[level];
    words[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
    if ((words[0] | words[1] | words[2] | words[3]) == 0)
        queue->levels &= ~(1U << level);
}

static unsigned first_slot(const struct queue *queue, unsigned level) {
    const uint64_t *words = queue->bitmap[level];
    unsigned word = 0;
    while (words[word] == 0)
        word++;
    assert(word < WORDS); /* 4 */
    return word * 64 + (unsigned)__builtin_ctzll(words[word]);
}

static void fifo_push(struct queue *queue, struct event event) {
    assert(event.key == queue->limit); /* 1 */
    bool was_empty = queue->fifo.first == NULL;
    if (chain_needs_chunk(&queue->fifo))
        chain_extend(&queue->fifo, &queue->pool);
    if (was_empty)
        queue->fifo_read = queue->fifo.cursor;
    chain_append(&queue->fifo, event);
}

static struct event fifo_take(struct queue *queue) {
    struct chunk *chunk = queue->fifo.first;
    assert(queue->fifo_read >= chunk->entries && queue->fifo_read != queue->fifo.cursor);
    struct event event = *queue->fifo_read++;
    bool is_empty = queue->fifo_read == queue->fifo.cursor;
    if (is_empty) {
        pool_release(&queue->pool, chunk);
        queue->fifo = (struct chain){0};
    } else if (queue->fifo_read == chunk->entries + CHUNK_ENTRIES) {
        queue->fifo.first = chunk->next;
        queue->fifo_read = chunk->next->entries;
        pool_release(&queue->pool, chunk);
    }
    return event;
}

/* Closes the gap that popping left before `head`. */
static void bottom_close_gap(struct queue *queue) {
    size_t size = queue->tail - queue->head;
    memmove(queue->bottom, queue->bottom + queue->head, size * sizeof queue->bottom[0]);
    queue->head = 0;
    queue->tail = size;
}

/* Puts an event behind those whose key is not greater, looking from the tail. */
static inline void bottom_insert(struct queue *queue, struct event event) {
    assert(queue->tail < BOTTOM_ROOM);
    const struct event *head = queue->bottom + queue->head;
    struct event *place = queue->bottom + queue->tail++;
    for (; place > head && place[-1].key > event.key; place--)
        *place = place[-1];
    *place = event;
}

/* How many events of bottom stay when it is narrowed: about BOTTOM_KEPT, but equal keys stay
   together (3). */
static size_t bottom_cut(const struct queue *queue) {
    const struct event *bottom = queue->bottom + queue->head;
    size_t size = queue->tail - queue->head;
    assert(size > BOTTOM_KEPT);
    size_t cut = BOTTOM_KEPT;
    while (cut > 0 && bottom[cut - 1].key == bottom[cut].key)
        cut--;
    if (cut > 0)
        return cut;
    for (cut = BOTTOM_KEPT + 1; cut < size && bottom[cut - 1].key == bottom[cut].key;)
        cut++;
    return cut;
}

/* Lowers the limit and takes what is now above it back to the buckets, oldest first (7). */
static void window_narrow(struct queue *queue) {
    size_t end = queue->tail;
    queue->tail = queue->head + bottom_cut(queue);
    uint64_t limit = queue->bottom[queue->tail - 1].key;
    /* It does get lower: what was pushed last lies below the old limit, so not all of bottom is
       at it. */
    assert(limit >= queue->last && limit < queue->limit);
    queue->limit = limit;
    for (size_t i = queue->tail; i < end; i++)
        bucket_push(queue, queue->bottom[i]);
    while (queue->fifo.first != NULL)
        bucket_push(queue, fifo_take(queue));
}

static void window_push(struct queue *queue, struct event event) {
    assert(event.key <= queue->limit); /* 1 */
    size_t size = queue->tail - queue->head;
    assert(size <= BOTTOM_MOST + 1); /* 7 */
    if (event.key == queue->limit && (size >= BOTTOM_MOST || queue->fifo.first != NULL)) {
        fifo_push(queue, event);
        return;
    }
    if (queue->tail == BOTTOM_ROOM)
        bottom_close_gap(queue);
    bottom_insert(queue, event);
    if (size >= BOTTOM_MOST)
        window_narrow(queue);
}

void queue_push(struct queue *queue, uint64_t key, event_payload payload) {
    assert(key >= queue->last);
    assert(queue->held < queue->capacity); /* 8 */
    struct event event = {key, payload};
    queue->held++;
    queue->live++;
    if (key > queue->limit)
        bucket_push(queue, event);
    else
        window_push(queue, event);
}

/* Makes a bucket of one chunk the window: sorts its live events into bottom. */
static void open_sorted(struct queue *queue, struct chain chain, unsigned level,
                        const uint32_t *check) {
    queue->origin = chain.first->entries[0].key & ~mask_below(level);
    queue->limit = queue->origin | mask_below(level);
    queue->head = queue->tail = 0;
    for (const struct event *entry = chain.first->entries; entry != chain.cursor; entry++) {
        if (event_is_live(entry->payload, check))
            bottom_insert(queue, *entry);
        else
            queue->held--;
    }
    pool_release(&queue->pool, chain.first);
}

/* Makes a bucket whose keys are all equal the window, as it is. Its stale events wait for their
   pop. */
static void open_equal(struct queue *queue, struct chain chain) {
    queue->origin = queue->limit = chain.first->entries[0].key;
    queue->fifo = chain;
    queue->fifo_read = chain.first->entries;
}

/* Deals the live events of an opened bucket to the buckets of a lower level. */
static void open_dealt(struct queue *queue, struct chain chain, unsigned level,
                       const uint32_t *check) {
    struct chunk *chunk = chain.first;
    while (chunk != NULL) {
        const struct event *end = chain_end(&chain, chunk);
        for (const struct event *entry = chunk->entries; entry != end; entry++) {
            if (event_is_live(entry->payload, check))
                bucket_add(queue, level, *entry);
            else
                queue->held--;
        }
        struct chunk *next = chunk->next;
        pool_release(&queue->pool, chunk);
        chunk = next;
    }
}

/* Opens the lowest bucket. The window may still be dry afterwards: the caller asks again. */
static void queue_open(struct queue *queue, const uint32_t *check) {
    assert(queue->levels != 0); /* 4 and 6 */
    unsigned level = (unsigned)__builtin_ctz(queue->levels);
    unsigned slot = first_slot(queue, level);
    struct chain chain = queue->bucket[level][slot];
    assert(chain.first != NULL && chain.first->entries[0].key > queue->limit); /* 1 and 4 */
    queue->bucket[level][slot] = (struct chain){0};
    bucket_clear_bit(queue, level, slot);
    if (chain_last(&chain) == chain.first) {
        open_sorted(queue, chain, level, check);
        return;
    }
    uint64_t differences = chain_differences(&chain);
    if (differences == 0)
        open_equal(queue, chain);
    else
        open_dealt(queue, chain, level_of(differences), check);
}

/* Takes the first event, which may be stale. */
static inline struct event queue_take(struct queue *queue, const uint32_t *check) {
    while (queue->head == queue->tail && queue->fifo.first == NULL)
        queue_open(queue, check);
    queue->held--;
    return queue->head != queue->tail ? queue->bottom[queue->head++] : fifo_take(queue);
}

static void purge_window(struct queue *queue, const uint32_t *generation) {
    size_t kept = queue->head;
    for (size_t i = queue->head; i < queue->tail; i++) {
        if (event_is_live(queue->bottom[i].payload, generation))
            queue->bottom[kept++] = queue->bottom[i];
    }
    queue->held -= queue->tail - kept;
    queue->tail = kept;
    if (queue->fifo.first == NULL)
        return;
    size_t skip = (size_t)(queue->fifo_read - queue->fifo.first->entries);
    queue->held -= chain_purge(&queue->fifo, &queue->pool, skip, generation);
}

static void purge_level(struct queue *queue, unsigned level, const uint32_t *generation) {
    for (unsigned word = 0; word < WORDS; word++) {
        for (uint64_t bits = queue->bitmap[level][word]; bits != 0; bits &= bits - 1) {
            unsigned slot = word * 64 + (unsigned)__builtin_ctzll(bits);
            struct chain *bucket = &queue->bucket[level][slot];
            queue->held -= chain_purge(bucket, &queue->pool, 0, generation);
            if (bucket->first == NULL)
                bucket_clear_bit(queue, level, slot);
        }
    }
}

/* Drops all that is stale when it has become too much (5). A sweep costs about as much as the
   events that became stale or left since the one before. */
static void queue_purge(struct queue *queue, const uint32_t *generation) {
    if (queue->held <= 2 * queue->live + QUEUE_SLACK)
        return;
    purge_window(queue, generation);
    for (unsigned level = 0; level < LEVELS; level++) {
        if ((queue->levels >> level & 1U) != 0)
            purge_level(queue, level, generation);
    }
    assert(queue->held ==
           queue->live); /* 5: else the owner raised a generation and did not say so */
}

bool queue_pop(struct queue *queue, const uint32_t *generation, struct event *event) {
    assert(generation != NULL && event != NULL);
    if (queue->live == 0)
        return false;
    const uint32_t *check;
    do {
        check = queue->held == queue->live ? NULL : generation; /* 5 */
        *event = queue_take(queue, check);
        assert(event->key >= queue->last); /* 1 */
    } while (!event_is_live(event->payload, check));
    queue->live--;
    queue->last = event->key;
    queue_purge(queue, generation);
    return true;
}

void queue_cancelled(struct queue *queue, const uint32_t *generation) {
    assert(generation != NULL);
    assert(queue->live > 0);
    queue->live--;
    queue_purge(queue, generation);
}

uint64_t queue_live(const struct queue *queue) { return queue->live; }

uint64_t queue_held(const struct queue *queue) { return queue->held; }
