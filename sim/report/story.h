/* story.h: the life of one request, or of a window, for people, as JSON Lines and as a trace. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_STORY_H
#define REPORT_STORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/scenario.h>
#include <retrystorm/story.h>
#include <retrystorm/window.h>

/* Where the story is from. */
struct story_source {
    const char *file;    /* the scenario's base name */
    const char *variant; /* NULL: the scenario as it stands */
    uint32_t run;
    uint64_t seed;
};

/* Writes a heading, then a line for each fact: seconds of virtual time,
   who in the tree of calls, and what happened. False when a byte could not be written, or memory
   ran out. */
bool story_write_text(const struct storm_story *story, const struct storm_scenario *scenario,
                      const struct story_source *source, FILE *out);

/* Writes an object a fact, of eighteen members in this order: t_ns, at (RFC 3339), event, request
   (as msg_id of a dead letter; of a ban the client), depth (0: the request itself and its copies),
   where (the population or the service), try (of a delivery, which one of its message), key and
   parent (16 hex digits: of the request, attempt or delivery, and of who sent it; of a breaker
   parent is its name), status (as in a dead letter), reason (why it is dead, held back, born again,
   back in its queue, has an effect, or has none: duplicate, or mistaken for one; of a breaker:
   closed, open or half_open), since_ns, due_ns, retry, ghost, held (what it left: queue, worker or
   null), level (workers, or outages, in force) and pace (of the workers; 1: as planned). What does
   not apply is null. False when a byte could not be written. */
bool story_write_jsonl(const struct storm_story *story, const struct storm_scenario *scenario,
                       FILE *out);

/* Writes one fact of a window in the same form; `kin` may be NULL. */
void window_write_fact(const struct storm_scenario *scenario, const struct storm_fact *fact,
                       const struct storm_kin *kin, FILE *out);

/* Writes a heading, and a line for each fact and mark that was kept: seconds of virtual time, whose
   request, which attempt, and what happened. When there is more than was kept, the facts of each
   tenth of the window are counted before, and what is left out is said after. False when a byte
   could not be written, or memory ran out. */
bool window_write_text(const struct storm_window_story *story,
                       const struct storm_scenario *scenario, const struct story_source *source,
                       FILE *out);

/* A trace in the Trace Event Format (JSON object form), written event by event: opens in Perfetto
   and chrome://tracing. */
struct chrome_writer;

/* Begins a document. NULL without memory; freed with chrome_writer_end, whatever was written. */
struct chrome_writer *chrome_writer_begin(const struct storm_scenario *scenario,
                                          const struct story_source *source, FILE *out);

/* Writes an event; the context is the writer. Times are microseconds with three decimals. */
void chrome_writer_draw(void *context, const struct storm_slice_event *event);

/* Ends the document with the names of processes and lanes; says how many events were left out.
   False when a byte could not be written. */
bool chrome_writer_end(struct chrome_writer *writer, uint64_t left_out);

#endif
