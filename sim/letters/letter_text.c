/* letter_text.c: letters for people and programs: a list, counts, and why one is there. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "letters/letter_text.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <retrystorm/policy.h>
#include <retrystorm/units.h>

#include "base/timestamp.h"
#include "report/json_writer.h"
#include "report/text.h"
#include "scenario/epoch.h"

enum { WIDTH = 80, SENTENCE_SIZE = 512, BAR = 32 };

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Nanoseconds from an instant to now; 0 when it is yet to come. */
static storm_time age_of(int64_t now, int64_t instant) {
    assert(now >= 0 && instant >= 0);
    int64_t age = now > instant ? now - instant : 0;
    return age < STORM_NEVER ? age : STORM_NEVER - 1; /* longer than is counted, yet a number */
}

const char *letter_age_print(int64_t now, int64_t instant, char *buffer) {
    static const struct {
        int64_t seconds, below;
        const char *larger, *smaller;
    } units[] = {{86400, 3600, "d", "h"}, {3600, 60, "h", "m"}, {60, 1, "m", "s"}};
    storm_time age = age_of(now, instant);
    int64_t seconds = age / STORM_SECOND;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        int64_t large = seconds / units[i].seconds;
        int64_t small = seconds % units[i].seconds / units[i].below;
        if (large > 0) {
            int length =
                snprintf(buffer, TEXT_DURATION_SIZE, "%" PRId64 "%s", large, units[i].larger);
            if (small > 0) {
                snprintf(buffer + length, TEXT_DURATION_SIZE - (size_t)length, " %" PRId64 "%s",
                         small, units[i].smaller);
            }
            return buffer;
        }
    }
    return text_duration(age, buffer);
}

/* An instant to the second, which is enough where many stand together. */
static const char *print_second(int64_t instant, char *buffer) {
    return epoch_print(instant / STORM_SECOND * STORM_SECOND, buffer);
}

/* "1 letter", "12 letters". */
static void print_letters(uint32_t count, FILE *out) {
    char number[TEXT_NUMBER_SIZE];
    fprintf(out, "%s letter%s", text_number(count, number), count == 1 ? "" : "s");
}

static void key_instant(struct json_writer *json, const char *key, int64_t instant) {
    char buffer[TIMESTAMP_SIZE];
    json_key_text(json, key, epoch_print(instant, buffer));
}

/* All that is known of a letter, as an object. */
static void write_letter(struct json_writer *json, const struct letter_view *view,
                         const struct letter *letter) {
    json_writer_object_begin(json, JSON_FLAT);
    dead_letter_fields(json, &letter->says);
    json_key_double(json, "age_s",
                    storm_time_to_seconds(age_of(view->now, letter->last_failed_at)));
    json_key_text(json, "state", letter_state_word(letter->state));
    json_key_text(json, "by", letter->by);
    json_key_text(json, "note", letter->note);
    json_key_text(json, "again", letter->again);
    json_writer_object_end(json);
}

/* Begins a document about the file. */
static void begin_document(struct json_writer *json, const struct letter_view *view,
                           const char *schema, FILE *out) {
    json_writer_init(json, out);
    json_writer_object_begin(json, JSON_LINES);
    json_key_text(json, "schema", schema);
    json_key_text(json, "file", view->letters->name);
    key_instant(json, "now", view->now);
}

/* ---- the list -------------------------------------------------------------------------------- */

/* The next letter to be listed from *at on; NULL: no more. */
static const struct letter *next_listed(const struct letter_view *view,
                                        const struct letter_filter *filter, uint32_t *at) {
    while (*at < view->letters->count) {
        const struct letter *letter = &view->letters->list[(*at)++];
        if (letter_filter_passes(filter, letter)) {
            return letter;
        }
    }
    return NULL;
}

/* How many pass, and how many of those nobody has reviewed. */
static uint32_t count_listed(const struct letter_view *view, const struct letter_filter *filter,
                             uint32_t *unreviewed) {
    uint32_t count = 0, at = 0;
    *unreviewed = 0;
    for (const struct letter *l; (l = next_listed(view, filter, &at)) != NULL; count++) {
        *unreviewed += l->state == LETTER_UNREVIEWED;
    }
    return count;
}

static bool fill_row(struct text_table *table, uint32_t row, const struct letter_view *view,
                     const struct letter *letter, struct arena *arena) {
    const struct dead_letter *says = &letter->says;
    char status[8], age[TEXT_DURATION_SIZE], attempts[TEXT_NUMBER_SIZE];
    const char *cells[] = {says->msg_id[0],
                           says->queue,
                           says->reason,
                           tally_status(says->status, status),
                           says->data ? "data" : "system",
                           letter_state_word(letter->state),
                           text_number(says->attempts, attempts),
                           letter_age_print(view->now, letter->last_failed_at, age)};
    for (uint32_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        struct text_cell *cell = text_table_cell(table, row, i);
        cell->value = text_clean(arena, cells[i]);
        if (cell->value == NULL) {
            return false;
        }
    }
    return true;
}

static bool write_table(const struct letter_view *view, const struct letter_filter *filter,
                        uint32_t rows, struct arena *arena, FILE *out) {
    static const char *const heads[] = {"id",    "queue", "reason",   "status",
                                        "class", "state", "attempts", "age"};
    enum { COLUMNS = sizeof heads / sizeof heads[0], LEFT = COLUMNS - 2 };
    struct text_table table;
    uint32_t at = 0;
    if (!text_table_init(&table, arena, rows + 1, COLUMNS, LEFT)) {
        return false;
    }
    for (uint32_t i = 0; i < COLUMNS; i++) {
        text_table_cell(&table, 0, i)->value = heads[i];
    }
    for (uint32_t row = 1; row <= rows; row++) {
        if (!fill_row(&table, row, view, next_listed(view, filter, &at), arena)) {
            return false;
        }
    }
    text_table_write(&table, out);
    return true;
}

bool letter_list_text(const struct letter_view *view, const struct letter_filter *filter,
                      uint32_t limit, FILE *out) {
    uint32_t unreviewed, all = count_listed(view, filter, &unreviewed);
    uint32_t rows = limit > 0 && limit < all ? limit : all;
    char number[TEXT_NUMBER_SIZE];
    struct arena arena;
    arena_init(&arena, (size_t)-1);
    bool good = rows == 0 || write_table(view, filter, rows, &arena, out);
    if (good && rows < all) {
        fprintf(out, "... and %s more\n", text_number(all - rows, number));
    }
    fputs(rows > 0 ? "\n" : "", out);
    print_letters(all, out);
    if (all > 0) {
        fprintf(out, ", %s unreviewed", text_number(unreviewed, number));
    }
    fputc('\n', out);
    arena_free(&arena);
    return good && ferror(out) == 0;
}

bool letter_list_json(const struct letter_view *view, const struct letter_filter *filter,
                      uint32_t limit, FILE *out) {
    struct json_writer json;
    uint32_t at = 0, rows = 0;
    begin_document(&json, view, "retrystorm.letters/1", out);
    json_writer_key(&json, "letters");
    json_writer_array_begin(&json, JSON_LINES);
    for (const struct letter *letter;
         (limit == 0 || rows < limit) && (letter = next_listed(view, filter, &at)) != NULL;
         rows++) {
        write_letter(&json, view, letter);
    }
    json_writer_array_end(&json);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}

static void write_csv_row(const struct letter_view *view, const struct letter *letter, FILE *out) {
    const struct dead_letter *says = &letter->says;
    char status[8], attempts[16], age[32];
    snprintf(attempts, sizeof attempts, "%" PRIu32, says->attempts);
    storm_double_print(storm_time_to_seconds(age_of(view->now, letter->last_failed_at)), age,
                       sizeof age);
    const char *fields[] = {says->msg_id[0],
                            says->queue,
                            says->reason,
                            tally_status(says->status, status),
                            says->data ? "data" : "system",
                            attempts,
                            says->received_at,
                            says->first_failed_at,
                            says->last_failed_at,
                            age,
                            letter_state_word(letter->state),
                            says->trace_id};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        fputs(i > 0 ? "," : "", out);
        text_csv_field(out, fields[i]);
    }
    fputc('\n', out);
}

bool letter_list_csv(const struct letter_view *view, const struct letter_filter *filter,
                     uint32_t limit, FILE *out) {
    uint32_t at = 0, rows = 0;
    fputs("msg_id,queue,reason,status,class,attempts,received_at,first_failed_at,last_failed_at,"
          "age_s,state,trace_id\n",
          out);
    for (const struct letter *letter;
         (limit == 0 || rows < limit) && (letter = next_listed(view, filter, &at)) != NULL;
         rows++) {
        write_csv_row(view, letter, out);
    }
    return ferror(out) == 0;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static bool write_groups(const struct tally *tally, struct arena *arena, FILE *out) {
    struct text_table table;
    uint32_t rows = 1, row = 1;
    for (enum tally_by by = 0; by < TALLY_BY_COUNT; by++) {
        rows += tally->by[by].count;
    }
    if (!text_table_init(&table, arena, rows, 3, 2)) {
        return false;
    }
    text_table_cell(&table, 0, 2)->value = "letters";
    for (enum tally_by by = 0; by < TALLY_BY_COUNT; by++) {
        for (uint32_t i = 0; i < tally->by[by].count; i++, row++) {
            const struct tally_group *group = &tally->by[by].list[i];
            char number[TEXT_NUMBER_SIZE];
            text_number(group->count, number);
            text_table_cell(&table, row, 0)->value = i == 0 ? tally_word(by) : NULL;
            text_table_cell(&table, row, 1)->value = text_clean(arena, group->name);
            text_table_cell(&table, row, 2)->value =
                arena_copy_string(arena, number, strlen(number));
        }
    }
    text_table_write(&table, out);
    return true;
}

static void write_depth(const struct tally *tally, FILE *out) {
    char instant[TIMESTAMP_SIZE], number[TEXT_NUMBER_SIZE];
    fputs("\nletters over time\n", out);
    for (uint32_t i = 0; i < TALLY_BINS; i++) {
        int length = (int)((uint64_t)tally->depth[i] * BAR / tally->count);
        fprintf(out, "  %s  %.*s%*s  %s\n", print_second(tally->bin_end[i], instant), length,
                "################################", BAR - length, "",
                text_number(tally->depth[i], number));
    }
}

static void write_growth(const struct letter_view *view, const struct tally *tally, FILE *out) {
    char instant[TIMESTAMP_SIZE], age[TEXT_DURATION_SIZE], number[TEXT_NUMBER_SIZE];
    print_second(tally->oldest, instant);
    fprintf(out, "\noldest  %s, %s ago\n", instant,
            letter_age_print(view->now, tally->oldest, age));
    print_second(tally->newest, instant);
    fprintf(out, "newest  %s, %s ago\n", instant, letter_age_print(view->now, tally->newest, age));
    fprintf(out, "growth  %s in the last minute up to the newest,",
            text_number(tally->last_minute, number));
    print_second(tally->busiest_at, instant);
    fprintf(out, " %s in the busiest, from %s\n", text_number(tally->busiest_minute, number),
            instant);
}

static void write_replays(const struct audit *audit, FILE *out) {
    for (uint32_t i = 0; i < audit->replay_count; i++) {
        const struct audit_replay *replay = &audit->replays[i];
        char number[TEXT_NUMBER_SIZE];
        fprintf(out, "%sreplay %u by %s: ", i == 0 ? "\n" : "", replay->number, replay->by);
        if (!replay->ended) {
            fprintf(out, "cut short, %s of ", text_number(replay->sent, number));
            print_letters(replay->letters, out);
            fputs(" sent, ", out);
        } else {
            print_letters(replay->letters, out);
            fprintf(out, ", %s sent, ", text_number(replay->sent, number));
        }
        fprintf(out, "%s succeeded", text_number(replay->succeeded, number));
        fprintf(out, ", %s dead again\n", text_number(replay->dead, number));
    }
}

bool letter_stats_text(const struct letter_view *view, const struct tally *tally, FILE *out) {
    struct arena arena;
    char number[TEXT_NUMBER_SIZE];
    bool good = true;
    arena_init(&arena, (size_t)-1);
    const char *name = text_clean(&arena, view->letters->name);
    fprintf(out, "%s: ", name != NULL ? name : "");
    print_letters(tally->count, out);
    fprintf(out, ", %s unreviewed\n", text_number(tally->unreviewed, number));
    if (tally->count > 0) {
        fputc('\n', out);
        good = write_groups(tally, &arena, out);
        write_growth(view, tally, out);
        write_depth(tally, out);
    }
    write_replays(view->audit, out);
    arena_free(&arena);
    return good && ferror(out) == 0;
}

static void write_json_groups(struct json_writer *json, const struct tally *tally) {
    for (enum tally_by by = 0; by < TALLY_BY_COUNT; by++) {
        char key[16];
        snprintf(key, sizeof key, "by_%s", tally_word(by));
        json_writer_key(json, key);
        json_writer_object_begin(json, JSON_FLAT);
        for (uint32_t i = 0; i < tally->by[by].count; i++) {
            json_key_count(json, tally->by[by].list[i].name, tally->by[by].list[i].count);
        }
        json_writer_object_end(json);
    }
}

static void write_json_replays(struct json_writer *json, const struct audit *audit) {
    json_writer_key(json, "replays");
    json_writer_array_begin(json, JSON_LINES);
    for (uint32_t i = 0; i < audit->replay_count; i++) {
        const struct audit_replay *replay = &audit->replays[i];
        json_writer_object_begin(json, JSON_FLAT);
        json_key_count(json, "replay", replay->number);
        json_key_text(json, "by", replay->by);
        json_key_text(json, "at", replay->at);
        json_key_bool(json, "ended", replay->ended);
        json_key_count(json, "letters", replay->letters);
        json_key_count(json, "sent", replay->sent);
        json_key_count(json, "succeeded", replay->succeeded);
        json_key_count(json, "dead", replay->dead);
        json_writer_object_end(json);
    }
    json_writer_array_end(json);
}

bool letter_stats_json(const struct letter_view *view, const struct tally *tally, FILE *out) {
    struct json_writer json;
    begin_document(&json, view, "retrystorm.letter-stats/1", out);
    json_key_count(&json, "letters", tally->count);
    json_key_count(&json, "unreviewed", tally->unreviewed);
    write_json_groups(&json, tally);
    if (tally->count > 0) {
        key_instant(&json, "oldest", tally->oldest);
        key_instant(&json, "newest", tally->newest);
        json_key_count(&json, "last_minute", tally->last_minute);
        json_key_count(&json, "busiest_minute", tally->busiest_minute);
        key_instant(&json, "busiest_minute_at", tally->busiest_at);
    }
    json_writer_key(&json, "depth");
    json_writer_array_begin(&json, JSON_LINES);
    for (uint32_t i = 0; tally->count > 0 && i < TALLY_BINS; i++) {
        json_writer_object_begin(&json, JSON_FLAT);
        key_instant(&json, "at", tally->bin_end[i]);
        json_key_count(&json, "letters", tally->depth[i]);
        json_writer_object_end(&json);
    }
    json_writer_array_end(&json);
    write_json_replays(&json, view->audit);
    json_writer_object_end(&json);
    return json_writer_end(&json);
}

/* ---- one ------------------------------------------------------------------------------------- */

/* Why its caller stopped, as the end of "it is here because ...". */
static const char *explain_reason(const char *reason) {
    static const struct {
        enum storm_reason reason;
        const char *text;
    } known[] = {
        {STORM_REASON_ATTEMPTS, "all the attempts that its policy allows have failed"},
        {STORM_REASON_NOT_RETRYABLE, "its last answer is one that its policy does not try again"},
        {STORM_REASON_DEADLINE, "the deadline of its call was over"},
        {STORM_REASON_TOTAL_TIME, "the time that its policy gives to all attempts was over"},
        {STORM_REASON_PATIENCE, "its caller lost patience"},
        {STORM_REASON_BUDGET, "the budget for retries had nothing left"},
        {STORM_REASON_BREAKER, "its caller's circuit breaker was open"},
        {STORM_REASON_THROTTLED, "its caller held itself back"},
        {STORM_REASON_HINT, "the server asked for a longer wait than its policy gives"},
        {STORM_REASON_RECEIVES, "it was delivered as often as its queue allows"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(storm_reason_word(known[i].reason), reason) == 0) {
            return known[i].text;
        }
    }
    return "of a reason that only its sender knows";
}

static void say(struct arena *arena, FILE *out, const char *sentence) {
    const char *clean = text_clean(arena, sentence);
    text_wrap(out, clean != NULL ? clean : "", 0, 0, WIDTH);
}

static void say_reason(struct arena *arena, FILE *out, const struct letter *letter) {
    const struct dead_letter *says = &letter->says;
    char sentence[SENTENCE_SIZE], status[8], whole[TEXT_DURATION_SIZE], first[TEXT_DURATION_SIZE];
    snprintf(sentence, sizeof sentence,
             "It is here because %s (%.100s) after %u attempt%s. How the last of them ended: %s.",
             explain_reason(says->reason), says->reason, says->attempts,
             says->attempts == 1 ? "" : "s",
             says->status == 0 ? "it was never answered" : tally_status(says->status, status));
    say(arena, out, sentence);
    letter_age_print(letter->first_failed_at, letter->received_at, first);
    letter_age_print(letter->last_failed_at, letter->first_failed_at, whole);
    snprintf(sentence, sizeof sentence,
             "Received at %s, it failed for the first time %s later, at %s, and for the last time "
             "%s after that, at %s.",
             says->received_at, first, says->first_failed_at, whole, says->last_failed_at);
    say(arena, out, sentence);
    say(arena, out,
        says->data ? "Class data: the request itself is at fault. The same again will fail again; "
                     "somebody has to put it right or discard it."
                   : "Class system: its receiver or the way there was at fault, not the request. "
                     "It can be replayed when the cause is removed.");
}

static void say_state(struct arena *arena, FILE *out, const struct letter_view *view,
                      const struct letter *letter) {
    char sentence[SENTENCE_SIZE], age[TEXT_DURATION_SIZE];
    int length = snprintf(sentence, sizeof sentence, "It has been here for %s, and %s",
                          letter_age_print(view->now, letter->last_failed_at, age),
                          letter_state_sentence(letter->state));
    if (letter->again != NULL) {
        length += snprintf(sentence + length, sizeof sentence - (size_t)length, " (%.100s)",
                           letter->again);
    }
    if (letter->by != NULL) {
        length +=
            snprintf(sentence + length, sizeof sentence - (size_t)length, ": %.100s", letter->by);
    }
    snprintf(sentence + length, sizeof sentence - (size_t)length, ".");
    say(arena, out, sentence);
    if (letter->note != NULL) {
        snprintf(sentence, sizeof sentence, "Note: %.480s", letter->note);
        say(arena, out, sentence);
    }
}

bool letter_show_text(const struct letter_view *view, const struct letter *letter, FILE *out) {
    const struct dead_letter *says = &letter->says;
    char sentence[SENTENCE_SIZE];
    struct arena arena;
    arena_init(&arena, (size_t)-1);
    snprintf(sentence, sizeof sentence, "%.160s in %.100s (line %u of %.160s)", says->msg_id[0],
             says->queue, letter->line, view->letters->name);
    say(&arena, out, sentence);
    fputc('\n', out);
    snprintf(sentence, sizeof sentence, "Request %u of client %u of %.100s, to %.100s, born at %s.",
             says->ordinal, says->member, says->population, says->to, says->born_at);
    say(&arena, out, sentence);
    say_reason(&arena, out, letter);
    say_state(&arena, out, view, letter);
    snprintf(sentence, sizeof sentence, "Trace %.100s.", says->trace_id);
    say(&arena, out, sentence);
    if (letter->repeated) {
        say(&arena, out, "An earlier line of the file is the same letter.");
    }
    arena_free(&arena);
    return ferror(out) == 0;
}

bool letter_show_json(const struct letter_view *view, const struct letter *letter, FILE *out) {
    struct json_writer json;
    json_writer_init(&json, out);
    write_letter(&json, view, letter);
    return json_writer_end(&json);
}
