/* replay_text.c: what a replay is about to do, what speaks against it, and how it went. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "letters/replay_text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/timestamp.h"
#include "letters/letter_text.h"
#include "report/json_writer.h"
#include "report/text.h"
#include "scenario/epoch.h"

enum { LABEL = 12 };

/* A duration in at most two units. */
static const char *print_time(storm_time time, char *buffer) {
    return letter_age_print(time < STORM_NEVER ? time : STORM_NEVER, 0, buffer);
}

static const char *print_rate(double rate, char *buffer) {
    text_number(rate, buffer);
    strcat(buffer, "/s");
    return buffer;
}

/* ---- what speaks against it ------------------------------------------------------------------ */

static void say_overflow(const struct replay_about *about, struct storm_error *error) {
    const struct storm_scenario *scenario = about->wish->scenario;
    const struct storm_population *consumers = &scenario->populations[about->target->population];
    const struct storm_queue *queue = &scenario->queues[consumers->queue];
    char count[TEXT_NUMBER_SIZE], memory[TEXT_NUMBER_SIZE];
    storm_fail(error, STORM_INVALID,
               "%s letters at once are more than the %s messages that '%.60s' holds: it will %s",
               text_number(about->wish->count, count), text_number(queue->memory, memory),
               scenario->services[queue->service].name,
               about->load->crashes ? "crash" : "have no room for all");
}

static void say_queue(const struct replay_about *about, struct storm_error *error) {
    const struct plan_load *load = about->load;
    char count[TEXT_NUMBER_SIZE], time[TEXT_DURATION_SIZE], spare[TEXT_NUMBER_SIZE + 2];
    text_number(about->wish->count, count);
    print_rate(load->capacity - load->live, spare);
    storm_fail(error, STORM_INVALID,
               "%s letters at once are %s of work for '%.60s', who have %s to spare: live messages "
               "wait behind them",
               count, print_time(load->drain, time), load->name, spare);
}

static void say_load(const struct replay_about *about, struct storm_error *error) {
    const struct plan_load *load = about->load;
    char what[96], ratio[TEXT_NUMBER_SIZE], while_waiting[TEXT_DURATION_SIZE + 32] = "";
    char able[TEXT_NUMBER_SIZE + 2], live[TEXT_NUMBER_SIZE + 2], time[TEXT_DURATION_SIZE];
    if (about->wish->pace.rate > 0) {
        print_rate(about->wish->pace.rate, able);
        snprintf(what, sizeof what, "%.40s and the live traffic are", able);
    } else {
        text_number(about->wish->count, able);
        snprintf(what, sizeof what, "%.40s at once is", able);
        if (load->waits < STORM_NEVER) {
            snprintf(while_waiting, sizeof while_waiting, " while its callers wait %s",
                     print_time(load->waits, time));
        }
    }
    text_number(load->ratio, ratio);
    storm_fail(error, STORM_INVALID,
               "%s %sx what '%.40s' can do%s (%s, of which live traffic takes %s): %s", what, ratio,
               load->name, while_waiting, print_rate(load->capacity, able),
               print_rate(load->live, live),
               load->knocks_down ? "it will knock the service down again"
                                 : "most of it will fail, and live requests with it");
}

static void say_live(const struct replay_about *about, struct storm_error *error) {
    const struct plan_load *load = about->load;
    char able[TEXT_NUMBER_SIZE + 2], live[TEXT_NUMBER_SIZE + 2];
    storm_fail(error, STORM_INVALID,
               "live traffic alone (%s) is more than '%.60s' can do (%s): nothing is to spare",
               print_rate(load->live, live), load->name, print_rate(load->capacity, able));
}

bool replay_is_too_much(const struct replay_about *about, struct storm_error *error) {
    const struct plan_load *load = about->load;
    char rate[TEXT_NUMBER_SIZE + 2];
    bool is_unpaced = about->wish->pace.rate <= 0;
    assert(load != NULL);
    if (load->overflows) {
        say_overflow(about, error);
    } else if (isinf(load->capacity) ||
               !(load->knocks_down || load->ratio > 1 || (load->ratio == 1 && !is_unpaced))) {
        return false; /* a pace that leaves nothing to spare is too much already */
    } else if (load->live >= load->capacity) {
        say_live(about, error);
    } else if (load->is_consumers && is_unpaced) {
        say_queue(about, error);
    } else {
        say_load(about, error);
    }
    if (load->rate > 0) {
        snprintf(error->suggestion, sizeof error->suggestion,
                 "use --rate %s, or --force if that is what you want to see",
                 print_rate(load->rate, rate));
    } else {
        snprintf(error->suggestion, sizeof error->suggestion,
                 "use --force if that is what you want to see");
    }
    return true;
}

static const char *fault_verb(enum storm_fault_kind kind) {
    switch (kind) {
    case STORM_FAULT_DOWN:
        return "is down";
    case STORM_FAULT_HANG:
        return "hangs";
    case STORM_FAULT_SLOW:
        return "is slow";
    case STORM_FAULT_CAPACITY:
        return "is short of workers";
    case STORM_FAULT_ERRORS:
        return "answers with errors";
    case STORM_FAULT_NETWORK:
        return "has a bad network";
    }
    assert(0 && "no such fault");
    return "fails";
}

bool replay_meets_fault(const struct replay_about *about, uint32_t index,
                        struct storm_error *error) {
    const struct storm_scenario *scenario = about->wish->scenario;
    char begin[TEXT_DURATION_SIZE], end[TEXT_DURATION_SIZE];
    storm_time from, to;
    if (!plan_meets_fault(about->wish, about->target, index, &from, &to)) {
        return false;
    }
    const struct storm_fault *fault = &scenario->faults[index];
    bool ends = to < scenario->duration;
    bool is_over = ends && fault->period == 0; /* and then letters may go */
    print_time(to, end);
    storm_fail(error, STORM_INVALID, "'%.60s' %s from %s %s%s, while letters are sent",
               scenario->services[fault->service].name, fault_verb(fault->kind),
               print_time(from, begin), ends ? "to " : "on", ends ? end : "");
    snprintf(error->suggestion, sizeof error->suggestion,
             "take a --variant without that%s%s, or --force if that is what you want to see",
             is_over ? ", begin --at " : "", is_over ? text_duration(to, end) : "");
    return true;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static void label(FILE *out, const char *text) { fprintf(out, "  %-*s", LABEL, text); }

static void write_left_out(const struct replay_left_out *left, FILE *out) {
    const struct {
        uint32_t count;
        const char *why;
    } rows[] = {{left->replayed, "replayed with success before"},
                {left->unclear, "replayed before, dead again or in doubt (--again sends them)"},
                {left->resolved, "resolved by somebody"},
                {left->data, "of class data (--with-data sends them)"},
                {left->repeated, "in the file twice"},
                {left->over_limit, "beyond the limit"}};
    bool is_first = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char number[TEXT_NUMBER_SIZE];
        if (rows[i].count > 0) {
            label(out, is_first ? "left out" : "");
            fprintf(out, "%s %s\n", text_number(rows[i].count, number), rows[i].why);
            is_first = false;
        }
    }
}

static void write_pace(const struct plan_wish *wish, FILE *out) {
    char rate[TEXT_NUMBER_SIZE + 2], time[TEXT_DURATION_SIZE], number[TEXT_NUMBER_SIZE];
    label(out, "pace");
    fputs(wish->pace.rate > 0 ? print_rate(wish->pace.rate, rate) : "all at once", out);
    if (wish->pace.rate > 0 && wish->pace.ramp > 0) {
        fprintf(out, " after a ramp of %s", print_time(wish->pace.ramp, time));
    }
    if (wish->pace.probe > 0) {
        fprintf(out, ", after a probe of %s", text_number(wish->pace.probe, number));
        fprintf(out, " of which %s%% must succeed",
                text_number(100 * wish->pace.probe_success, number));
    }
    fputc('\n', out);
}

static void write_asks(const struct replay_about *about, FILE *out) {
    const struct plan_load *load = about->load;
    char able[TEXT_NUMBER_SIZE + 2], live[TEXT_NUMBER_SIZE + 2], share[TEXT_NUMBER_SIZE];
    if (isinf(load->capacity)) {
        return;
    }
    label(out, "asks");
    text_number(load->ratio < 2 ? 100 * load->ratio : load->ratio, share);
    fprintf(out, "%s%s what %s can do (%s, of which live traffic takes %s)\n", share,
            load->ratio < 2 ? "% of" : "x", load->name, print_rate(load->capacity, able),
            print_rate(load->live, live));
}

static void write_head(const struct replay_about *about, FILE *out) {
    const struct storm_population *population =
        &about->wish->scenario->populations[about->target->population];
    char count[TEXT_NUMBER_SIZE];
    fprintf(out, "Replay of %s letter%s of %s: %s%s%s, seed %llu\n\n",
            text_number(about->wish->count, count), about->wish->count == 1 ? "" : "s",
            storm_letter_queue_of(population), about->scenario_file,
            about->variant != NULL ? ", " : "", about->variant != NULL ? about->variant : "",
            (unsigned long long)about->seed);
}

bool replay_write_plan(const struct replay_about *about, FILE *out) {
    const struct plan_wish *wish = about->wish;
    const struct plan_load *load = about->load;
    char time[TEXT_DURATION_SIZE], number[TEXT_NUMBER_SIZE], instant[TIMESTAMP_SIZE];
    write_head(about, out);
    write_left_out(&about->left_out, out);
    label(out, "begins");
    fprintf(out, "%s into the run, at %s\n", print_time(wish->at, time),
            epoch_print(wish->scenario->epoch + wish->at, instant));
    write_pace(wish, out);
    label(out, "takes");
    fprintf(out, "%s\n", print_time(load->length, time));
    if (load->unsent > 0) {
        label(out, "too late");
        fprintf(out,
                "%s letters: the run ends before they are sent (--set duration=... for more)\n",
                text_number(load->unsent, number));
    }
    write_asks(about, out);
    return ferror(out) == 0;
}

/* ---- how it went ----------------------------------------------------------------------------- */

static void write_count(const char *name, uint32_t count, const char *remark, FILE *out) {
    char number[TEXT_NUMBER_SIZE];
    label(out, name);
    fprintf(out, "%s%s%s\n", text_number(count, number), remark[0] != '\0' ? "  " : "", remark);
}

/* How many letters died again for each reason. */
static void count_reasons(const struct replay *replay, uint32_t reasons[STORM_REASON_COUNT]) {
    memset(reasons, 0, STORM_REASON_COUNT * sizeof *reasons);
    for (uint32_t i = 0; i < replay->count; i++) {
        if (replay->list[i].state == REPLAY_DEAD) {
            assert(replay->list[i].end.reason < STORM_REASON_COUNT);
            reasons[replay->list[i].end.reason]++;
        }
    }
}

static void write_dead(const struct replay *replay, FILE *out) {
    uint32_t reasons[STORM_REASON_COUNT];
    char number[TEXT_NUMBER_SIZE];
    const char *comma = "  ";
    count_reasons(replay, reasons);
    label(out, "dead again");
    fputs(text_number(replay->totals.dead, number), out);
    for (int i = 0; i < STORM_REASON_COUNT; i++) {
        if (reasons[i] > 0) {
            fprintf(out, "%s%s %s", comma, storm_reason_word((enum storm_reason)i),
                    text_number(reasons[i], number));
            comma = ", ";
        }
    }
    fputc('\n', out);
}

static bool is_probe_failed(const struct replay_about *about, const struct replay *replay) {
    return replay->probe > 0 && replay->totals.sent == replay->probe &&
           replay->probe_succeeded < about->wish->pace.probe_success * replay->probe;
}

/* The busiest second of the service that came nearest to what it can do; NULL: no peak. */
static const struct replay_peak *find_peak(const struct replay *replay, double *share,
                                           const char **name) {
    const struct replay_peak *found = NULL;
    *share = -1;
    for (uint32_t i = 0; i < replay->scenario.service_count; i++) {
        const struct replay_peak *peak = &replay->peaks[i];
        double capacity = storm_service_capacity(&replay->scenario.services[i]);
        double of = isinf(capacity) ? 0 : (double)peak->most / capacity;
        if (peak->most > 0 && of > *share) {
            found = peak;
            *share = of;
            *name = replay->scenario.services[i].name;
        }
    }
    return found;
}

static void write_peak(const struct replay *replay, FILE *out) {
    const char *name = "";
    double share;
    char number[TEXT_NUMBER_SIZE], times[TEXT_NUMBER_SIZE];
    const struct replay_peak *peak = find_peak(replay, &share, &name);
    if (peak == NULL) {
        return;
    }
    label(out, "peak");
    fprintf(out, "%s/s at %s", text_number((double)peak->most, number), name);
    fprintf(out, share > 0 ? ", %sx its capacity\n" : "%s\n",
            share > 0 ? text_number(share, times) : "");
    for (uint32_t i = 0; i < replay->scenario.service_count; i++) {
        if (replay->peaks[i].crashes > 0) {
            label(out, "crashes");
            fprintf(out, "%u of %s\n", replay->peaks[i].crashes, replay->scenario.services[i].name);
        }
    }
}

bool replay_write_text(const struct replay_about *about, const struct replay *replay, FILE *out) {
    const struct audit_end *totals = &replay->totals;
    bool failed = is_probe_failed(about, replay);
    char time[TEXT_DURATION_SIZE], number[TEXT_NUMBER_SIZE];
    fputc('\n', out);
    write_count("succeeded", totals->succeeded, "", out);
    write_dead(replay, out);
    write_count("in doubt", totals->in_doubt,
                totals->in_doubt > 0 ? "sent, but the run ended before they did" : "", out);
    write_count("not sent", totals->not_sent,
                totals->not_sent == 0 ? ""
                : failed              ? "the probe failed"
                                      : "the run ended first",
                out);
    write_count("effects", replay->effects, "side effects of these letters", out);
    write_count("duplicates", totals->duplicates, "of those happened again", out);
    if (replay->probe > 0) {
        label(out, "probe");
        fputs(text_number(replay->probe_succeeded, number), out);
        fprintf(out, " of %s succeeded\n", text_number(replay->probe, number));
    }
    label(out, "took");
    fprintf(out, "%s\n", print_time(replay->last - replay->at, time));
    write_peak(replay, out);
    write_count("live", replay->live_dead, "other requests died meanwhile", out);
    if (about->audit != NULL && replay->audit != NULL) {
        label(out, "audit");
        fprintf(out, "%s, replay %u\n", about->audit, replay->audit->replay_count);
    }
    if (about->output != NULL) {
        label(out, "written");
        fprintf(out, "%s: the letters that died again\n", about->output);
    }
    return ferror(out) == 0;
}

static void write_json_plan(struct json_writer *json, const struct replay_about *about) {
    const struct plan_wish *wish = about->wish;
    const struct plan_load *load = about->load;
    char instant[TIMESTAMP_SIZE];
    json_key_text(json, "letters_file", about->letters_file);
    json_key_text(json, "scenario", about->scenario_file);
    json_key_text(json, "variant", about->variant);
    json_key_count(json, "seed", about->seed);
    json_key_text(json, "by", about->by);
    json_key_text(json, "queue",
                  storm_letter_queue_of(&wish->scenario->populations[about->target->population]));
    json_key_text(json, "at", epoch_print(wish->scenario->epoch + wish->at, instant));
    json_key_count(json, "letters", wish->count);
    json_key_double(json, "rate_per_s", wish->pace.rate);
    json_key_double(json, "ramp_s", storm_time_to_seconds(wish->pace.ramp));
    json_key_count(json, "probe", wish->pace.probe);
    json_key_text(json, "asks_of", load->name);
    json_key_double(json, "capacity_per_s", load->capacity);
    json_key_double(json, "live_per_s", load->live);
    json_key_double(json, "asks", load->ratio);
    json_key_bool(json, "knocks_down", load->knocks_down);
    json_key_double(json, "takes_s", storm_time_to_seconds(load->length));
    json_key_count(json, "too_late", load->unsent);
}

static void write_json_reasons(struct json_writer *json, const struct replay *replay) {
    uint32_t reasons[STORM_REASON_COUNT];
    count_reasons(replay, reasons);
    json_writer_key(json, "dead_by_reason");
    json_writer_object_begin(json, JSON_FLAT);
    for (int i = 0; i < STORM_REASON_COUNT; i++) {
        if (reasons[i] > 0) {
            json_key_count(json, storm_reason_word((enum storm_reason)i), reasons[i]);
        }
    }
    json_writer_object_end(json);
}

static void write_json_peaks(struct json_writer *json, const struct replay *replay) {
    json_writer_key(json, "peaks");
    json_writer_object_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < replay->scenario.service_count; i++) {
        const struct replay_peak *peak = &replay->peaks[i];
        if (peak->each <= 0) {
            continue;
        }
        json_writer_key(json, replay->scenario.services[i].name);
        json_writer_object_begin(json, JSON_FLAT);
        json_key_count(json, "attempts_per_s", peak->most);
        json_key_double(json, "capacity_per_s",
                        storm_service_capacity(&replay->scenario.services[i]));
        json_key_count(json, "knock_downs", peak->crashes);
        json_writer_object_end(json);
    }
    json_writer_object_end(json);
}

bool replay_write_json(const struct replay_about *about, const struct replay *replay, FILE *out) {
    struct json_writer json;
    json_writer_init(&json, out);
    json_writer_object_begin(&json, JSON_LINES);
    json_key_text(&json, "schema", "retrystorm.replay/1");
    write_json_plan(&json, about);
    if (replay != NULL) {
        const struct audit_end *totals = &replay->totals;
        json_key_count(&json, "sent", totals->sent);
        json_key_count(&json, "succeeded", totals->succeeded);
        json_key_count(&json, "dead", totals->dead);
        write_json_reasons(&json, replay);
        json_key_count(&json, "in_doubt", totals->in_doubt);
        json_key_count(&json, "not_sent", totals->not_sent);
        json_key_count(&json, "effects", replay->effects);
        json_key_count(&json, "duplicates", totals->duplicates);
        json_key_count(&json, "probe_succeeded", replay->probe_succeeded);
        json_key_double(&json, "took_s", storm_time_to_seconds(replay->last - replay->at));
        json_key_count(&json, "live_dead", replay->live_dead);
        write_json_peaks(&json, replay);
    }
    json_writer_object_end(&json);
    return json_writer_end(&json);
}
