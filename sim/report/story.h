/* story.h: the life of one request, for people and as JSON Lines. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_STORY_H
#define REPORT_STORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <retrystorm/scenario.h>
#include <retrystorm/story.h>

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

/* Writes an object a fact, of sixteen members in this order: t_ns, at (RFC 3339), event, request
   (as msg_id of a dead letter), depth (0: the request itself and its copies), where (the population
   or the service), try (of a delivery, which one of its message), key and parent (16 hex digits:
   of the request, attempt or delivery, and of who sent it), status (as in a dead letter), reason
   (why it is dead, held back, born again, back in its queue, has an effect, or has none: duplicate,
   or mistaken for one), since_ns, due_ns, retry, ghost, held (what it left: queue, worker or null).
   What does not apply is null. False when a byte could not be written. */
bool story_write_jsonl(const struct storm_story *story, const struct storm_scenario *scenario,
                       FILE *out);

#endif
