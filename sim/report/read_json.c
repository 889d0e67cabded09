/* read_json.c: results read back from JSON, strictly and with a place for each error. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Invariants
   1. Nothing of the text is believed: each count is bounded before memory is taken for it, and each
   array is as long as the count that governs it.
   2. The first refusal fills `error`; every function after it on the way out only returns false.
   3. What is returned points into the arena only, never into the parsed tree, which dies here. */

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/words.h"

enum { RUNS_MAX = 100000000, BINS_MAX = 100000000 };

#define FILE_MAX ((size_t)1 << 30)
/* The parsed tree may need this many bytes; see tree_cost. */
#define TREE_MAX ((size_t)2 << 30)

/* One reading: where to put things, and where in the document we are. */
struct reader {
    struct arena *arena;
    struct storm_error *error;
    const struct storm_results *results; /* the counts that govern arrays */
    size_t path_length;
    char path[STORM_PATH_MAX];
};

/* ---- errors and places ----------------------------------------------------------------------- */

/* Refuses with a sentence about the present path. Always false. */
static bool refuse(struct reader *reader, enum storm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(struct reader *reader, enum storm_status status, const char *format, ...) {
    char reason[STORM_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const char *place = reader->path_length > 0 ? reader->path : "the document";
    storm_fail(reader->error, status, "%s %s", place, reason);
    memcpy(reader->error->path, reader->path, reader->path_length + 1);
    return false;
}

static bool refuse_memory(struct reader *reader) {
    return refuse(reader, STORM_LIMIT, "does not fit into the memory allowed");
}

/* Puts `text` at the end of the path, as far as it fits; returns the length to go back to. */
static size_t path_add(struct reader *reader, const char *text) {
    size_t mark = reader->path_length;
    assert(mark < sizeof reader->path);
    int length = snprintf(reader->path + mark, sizeof reader->path - mark, "%s", text);
    assert(length >= 0);
    size_t room = sizeof reader->path - mark - 1;
    reader->path_length = mark + ((size_t)length < room ? (size_t)length : room);
    return mark;
}

static size_t path_push(struct reader *reader, const char *key) {
    size_t mark = reader->path_length;
    if (mark > 0)
        path_add(reader, ".");
    path_add(reader, key);
    return mark;
}

static size_t path_push_index(struct reader *reader, size_t index) {
    char text[32];
    snprintf(text, sizeof text, "[%zu]", index);
    return path_add(reader, text);
}

static void path_pop(struct reader *reader, size_t mark) {
    assert(mark <= reader->path_length);
    reader->path_length = mark;
    reader->path[mark] = '\0';
}

/* ---- single values --------------------------------------------------------------------------- */

static const char *type_name(const json_t *value) {
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    assert((size_t)json_typeof(value) < sizeof names / sizeof names[0]);
    return names[json_typeof(value)];
}

static bool wrong_type(struct reader *reader, const json_t *value, const char *wanted) {
    if (value == NULL)
        return refuse(reader, STORM_INVALID, "is missing");
    return refuse(reader, STORM_INVALID, "must be %s, not %s", wanted, type_name(value));
}

static bool take_text(struct reader *reader, const json_t *value, const char **text) {
    if (!json_is_string(value))
        return wrong_type(reader, value, "a string");
    *text = arena_copy_string(reader->arena, json_string_value(value), json_string_length(value));
    return *text != NULL || refuse_memory(reader);
}

static bool take_count(struct reader *reader, const json_t *value, uint32_t most, uint32_t *count) {
    if (!json_is_real(value))
        return wrong_type(reader, value, "a whole number");
    double number = json_real_value(value);
    if (!(number >= 0.0 && number <= (double)most && floor(number) == number))
        return refuse(reader, STORM_INVALID, "must be a whole number from 0 to %" PRIu32, most);
    *count = (uint32_t)number;
    return true;
}

static bool take_double(struct reader *reader, const json_t *value, double *number) {
    if (json_is_null(value)) {
        *number = (double)NAN;
        return true;
    }
    if (!json_is_real(value))
        return wrong_type(reader, value, "a number or null");
    *number = json_real_value(value);
    return true;
}

static bool take_bool(struct reader *reader, const json_t *value, bool *flag) {
    if (!json_is_boolean(value))
        return wrong_type(reader, value, "true or false");
    *flag = json_is_true(value);
    return true;
}

/* Seconds to a time so that writing it gives the same seconds: the whole part is multiplied as an
   integer, or a product of 53 bits would lose the nanoseconds of long times. */
static bool take_time(struct reader *reader, const json_t *value, storm_time *time) {
    double seconds = 0.0;
    if (!take_double(reader, value, &seconds))
        return false;
    if (isnan(seconds) || seconds >= storm_time_to_seconds(STORM_NEVER - 1)) {
        *time = STORM_NEVER;
        return true;
    }
    if (seconds < 0.0)
        return refuse(reader, STORM_INVALID, "must not be negative");
    double whole = floor(seconds);
    *time =
        storm_time_add((storm_time)whole * STORM_SECOND, storm_time_from_seconds(seconds - whole));
    return true;
}

/* ---- members of an object -------------------------------------------------------------------- */

static bool get_text(struct reader *reader, const json_t *object, const char *key,
                     const char **text) {
    size_t mark = path_push(reader, key);
    bool done = take_text(reader, json_object_get(object, key), text);
    path_pop(reader, mark);
    return done;
}

static bool get_count(struct reader *reader, const json_t *object, const char *key, uint32_t most,
                      uint32_t *count) {
    size_t mark = path_push(reader, key);
    bool done = take_count(reader, json_object_get(object, key), most, count);
    path_pop(reader, mark);
    return done;
}

static bool get_double(struct reader *reader, const json_t *object, const char *key,
                       double *number) {
    size_t mark = path_push(reader, key);
    bool done = take_double(reader, json_object_get(object, key), number);
    path_pop(reader, mark);
    return done;
}

static bool get_bool(struct reader *reader, const json_t *object, const char *key, bool *flag) {
    size_t mark = path_push(reader, key);
    bool done = take_bool(reader, json_object_get(object, key), flag);
    path_pop(reader, mark);
    return done;
}

static bool get_time(struct reader *reader, const json_t *object, const char *key,
                     storm_time *time) {
    size_t mark = path_push(reader, key);
    bool done = take_time(reader, json_object_get(object, key), time);
    path_pop(reader, mark);
    return done;
}

/* Exactly sixteen hexadecimal digits. */
static bool get_hex(struct reader *reader, const json_t *object, const char *key,
                    uint64_t *number) {
    const char *text;
    if (!get_text(reader, object, key, &text))
        return false;
    if (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16) {
        *number = strtoull(text, NULL, 16);
        return true;
    }
    size_t mark = path_push(reader, key);
    refuse(reader, STORM_INVALID, "must be 16 hexadecimal digits");
    path_pop(reader, mark);
    return false;
}

/* A member that is an object or an array (`type`), left in `value`; pushes it onto the path. */
static bool enter(struct reader *reader, const json_t *object, const char *key, json_type type,
                  json_t **value) {
    path_push(reader, key);
    *value = json_object_get(object, key);
    if (*value != NULL && json_typeof(*value) == type)
        return true;
    return wrong_type(reader, *value, type == JSON_ARRAY ? "an array" : "an object");
}

/* Memory for `count` things. */
static bool take_array(struct reader *reader, size_t count, size_t size, void *array) {
    void *piece = arena_take_array(reader->arena, count, size);
    memcpy(array, &piece, sizeof piece);
    return piece != NULL || refuse_memory(reader);
}

/* ---- parts of a result ----------------------------------------------------------------------- */

/* An array of exactly `count` numbers or nulls. */
static bool get_doubles(struct reader *reader, const json_t *object, const char *key,
                        uint32_t count, double **values) {
    json_t *array;
    size_t mark = reader->path_length;
    if (!enter(reader, object, key, JSON_ARRAY, &array))
        return false;
    if (json_array_size(array) != count)
        return refuse(reader, STORM_INVALID, "must have %" PRIu32 " values, not %zu", count,
                      json_array_size(array));
    if (!take_array(reader, count, sizeof **values, values))
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t place = path_push_index(reader, i);
        if (!take_double(reader, json_array_get(array, i), &(*values)[i]))
            return false;
        path_pop(reader, place);
    }
    path_pop(reader, mark);
    return true;
}

static bool get_verdicts(struct reader *reader, const json_t *object,
                         struct storm_variant *variant) {
    json_t *counts;
    uint64_t total = 0;
    size_t mark = reader->path_length;
    if (!enter(reader, object, "verdict", JSON_OBJECT, &counts))
        return false;
    for (uint32_t verdict = 0; verdict < STORM_VERDICT_COUNT; verdict++) {
        if (!get_count(reader, counts, word_verdict(verdict), reader->results->runs,
                       &variant->verdicts[verdict]))
            return false;
        total += variant->verdicts[verdict];
    }
    if (total != variant->runs_done)
        return refuse(reader, STORM_INVALID,
                      "adds up to %" PRIu64 ", not to runs_done (%" PRIu32 ")", total,
                      variant->runs_done);
    path_pop(reader, mark);
    return true;
}

/* The verdict of one run; null, for a run that was not done, gives UINT8_MAX. */
static bool take_verdict(struct reader *reader, const json_t *value, uint8_t *verdict) {
    uint32_t found = UINT8_MAX;
    if (!json_is_null(value)) {
        if (!json_is_string(value))
            return wrong_type(reader, value, "a verdict or null");
        if (!word_verdict_find(json_string_value(value), &found))
            return refuse(reader, STORM_INVALID, "is no verdict: '%.40s'",
                          json_string_value(value));
    }
    *verdict = (uint8_t)found;
    return true;
}

static bool get_verdict_per_run(struct reader *reader, const json_t *object,
                                struct storm_variant *variant) {
    json_t *array;
    size_t mark = reader->path_length;
    uint32_t runs = reader->results->runs;
    if (!enter(reader, object, "verdict_per_run", JSON_ARRAY, &array))
        return false;
    if (json_array_size(array) != runs)
        return refuse(reader, STORM_INVALID, "must have %" PRIu32 " values, not %zu", runs,
                      json_array_size(array));
    if (!take_array(reader, runs, 1, &variant->verdict_per_run))
        return false;
    for (size_t run = 0; run < runs; run++) {
        size_t place = path_push_index(reader, run);
        if (!take_verdict(reader, json_array_get(array, run), &variant->verdict_per_run[run]))
            return false;
        path_pop(reader, place);
    }
    path_pop(reader, mark);
    return true;
}

static bool get_better(struct reader *reader, const json_t *object, enum storm_better *better) {
    const char *word;
    if (!get_text(reader, object, "better", &word))
        return false;
    if (word_better_find(word, better))
        return true;
    path_push(reader, "better");
    return refuse(reader, STORM_INVALID, "must be lower, higher or neither, not '%.40s'", word);
}

static bool take_metric(struct reader *reader, const char *name, const json_t *object,
                        struct storm_metric *metric) {
    uint32_t runs = reader->results->runs;
    if (!json_is_object(object))
        return wrong_type(reader, object, "an object");
    metric->name = arena_copy_string(reader->arena, name, strlen(name));
    if (metric->name == NULL)
        return refuse_memory(reader);
    return get_text(reader, object, "unit", &metric->unit) &&
           get_better(reader, object, &metric->better) &&
           get_bool(reader, object, "bimodal", &metric->bimodal) &&
           get_count(reader, object, "applies", runs, &metric->applies) &&
           get_double(reader, object, "mean", &metric->mean) &&
           get_double(reader, object, "lo", &metric->lo) &&
           get_double(reader, object, "hi", &metric->hi) &&
           get_double(reader, object, "median", &metric->median) &&
           get_double(reader, object, "min", &metric->min) &&
           get_double(reader, object, "max", &metric->max) &&
           get_doubles(reader, object, "per_run", runs, &metric->per_run);
}

/* Objects keep the order of the text: jansson iterates in the order of insertion. */
static bool get_metrics(struct reader *reader, const json_t *object,
                        struct storm_variant *variant) {
    json_t *metrics, *value;
    const char *name;
    size_t mark = reader->path_length;
    if (!enter(reader, object, "metrics", JSON_OBJECT, &metrics) ||
        !take_array(reader, json_object_size(metrics), sizeof *variant->metrics, &variant->metrics))
        return false;
    json_object_foreach(metrics, name, value) {
        size_t place = path_push(reader, name);
        if (!take_metric(reader, name, value, &variant->metrics[variant->metric_count]))
            return false;
        variant->metric_count++;
        path_pop(reader, place);
    }
    path_pop(reader, mark);
    return true;
}

static bool take_series(struct reader *reader, const json_t *object, struct storm_series *series) {
    if (!json_is_object(object))
        return wrong_type(reader, object, "an object");
    return get_text(reader, object, "subject", &series->subject) &&
           get_text(reader, object, "name", &series->name) &&
           get_doubles(reader, object, "values", reader->results->bin_count, &series->values);
}

static bool get_series(struct reader *reader, const json_t *object, const char *key,
                       struct storm_series **series, uint32_t *count) {
    json_t *array;
    size_t mark = reader->path_length;
    if (!enter(reader, object, key, JSON_ARRAY, &array))
        return false;
    size_t size = json_array_size(array);
    assert(size < UINT32_MAX); /* FILE_MAX */
    if (!take_array(reader, size, sizeof **series, series))
        return false;
    for (size_t i = 0; i < size; i++) {
        size_t place = path_push_index(reader, i);
        if (!take_series(reader, json_array_get(array, i), &(*series)[i]))
            return false;
        path_pop(reader, place);
    }
    *count = (uint32_t)size;
    path_pop(reader, mark);
    return true;
}

static bool get_ghost(struct reader *reader, const json_t *object, struct storm_variant *variant) {
    variant->ghost_run = UINT32_MAX;
    if (!json_is_null(json_object_get(object, "ghost_run"))) {
        if (!get_count(reader, object, "ghost_run", RUNS_MAX, &variant->ghost_run))
            return false;
        if (variant->ghost_run >= reader->results->runs) {
            path_push(reader, "ghost_run");
            return refuse(reader, STORM_INVALID, "must be below runs (%" PRIu32 ")",
                          reader->results->runs);
        }
    }
    if (!get_series(reader, object, "ghost_series", &variant->ghost_series,
                    &variant->ghost_series_count))
        return false;
    if (variant->ghost_run != UINT32_MAX || variant->ghost_series_count == 0)
        return true;
    path_push(reader, "ghost_series");
    return refuse(reader, STORM_INVALID, "must be empty when ghost_run is null");
}

static bool take_span(struct reader *reader, const json_t *object, struct storm_span *span) {
    if (!json_is_object(object))
        return wrong_type(reader, object, "an object");
    return get_text(reader, object, "label", &span->label) &&
           get_text(reader, object, "subject", &span->subject) &&
           get_time(reader, object, "from_s", &span->from) &&
           get_time(reader, object, "to_s", &span->to) &&
           (span->from <= span->to ||
            refuse(reader, STORM_INVALID, "must not end before it begins"));
}

static bool get_spans(struct reader *reader, const json_t *object, struct storm_variant *variant) {
    json_t *array;
    size_t mark = reader->path_length;
    if (!enter(reader, object, "spans", JSON_ARRAY, &array))
        return false;
    size_t size = json_array_size(array);
    assert(size < UINT32_MAX); /* FILE_MAX */
    if (!take_array(reader, size, sizeof *variant->spans, &variant->spans))
        return false;
    for (size_t i = 0; i < size; i++) {
        size_t place = path_push_index(reader, i);
        if (!take_span(reader, json_array_get(array, i), &variant->spans[i]))
            return false;
        path_pop(reader, place);
    }
    variant->span_count = (uint32_t)size;
    path_pop(reader, mark);
    return true;
}

static bool get_settings(struct reader *reader, const json_t *object,
                         struct storm_variant *variant) {
    json_t *settings, *value;
    const char *name;
    struct storm_setting *rows = NULL;
    size_t mark = reader->path_length;
    if (!enter(reader, object, "settings", JSON_OBJECT, &settings) ||
        !take_array(reader, json_object_size(settings), sizeof *rows, &rows))
        return false;
    variant->settings = rows;
    json_object_foreach(settings, name, value) {
        size_t place = path_push(reader, name);
        struct storm_setting *setting = &rows[variant->setting_count++];
        setting->path = arena_copy_string(reader->arena, name, strlen(name));
        if (setting->path == NULL)
            return refuse_memory(reader);
        if (!take_text(reader, value, &setting->value))
            return false;
        path_pop(reader, place);
    }
    path_pop(reader, mark);
    return true;
}

static bool take_variant(struct reader *reader, const json_t *object,
                         struct storm_variant *variant) {
    if (!json_is_object(object))
        return wrong_type(reader, object, "an object");
    return get_text(reader, object, "name", &variant->name) &&
           get_count(reader, object, "runs_done", reader->results->runs, &variant->runs_done) &&
           get_verdicts(reader, object, variant) && get_verdict_per_run(reader, object, variant) &&
           get_hex(reader, object, "digest", &variant->digest) &&
           get_metrics(reader, object, variant) &&
           get_series(reader, object, "series", &variant->series, &variant->series_count) &&
           get_ghost(reader, object, variant) && get_spans(reader, object, variant) &&
           get_settings(reader, object, variant);
}

static bool get_variants(struct reader *reader, const json_t *root, struct storm_results *results) {
    json_t *array;
    size_t mark = reader->path_length;
    if (!enter(reader, root, "variants", JSON_ARRAY, &array))
        return false;
    size_t size = json_array_size(array);
    assert(size < UINT32_MAX); /* FILE_MAX */
    if (!take_array(reader, size, sizeof *results->variants, &results->variants))
        return false;
    for (size_t i = 0; i < size; i++) {
        size_t place = path_push_index(reader, i);
        if (!take_variant(reader, json_array_get(array, i), &results->variants[i]))
            return false;
        path_pop(reader, place);
    }
    results->variant_count = (uint32_t)size;
    path_pop(reader, mark);
    return true;
}

static bool get_scenario(struct reader *reader, const json_t *root, struct storm_results *results) {
    json_t *scenario;
    uint64_t hash;
    size_t mark = reader->path_length;
    if (!enter(reader, root, "scenario", JSON_OBJECT, &scenario) ||
        !get_text(reader, scenario, "title", &results->title) ||
        !get_text(reader, scenario, "question", &results->question) ||
        !get_text(reader, scenario, "file", &results->file) ||
        !get_hex(reader, scenario, "hash", &hash))
        return false;
    snprintf(results->hash, sizeof results->hash, "%016" PRIx64, hash);
    path_pop(reader, mark);
    return true;
}

/* A whole number up to 2^53, or a larger one as a string of digits. */
static bool get_seed(struct reader *reader, const json_t *root, uint64_t *seed) {
    const json_t *value = json_object_get(root, "seed");
    size_t mark = path_push(reader, "seed");
    bool done = false;
    if (value == NULL)
        return wrong_type(reader, value, "a whole number");
    if (json_is_real(value)) {
        double number = json_real_value(value);
        done = number >= 0.0 && number <= 0x1p53 && floor(number) == number;
        *seed = done ? (uint64_t)number : 0;
    } else if (json_is_string(value)) {
        const char *digits = json_string_value(value);
        size_t length = strlen(digits);
        errno = 0;
        *seed = strtoull(digits, NULL, 10);
        done = errno == 0 && length > 0 && strspn(digits, "0123456789") == length;
    }
    if (!done)
        return refuse(reader, STORM_INVALID, "must be a whole number below 2^64");
    path_pop(reader, mark);
    return true;
}

static bool check_schema(struct reader *reader, const json_t *root) {
    const json_t *schema = json_object_get(root, "schema");
    path_push(reader, "schema");
    if (!json_is_string(schema))
        return wrong_type(reader, schema, "\"" REPORT_SCHEMA "\"");
    if (strcmp(json_string_value(schema), REPORT_SCHEMA) != 0)
        return refuse(reader, STORM_INVALID, "is '%.60s', and this program reads " REPORT_SCHEMA,
                      json_string_value(schema));
    path_pop(reader, 0);
    return true;
}

/* The bins and their width are used by whoever draws: their product must be a time. */
static bool get_bins(struct reader *reader, const json_t *root, struct storm_results *results) {
    if (!get_time(reader, root, "duration_s", &results->duration) ||
        !get_time(reader, root, "bin_width_s", &results->bin_width) ||
        !get_count(reader, root, "bin_count", BINS_MAX, &results->bin_count))
        return false;
    if (results->bin_count == 0 ||
        (results->bin_width > 0 && results->bin_width <= STORM_NEVER / results->bin_count))
        return true;
    path_push(reader, "bin_width_s");
    return refuse(reader, STORM_INVALID, "must be above 0, and bin_count bins of it a time");
}

static bool take_results(struct reader *reader, const json_t *root, struct storm_results *results) {
    assert(reader->path_length == 0 && reader->results == results);
    if (!json_is_object(root))
        return wrong_type(reader, root, "an object");
    return check_schema(reader, root) && get_scenario(reader, root, results) &&
           get_seed(reader, root, &results->seed) &&
           get_count(reader, root, "runs", RUNS_MAX, &results->runs) &&
           get_bool(reader, root, "complete", &results->complete) &&
           get_bins(reader, root, results) && get_variants(reader, root, results);
}

/* ---- text and file --------------------------------------------------------------------------- */

/* An upper bound on the bytes of jansson's tree, from the marks that begin values: a hostile
   gigabyte of "[[" would otherwise ask for fifty. Marks inside strings are counted too, which errs
   on the safe side. */
static size_t tree_cost(const char *text, size_t length) {
    assert(text != NULL || length == 0);
    size_t cost = length;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == ',')
            cost += 48;
        else if (text[i] == ':' || text[i] == '[')
            cost += 160;
        else if (text[i] == '{')
            cost += 320;
    }
    return cost;
}

struct storm_results *report_parse_json(const char *text, size_t length, struct arena *arena,
                                        struct storm_error *error) {
    assert(arena != NULL && error != NULL);
    assert(text != NULL || length == 0);
    json_error_t syntax;
    struct reader reader = {.arena = arena, .error = error};
    if (length > FILE_MAX || tree_cost(text, length) > TREE_MAX) {
        refuse(&reader, STORM_LIMIT, "is too large");
        return NULL;
    }
    struct storm_results *results = arena_take(arena, sizeof *results);
    if (results == NULL) {
        refuse_memory(&reader);
        return NULL;
    }
    reader.results = results;
    json_t *root = json_loadb(length == 0 ? "" : text, length,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &syntax);
    if (root == NULL) {
        bool memory = json_error_code(&syntax) == json_error_out_of_memory;
        storm_fail(error, memory ? STORM_LIMIT : STORM_INVALID, "no valid JSON: %s", syntax.text);
        error->line = syntax.line > 0 ? syntax.line : 0;
        error->column = syntax.column > 0 ? syntax.column : 0;
        return NULL;
    }
    bool done = take_results(&reader, root, results);
    json_decref(root);
    return done ? results : NULL;
}

static bool fail_io(struct storm_error *error, const char *file, int reason) {
    storm_fail(error, STORM_IO, "cannot read '%.150s': %s", file, strerror(reason));
    snprintf(error->path, sizeof error->path, "%s", file);
    return false;
}

/* What was read of a file so far. The text is malloc's. */
struct content {
    char *text;
    size_t length, room;
};

/* Makes room for more; false when there is none. */
static bool content_grow(struct content *content) {
    size_t room = content->room == 0 ? (size_t)1 << 16 : content->room * 2;
    assert(content->length <= content->room);
    char *text = room > 2 * FILE_MAX ? NULL : realloc(content->text, room);
    if (text == NULL)
        return false;
    content->text = text;
    content->room = room;
    return true;
}

/* Reads an open file, which may be a pipe, to its end. */
static bool content_read(struct content *content, FILE *stream, const char *file,
                         struct storm_error *error) {
    assert(stream != NULL && content->length == 0);
    errno = 0;
    while (feof(stream) == 0 && ferror(stream) == 0) {
        if (content->length > FILE_MAX)
            return storm_fail(error, STORM_LIMIT, "'%.150s' is larger than 1 GiB", file);
        if (content->length == content->room && !content_grow(content))
            return storm_fail(error, STORM_LIMIT, "no memory to read '%.150s'", file);
        content->length +=
            fread(content->text + content->length, 1, content->room - content->length, stream);
    }
    return ferror(stream) == 0 || fail_io(error, file, errno);
}

struct storm_results *report_read_json(const char *file, struct arena *arena,
                                       struct storm_error *error) {
    assert(file != NULL && arena != NULL && error != NULL);
    struct content content = {0};
    struct storm_results *results = NULL;
    FILE *stream = fopen(file, "rb");
    if (stream == NULL) {
        fail_io(error, file, errno);
        return NULL;
    }
    if (content_read(&content, stream, file, error))
        results = report_parse_json(content.text, content.length, arena, error);
    fclose(stream);
    free(content.text);
    return results;
}
