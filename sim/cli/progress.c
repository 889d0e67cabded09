/* progress.c: a sign of life on standard error while runs are made. The only place that looks at
   the clock on the wall; no result depends on it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double patience = 0.3, line_every = 10;
enum { BAR_WIDTH = 20 };

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

bool progress_is_wanted(const struct cli_options *options) {
    return !options->quiet && !options->no_progress;
}

void progress_begin(struct progress *progress) {
    const char *terminal = getenv("TERM");
    bool is_dumb = terminal == NULL || strcmp(terminal, "dumb") == 0 || getenv("CI") != NULL;
    *progress = (struct progress){.on_terminal = isatty(STDERR_FILENO) && !is_dumb};
    progress->begun = progress->last = seconds_now();
}

/* Of work that has no end in sight. */
static void print_count(const struct progress *p, double elapsed, uint32_t done, uint64_t events) {
    fprintf(stderr, "%sruns %u, %.1f M events/s%s", p->on_terminal ? "\r\033[2K" : "", done,
            (double)events / elapsed / 1e6, p->on_terminal ? "" : "\n");
    fflush(stderr);
}

static void print_line(const struct progress *p, double elapsed, uint32_t done, uint32_t total,
                       uint64_t events) {
    char bar[3 * BAR_WIDTH + 1] = "";
    uint32_t filled = done * BAR_WIDTH / total;
    for (uint32_t i = 0; i < BAR_WIDTH; i++) {
        strcat(bar, i < filled ? "━" : "╌");
    }
    fputs(p->on_terminal ? "\r\033[2K" : "", stderr);
    fprintf(stderr, "runs %u/%u %s %.1f M events/s", done, total, bar,
            (double)events / elapsed / 1e6);
    if (done > 0) {
        fprintf(stderr, ", %.0f s left", elapsed / done * (total - done));
    }
    fputs(p->on_terminal ? "" : "\n", stderr);
    fflush(stderr);
}

void progress_tick(void *context, uint32_t done, uint32_t total, uint64_t events) {
    struct progress *p = context;
    double now = seconds_now();
    double wait = p->on_terminal ? (p->drawn ? 0.1 : patience) : line_every;
    if (now - p->last < wait) {
        return;
    }
    if (total > 0) {
        print_line(p, now - p->begun, done, total, events);
    } else {
        print_count(p, now - p->begun, done, events);
    }
    p->last = now;
    p->drawn = p->on_terminal;
}

void progress_end(struct progress *progress) {
    if (progress->drawn) {
        fputs("\r\033[2K", stderr);
        fflush(stderr);
        progress->drawn = false;
    }
}
