/* window.h: hears a run, and tells what happens in a window of it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RECORD_WINDOW_H
#define RECORD_WINDOW_H

#include <signal.h>
#include <stdbool.h>

#include <retrystorm/fact.h>
#include <retrystorm/window.h>

struct arena;
struct lineage;
struct window;

/* Who is told. Any function may be NULL. */
struct window_teller {
    void (*pass)(void *context, storm_time now); /* all before `now` has been told; from the
                                                    window's beginning to its end or the run's */
    void (*mark)(void *context, const struct storm_mark *mark);
    void (*fact)(void *context, const struct storm_fact *fact, const struct storm_kin *kin);
    void *context;
};

/* Memory is the arena's; NULL at its limit. */
struct window *window_new(struct arena *arena, const struct storm_scenario *scenario,
                          const struct storm_window *plan);

/* Before the run: who is told. */
void window_tell_to(struct window *window, const struct window_teller *teller);

/* Whose is what, as heard so far. */
struct lineage *window_lineage(struct window *window);

/* Fits struct storm_listener; the context is the window. It hears the run from its first fact. */
void window_hear(void *context, const struct storm_fact *fact);

/* Becomes non-zero when the run has left the window. */
const volatile sig_atomic_t *window_stop(const struct window *window);

/* After the run, which has ended at `end` unless it was stopped: time passes to the end of the
   window. False when memory had run out. */
bool window_finish(struct window *window, storm_time end);

/* Keeps the counts of a window, and its first `limit` lines. NULL without memory. The teller is for
   window_tell_to. */
struct window_story;
struct window_story *window_story_new(struct arena *arena, const struct storm_window *plan,
                                      uint32_t limit);
struct window_teller window_story_teller(struct window_story *story);

/* What was kept; NULL when memory had run out. */
const struct storm_window_story *window_story_told(const struct window_story *story);

#endif
