/* audit.c: who did what to which letter, and how it ended: an append-only file beside the
   letters. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. `out` writes only at the end of the file, a line at a time, each in one write. A writer that
   is killed leaves whole lines and at most one piece without an end, which no reader believes and
   the next writer cuts off.
   2. While `out` is open, the file is locked for writing by this process. It is read through the
   same descriptor: to close another one of the same file would give the lock away.
   3. After a write has failed nothing more is written: what follows a torn line would be read as
   part of it. */

#include "letters/audit.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "letters/lines.h"
#include "report/json_writer.h"
#include "scenario/epoch.h"

enum { AUDIT_LINE_MAX = 1 << 16, LINES_PER_SYNC = 1000 };

/* Every kind of line. The first three are enum audit_event. */
static const char *const words[] = {"sent",     "succeeded", "dead",    "begun",
                                    "progress", "ended",     "resolved"};
enum { WORD_BEGUN = AUDIT_DEAD + 1, WORD_PROGRESS, WORD_ENDED, WORD_RESOLVED, WORD_COUNT };

/* ---- reading --------------------------------------------------------------------------------- */

struct reading {
    struct audit *audit;
    struct letters *letters;
};

static bool take_event(struct json_reader *reader, const json_t *object, int *event) {
    const char *text;
    if (!json_reader_text(reader, object, "event", &text)) {
        return false;
    }
    for (*event = 0; *event < WORD_COUNT; ++*event) {
        if (strcmp(words[*event], text) == 0) {
            return true;
        }
    }
    json_reader_push(reader, "event");
    return json_reader_refuse(reader, STORM_INVALID, "is none that an audit file has");
}

/* The replay that a line belongs to, which a line before it has begun. */
static struct audit_replay *take_replay(struct json_reader *reader, const json_t *object,
                                        struct audit *audit) {
    uint32_t number;
    if (!json_reader_count(reader, object, "replay", UINT32_MAX, &number)) {
        return NULL;
    }
    if (number == 0 || number > audit->replay_count) {
        json_reader_push(reader, "replay");
        json_reader_refuse(reader, STORM_INVALID, "names one that has not begun");
        return NULL;
    }
    return &audit->replays[number - 1];
}

/* Makes room for one more; the arena keeps the old lists, which double. */
static struct audit_replay *add_replay(struct audit *audit, struct arena *arena) {
    uint32_t count = audit->replay_count;
    if ((count & (count - 1)) == 0) {
        struct audit_replay *list = arena_grow_array(arena, audit->replays, count,
                                                     count == 0 ? 1 : 2 * count, sizeof *list);
        if (list == NULL) {
            return NULL;
        }
        audit->replays = list;
    }
    audit->replays[count] = (struct audit_replay){.number = ++audit->replay_count};
    return &audit->replays[count];
}

static bool take_begun(struct json_reader *reader, const json_t *object, struct audit *audit) {
    struct audit_replay *replay = add_replay(audit, reader->arena);
    uint32_t number;
    if (replay == NULL) {
        return json_reader_refuse_memory(reader);
    }
    if (!json_reader_count(reader, object, "replay", UINT32_MAX, &number) ||
        !json_reader_text(reader, object, "by", &replay->by) ||
        !json_reader_text(reader, object, "at", &replay->at) ||
        !json_reader_count(reader, object, "letters", UINT32_MAX, &replay->letters)) {
        return false;
    }
    if (number != replay->number) {
        json_reader_push(reader, "replay");
        return json_reader_refuse(reader, STORM_INVALID, "must be %u, one more than the last",
                                  replay->number);
    }
    return true;
}

/* The letter that a line is about; *letter is NULL when the file has it no more. */
static bool take_identity(struct json_reader *reader, const json_t *object,
                          const struct letters *letters, struct letter **letter) {
    const char *msg_id, *trace_id;
    if (!json_reader_text(reader, object, "msg_id", &msg_id) ||
        !json_reader_text(reader, object, "trace_id", &trace_id)) {
        return false;
    }
    *letter = letters_find(letters, msg_id, trace_id);
    return true;
}

/* An instant that may be null or missing. */
static bool take_instant(struct json_reader *reader, const json_t *object, const char *key,
                         int64_t *instant) {
    const char *text;
    *instant = INT64_MIN;
    if (json_is_null(json_object_get(object, key))) {
        return true;
    }
    if (!json_reader_optional_text(reader, object, key, &text)) {
        return false;
    }
    if (text[0] != '\0' && !epoch_parse(text, instant)) {
        json_reader_push(reader, key);
        return json_reader_refuse(reader, STORM_INVALID, "must be a time");
    }
    return true;
}

static bool take_outcome(struct json_reader *reader, const json_t *object, int event,
                         struct reading *reading) {
    static const enum letter_state states[] = {[AUDIT_SENT] = LETTER_IN_DOUBT,
                                               [AUDIT_SUCCEEDED] = LETTER_REPLAYED,
                                               [AUDIT_DEAD] = LETTER_DEAD_AGAIN};
    struct audit_replay *replay = take_replay(reader, object, reading->audit);
    struct letter *letter;
    const char *reason;
    int64_t at;
    if (replay == NULL || !take_identity(reader, object, reading->letters, &letter) ||
        !json_reader_optional_text(reader, object, "reason", &reason) ||
        !take_instant(reader, object, "at", &at)) {
        return false;
    }
    replay->sent += event == AUDIT_SENT;
    replay->succeeded += event == AUDIT_SUCCEEDED;
    replay->dead += event == AUDIT_DEAD;
    if (letter != NULL) {
        letter->state = states[event];
        letter->by = replay->by;
        letter->again = event == AUDIT_DEAD ? reason : NULL;
        letter->reviewed_at = at;
    }
    return true;
}

static bool take_resolved(struct json_reader *reader, const json_t *object,
                          struct reading *reading) {
    struct letter *letter;
    const char *as, *by, *note;
    int64_t now;
    if (!take_identity(reader, object, reading->letters, &letter) ||
        !json_reader_text(reader, object, "as", &as) ||
        !json_reader_text(reader, object, "by", &by) ||
        !json_reader_optional_text(reader, object, "note", &note) ||
        !take_instant(reader, object, "now", &now)) {
        return false;
    }
    for (enum letter_state state = LETTER_FIXED; state < LETTER_STATE_COUNT; state++) {
        if (strcmp(letter_state_word(state), as) != 0) {
            continue;
        }
        if (letter != NULL) {
            letter->state = state;
            letter->by = by;
            letter->note = note[0] != '\0' ? note : NULL;
            letter->reviewed_at = now;
        }
        return true;
    }
    json_reader_push(reader, "as");
    return json_reader_refuse(reader, STORM_INVALID,
                              "must be fixed, resend_requested or discarded");
}

static bool take_line(void *context, struct json_reader *reader, const struct line *line,
                      const json_t *object) {
    struct reading *reading = context;
    struct audit_replay *replay;
    int event;
    assert(line->number > 0);
    if (!take_event(reader, object, &event)) {
        return false;
    }
    switch (event) {
    case WORD_BEGUN:
        return take_begun(reader, object, reading->audit);
    case WORD_RESOLVED:
        return take_resolved(reader, object, reading);
    case WORD_PROGRESS:
    case WORD_ENDED:
        replay = take_replay(reader, object, reading->audit);
        if (replay != NULL && event == WORD_ENDED) {
            replay->ended = true;
        }
        return replay != NULL;
    default:
        return take_outcome(reader, object, event, reading);
    }
}

static bool fail_io(struct storm_error *error, const char *path, int reason) {
    storm_fail(error, STORM_IO, "cannot use the audit file '%.150s': %s", path, strerror(reason));
    return false;
}

/* All of an open file; NULL after filling `error`. The caller frees. */
static char *load(int descriptor, const char *path, size_t *length, struct storm_error *error) {
    size_t room = 0;
    char *text = NULL;
    for (*length = 0;;) {
        if (*length == room) {
            room = room == 0 ? (size_t)1 << 16 : room * 2;
            char *grown = room > (size_t)1 << 31 ? NULL : realloc(text, room);
            if (grown == NULL) {
                free(text);
                storm_fail(error, STORM_LIMIT, "the audit file '%.150s' is too large", path);
                return NULL;
            }
            text = grown;
        }
        ssize_t got = pread(descriptor, text + *length, room - *length, (off_t)*length);
        if (got < 0 && errno != EINTR) {
            fail_io(error, path, errno);
            free(text);
            return NULL;
        }
        if (got == 0) {
            return text;
        }
        *length += got > 0 ? (size_t)got : 0;
    }
}

bool audit_parse(struct audit *audit, const char *path, const char *text, size_t length,
                 size_t *whole, struct letters *letters, struct arena *arena,
                 struct storm_error *error) {
    struct reading reading = {audit, letters};
    *audit = (struct audit){.path = path};
    for (*whole = length; *whole > 0 && text[*whole - 1] != '\n';) {
        --*whole;
    }
    audit->torn = *whole < length; /* invariant 1 */
    return lines_read(path, text, *whole, AUDIT_LINE_MAX, arena, take_line, &reading, error);
}

/* Reads what is there. *whole: the bytes of its whole lines. */
static bool read_open(struct audit *audit, int descriptor, struct letters *letters,
                      struct arena *arena, size_t *whole, struct storm_error *error) {
    size_t length;
    char *text = load(descriptor, audit->path, &length, error);
    bool done =
        text != NULL && audit_parse(audit, audit->path, text, length, whole, letters, arena, error);
    free(text);
    return done;
}

bool audit_read(struct audit *audit, const char *path, struct letters *letters, struct arena *arena,
                struct storm_error *error) {
    size_t whole;
    *audit = (struct audit){.path = path};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return errno == ENOENT || fail_io(error, path, errno);
    }
    bool done = read_open(audit, descriptor, letters, arena, &whole, error);
    close(descriptor);
    return done;
}

/* Keeps other writers away for as long as the file is open. */
static bool lock(int descriptor, const char *path, struct storm_error *error) {
    struct flock wanted = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_SETLK, &wanted) == 0) {
        return true;
    }
    if (errno != EACCES && errno != EAGAIN) {
        return fail_io(error, path, errno);
    }
    storm_fail(error, STORM_IO, "another command is writing to the audit file '%.150s'", path);
    return false;
}

bool audit_open(struct audit *audit, const char *path, struct letters *letters, struct arena *arena,
                struct storm_error *error) {
    size_t whole;
    *audit = (struct audit){.path = path};
    int descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return fail_io(error, path, errno);
    }
    bool good = lock(descriptor, path, error) &&
                read_open(audit, descriptor, letters, arena, &whole, error);
    if (good && audit->torn && ftruncate(descriptor, (off_t)whole) != 0) {
        good = fail_io(error, path, errno);
    }
    if (good) {
        audit->out = fdopen(descriptor, "a");
        good = audit->out != NULL || fail_io(error, path, errno);
    }
    if (!good) {
        close(descriptor);
        return false;
    }
    setvbuf(audit->out, NULL, _IOFBF, AUDIT_LINE_MAX); /* a line is one write */
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void to_disk(struct audit *audit) {
    if (audit->failed == 0 && fsync(fileno(audit->out)) != 0 && errno != EINVAL) {
        audit->failed = errno;
    }
    audit->news = 0;
}

/* Begins a line, unless an earlier one has failed. */
static bool begin_line(struct audit *audit, struct json_writer *json, const char *event) {
    assert(audit->out != NULL);
    if (audit->failed != 0) {
        return false; /* invariant 3 */
    }
    json_writer_init(json, audit->out);
    json_writer_object_begin(json, JSON_FLAT);
    json_key_string(json, "event", event);
    return true;
}

static void end_line(struct audit *audit, struct json_writer *json) {
    json_writer_object_end(json);
    errno = 0;
    bool written = json_writer_end(json);
    if (!written || fflush(audit->out) != 0) {
        audit->failed = errno != 0 ? errno : EIO;
    }
    if (++audit->news >= LINES_PER_SYNC) {
        to_disk(audit);
    }
}

static void write_identity(struct json_writer *json, const struct letter *letter) {
    json_key_text(json, "msg_id", letter->says.msg_id[0]);
    json_key_text(json, "trace_id", letter->says.trace_id);
}

static void write_totals(struct json_writer *json, const struct audit_end *end) {
    json_key_count(json, "sent", end->sent);
    json_key_count(json, "succeeded", end->succeeded);
    json_key_count(json, "dead", end->dead);
    json_key_count(json, "in_doubt", end->in_doubt);
    json_key_count(json, "not_sent", end->not_sent);
    json_key_count(json, "duplicates", end->duplicates);
}

void audit_replay_begins(struct audit *audit, const struct audit_begin *begin) {
    struct json_writer json;
    audit->replay_count++;
    if (!begin_line(audit, &json, words[WORD_BEGUN])) {
        return;
    }
    json_key_count(&json, "replay", audit->replay_count);
    json_key_text(&json, "by", begin->by);
    json_key_text(&json, "at", begin->at);
    json_key_text(&json, "now", begin->now);
    json_key_text(&json, "file", begin->letters_file);
    json_key_text(&json, "scenario", begin->scenario);
    json_key_text(&json, "variant", begin->variant);
    json_key_count(&json, "seed", begin->seed);
    json_key_text(&json, "queue", begin->queue);
    json_key_count(&json, "letters", begin->letters);
    json_key_double(&json, "rate_per_s", begin->rate);
    json_key_double(&json, "ramp_s", storm_time_to_seconds(begin->ramp));
    json_key_count(&json, "probe", begin->probe);
    end_line(audit, &json);
    to_disk(audit); /* before the first letter is sent */
}

void audit_letter(struct audit *audit, const struct letter *letter,
                  const struct audit_outcome *outcome) {
    struct json_writer json;
    if (!begin_line(audit, &json, words[outcome->event])) {
        return;
    }
    json_key_count(&json, "replay", audit->replay_count);
    write_identity(&json, letter);
    json_key_text(&json, "at", outcome->at);
    if (outcome->event == AUDIT_DEAD) {
        json_key_text(&json, "reason", outcome->reason);
    }
    if (outcome->event != AUDIT_SENT) {
        json_writer_key(&json, "status");
        json_writer_status(&json, outcome->status);
        json_key_count(&json, "attempts", outcome->attempts);
    }
    end_line(audit, &json);
}

void audit_replay_progresses(struct audit *audit, const struct audit_end *so_far, uint32_t of) {
    struct json_writer json;
    if (!begin_line(audit, &json, words[WORD_PROGRESS])) {
        return;
    }
    json_key_count(&json, "replay", audit->replay_count);
    json_key_count(&json, "sent", so_far->sent);
    json_key_count(&json, "ended", so_far->succeeded + so_far->dead);
    json_key_count(&json, "of", of);
    end_line(audit, &json);
}

void audit_replay_ends(struct audit *audit, const struct audit_end *end) {
    struct json_writer json;
    if (!begin_line(audit, &json, words[WORD_ENDED])) {
        return;
    }
    json_key_count(&json, "replay", audit->replay_count);
    write_totals(&json, end);
    end_line(audit, &json);
    to_disk(audit);
}

void audit_decide(struct audit *audit, const struct letter *letter,
                  const struct audit_decision *decision) {
    struct json_writer json;
    assert(letter_is_resolved(decision->state));
    if (!begin_line(audit, &json, words[WORD_RESOLVED])) {
        return;
    }
    write_identity(&json, letter);
    json_key_text(&json, "as", letter_state_word(decision->state));
    json_key_text(&json, "by", decision->by);
    json_key_text(&json, "now", decision->now);
    if (decision->note != NULL) {
        json_key_text(&json, "note", decision->note);
    }
    end_line(audit, &json);
}

bool audit_sync(struct audit *audit, struct storm_error *error) {
    to_disk(audit);
    return audit->failed == 0 || fail_io(error, audit->path, audit->failed);
}

void audit_close(struct audit *audit) {
    if (audit->out != NULL) {
        fclose(audit->out);
    }
    audit->out = NULL;
}
