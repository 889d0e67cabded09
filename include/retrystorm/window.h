/* window.h: everything that happens in a window of time, and whom it is about. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RETRYSTORM_WINDOW_H
#define RETRYSTORM_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include <retrystorm/fact.h>
#include <retrystorm/scenario.h>
#include <retrystorm/story.h>
#include <retrystorm/units.h>

/* What is looked at: [from, to), and of it what fits the rest; STORM_NONE: all. What is about no
   request (outages, capacity) fits every population. */
struct storm_window {
    storm_time from, to;
    uint32_t service;
    uint32_t population;      /* clients: what is done for their requests */
    uint32_t member, ordinal; /* one request of them */
};

/* How far the callee is with an attempt, or the queue with a message. */
enum storm_stage {
    STORM_STAGE_WAY,     /* on its way to the callee */
    STORM_STAGE_WAITING, /* in the queue */
    STORM_STAGE_SERVED,  /* held by a worker, or in a consumer's hands */
    STORM_STAGE_PARKED,  /* its worker is free while it waits for other services */
    STORM_STAGE_OVER     /* answered, or gone */
};

/* A request, a message, a delivery or an attempt that is under way, and whose it is. */
struct storm_kin {
    struct storm_story_attempt attempt;   /* a request is told by its kind; `number` of messages and
                                           copies is not counted here: 0 */
    uint32_t population, member, ordinal; /* the clients' request that it is done for */
    uint32_t index;   /* of all that are under way each has its own; used again afterwards */
    uint32_t parent;  /* the index of who sent it; STORM_NONE: a request, a message or a copy */
    uint64_t order;   /* how many had begun before */
    uint32_t resting; /* the index of the attempt after which it backs off; STORM_NONE: none. Of
                         several the last */
    uint8_t stage; /* enum storm_stage; of a delivery OVER when the message is back in its queue */
    bool ended;    /* of a request, copy or message: succeeded or dead */
    bool given_up; /* of an attempt: its caller's timeout has fired */
};

/* What the scenario's plan does: a fault or an action begins, or is over. */
struct storm_mark {
    storm_time time;
    uint32_t index; /* into the scenario's faults or actions */
    bool is_action, begins;
};

enum { STORM_WINDOW_PARTS = 10, STORM_FACT_KINDS = STORM_FACT_SUPPRESSED + 1 };

/* A line of a window: a fact, or a mark where `is_mark` is set. */
struct storm_window_line {
    struct storm_fact fact;
    struct storm_kin kin; /* of the fact, if `has_kin` */
    struct storm_mark mark;
    bool has_kin, is_mark;
};

/* A window as people read it. */
struct storm_window_story {
    struct storm_window window;
    uint64_t counts[STORM_FACT_KINDS][STORM_WINDOW_PARTS]; /* facts in each tenth of it */
    uint64_t all;                                          /* lines there would be */
    uint32_t line_count;
    struct storm_window_line *lines; /* the first ones */
};

/* ---- slices ---------------------------------------------------------------------------------- */

enum storm_slice_phase {
    STORM_SLICE_BEGIN,
    STORM_SLICE_END, /* of the slice of that lane which began last */
    STORM_SLICE_INSTANT,
    STORM_SLICE_FLOW_OUT, /* from the slice of that lane which began last ... */
    STORM_SLICE_FLOW_IN,  /* ... to this one */
    STORM_SLICE_COUNTER
};

enum storm_slice_kind {
    STORM_SLICE_REQUEST,  /* birth to end; of copies, too */
    STORM_SLICE_ATTEMPT,  /* sent until its caller is done with it */
    STORM_SLICE_BACK_OFF, /* of the caller, after an attempt that failed */
    STORM_SLICE_VISIT,    /* of an attempt at its service: arrives until the service is done */
    STORM_SLICE_QUEUE,    /* it waits there */
    STORM_SLICE_SERVICE,  /* it is served there */
    STORM_SLICE_MESSAGE,  /* in its queue or in consumers' hands */
    STORM_SLICE_DELIVERY, /* a consumer has it */
    STORM_SLICE_PLAN,     /* instant: a mark */
    STORM_SLICE_CHANGE,   /* instant: capacity, outage, crash, breaker */
    STORM_SLICE_LEVEL     /* counter */
};

/* One thing to draw. Slices of one lane nest. Lane 0 is the instants'. */
struct storm_slice_event {
    storm_time time;
    enum storm_slice_phase phase;
    enum storm_slice_kind kind;
    uint32_t process; /* populations, then services */
    uint32_t lane;
    const struct storm_fact *fact; /* what begins or ends it; NULL: the window does */
    const struct storm_kin *kin;   /* whom it is about; NULL: nobody */
    const struct storm_mark *mark; /* PLAN */
    uint64_t flow;
    uint32_t waiting, served; /* LEVEL, of a service ... */
    double offered; /* ... and attempts arriving per second since the one before; NaN: there
                                 was none */
};

#endif
