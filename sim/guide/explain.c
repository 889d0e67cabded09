/* explain.c: what a setting, a metric, a verdict or a policy is, in a few lines of text. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <string.h>

#include <retrystorm/results.h>

#include "base/suggest.h"
#include "guide/explain.h"
#include "guide/outline.h"
#include "policy/registry.h"
#include "record/scope.h"
#include "report/text.h"
#include "scenario/fields.h"
#include "scenario/translate.h"

enum { COLUMNS = 80, KEY_COLUMNS = 16 };

/* ---- lines ----------------------------------------------------------------------------------- */

/* "  default  503", wrapped. */
static void line_write(FILE *out, const char *label, const char *text) {
    assert(label != NULL && text != NULL);
    fprintf(out, "  %-9s", label);
    text_wrap(out, text, 11, 11, COLUMNS);
}

/* "    limit           attempts that may wait (default unlimited)", wrapped. */
static void key_write(FILE *out, const char *key, const char *text) {
    int length = (int)strlen(key);
    fprintf(out, "  %-*s ", KEY_COLUMNS, key);
    text_wrap(out, text, 2 + (length > KEY_COLUMNS ? length : KEY_COLUMNS) + 1, 2 + KEY_COLUMNS + 1,
              COLUMNS);
}

static void keys_write(FILE *out, const struct shape *shape) {
    for (size_t i = 0;; i++) {
        struct entry entry = outline_entry(shape, i);
        struct phrase text = {0}, fallback = {0};
        if (entry.field == NULL)
            return;
        outline_say_default(&entry, &fallback);
        phrase_add(&text, "%s", entry.field->help);
        if (entry.field->fallback == NULL)
            phrase_add(&text, " (required)");
        else if (entry.field->fallback[0] != '\0')
            phrase_add(&text, " (default %s)", fallback.text);
        key_write(out, entry.field->key, text.text);
    }
}

/* The words of a setting with their meanings. */
static void words_write(FILE *out, const struct field *field) {
    struct field_word policy;
    for (size_t i = 0; outline_policy(field, i, &policy); i++) {
        if (i == 0)
            fputc('\n', out);
        key_write(out, policy.word, policy.help);
    }
    for (const struct field_word *word = field->words; word != NULL && word->word != NULL; word++) {
        if (word == field->words)
            fputc('\n', out);
        key_write(out, word->word, word->help);
    }
}

/* ---- where a path leads ---------------------------------------------------------------------- */

/* What a path was found to mean. `entry.field` is NULL at the top; `is_each`: not the whole map or
   list behind the key but one of its values. */
struct found {
    struct entry entry;
    const struct shape *shape; /* the map that the key is in */
    bool is_each;
    bool is_live;
    char path[STORM_PATH_MAX]; /* with NAME for names and 0 for indexes */
};

/* The map whose keys may follow; NULL: none. */
static const struct shape *inside_of(const struct found *found) {
    if (found->entry.field == NULL)
        return &scenario_shape;
    bool is_many = outline_form(&found->entry) != FORM_ONE;
    return is_many && !found->is_each ? NULL : outline_map(&found->entry);
}

static void path_add(struct found *found, const char *name) {
    size_t used = strlen(found->path);
    int length =
        snprintf(found->path + used, sizeof found->path - used, "%s%s", used == 0 ? "" : ".", name);
    assert(length > 0);
}

static bool fail_key(const struct found *found, const struct shape *shape, const char *key,
                     struct storm_error *error) {
    struct suggest suggest = suggest_begin(key);
    const char *translated = translate_word(key);
    for (size_t i = 0; outline_entry(shape, i).field != NULL; i++)
        suggest_offer(&suggest, outline_entry(shape, i).field->key);
    if (translated != NULL && outline_find(shape, translated).field != NULL)
        suggest.best = translated;
    storm_fail(error, STORM_USAGE, "there is no setting '%s' in %s", key,
               found->path[0] == '\0' ? "a scenario" : found->path);
    suggest_hint(&suggest, error->suggestion, sizeof error->suggestion);
    return false;
}

/* Whether the names behind a key may have dots: queues of dead letters. */
static bool has_dots(const struct entry *entry) {
    const struct field *keys = entry->row == NULL ? NULL : entry->row->keys;
    return keys != NULL && keys->kind == FIELD_TEXT;
}

/* Follows one word of a path. False after filling `error`. */
static bool word_follow(struct found *found, const char *word, struct storm_error *error) {
    const struct shape *shape = inside_of(found);
    bool is_any =
        found->entry.field != NULL && outline_form(&found->entry) != FORM_ONE && !found->is_each;
    if (is_any) {
        bool is_list = outline_form(&found->entry) != FORM_NAMES;
        found->is_each = true;
        path_add(found, is_list ? "0" : "NAME");
        if (!is_list || word[strspn(word, "0123456789")] == '\0')
            return true;
        shape = inside_of(found); /* faults.kind: the index was left out */
    }
    if (shape == NULL)
        return storm_fail(error, STORM_USAGE, "%s is a single value: there is no '%s' in it",
                          found->path, word);
    struct entry entry = outline_find(shape, word);
    if (entry.field == NULL && found->is_each && has_dots(&found->entry))
        return true; /* the name goes on */
    if (entry.field == NULL)
        return fail_key(found, shape, word, error);
    path_add(found, word);
    found->entry = entry;
    found->shape = shape;
    found->is_each = false;
    found->is_live = found->is_live || shape->live || (entry.row != NULL && entry.row->live);
    return true;
}

static bool path_follow(const char *path, struct found *found, struct storm_error *error) {
    *found = (struct found){.path = ""};
    while (*path != '\0') {
        char word[STORM_PATH_MAX];
        size_t length = strcspn(path, ".");
        if (length == 0 || length >= sizeof word || strlen(found->path) + length + 8 > sizeof word)
            return storm_fail(error, STORM_USAGE, "'%.100s' is no path of names with dots", path);
        snprintf(word, sizeof word, "%.*s", (int)length, path);
        if (!word_follow(found, word, error))
            return false;
        path += length;
        path += path[0] == '.' && path[1] != '\0' ? 1 : 0;
        if (strcmp(path, ".") == 0)
            return storm_fail(error, STORM_USAGE, "a path does not end with a dot");
    }
    return true;
}

/* ---- settings -------------------------------------------------------------------------------- */

static void value_write(FILE *out, const struct found *found) {
    struct phrase text = {0}, fallback = {0}, range = {0};
    const struct row *row = found->entry.row;
    struct entry item = {row == NULL ? NULL : row->item, NULL};
    const struct entry *entry = found->is_each ? &item : &found->entry;
    if (found->is_each && item.field == NULL)
        return;
    outline_say_value(entry, &text);
    line_write(out, "write", text.text);
    struct phrase example = {0};
    phrase_add(&example, "%s: ", entry->field->key);
    size_t without = example.used;
    outline_say_example(entry, &example);
    bool is_told = entry->row != NULL && entry->row->example != NULL;
    if (example.used > without && !found->is_each && !is_told)
        line_write(out, "example", example.text);
    outline_say_range(entry->field, &range);
    if (range.used > 0)
        line_write(out, "range", range.text);
    outline_say_default(entry, &fallback);
    if (fallback.used > 0 && !found->is_each)
        line_write(out, "default", fallback.text);
}

/* "at or every" of "at every". */
static void with_write(FILE *out, const char *with) {
    struct phrase text = {0};
    for (const char *word = with; *word != '\0'; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        phrase_add(&text, "%s%.*s", text.used == 0 ? "" : " or ", (int)length, word);
        word += length;
    }
    line_write(out, "with", text.text);
}

/* Which other keys a key goes with. */
static void company_write(FILE *out, const struct found *found) {
    const struct row *row = found->entry.row;
    struct phrase text = {0};
    if (found->is_live)
        line_write(out, "live", "an action may change it during a run");
    if (row == NULL || found->is_each)
        return;
    if (row->choice != CHOICE_NONE) {
        phrase_add(&text, "%s one of", row->choice == CHOICE_ONE ? "exactly" : "at least");
        const char *comma = " ";
        for (const struct row *other = found->shape->rows; other->field.key != NULL; other++) {
            if (other->choice != row->choice)
                continue;
            phrase_add(&text, "%s%s", comma, other->field.key);
            comma = ", ";
        }
        line_write(out, "choice", text.text);
    }
    if (row->with != NULL)
        with_write(out, row->with);
}

static void setting_write(FILE *out, const struct found *found) {
    const struct field *field = found->entry.field;
    const struct row *row = found->entry.row;
    const char *help = found->is_each && row->item != NULL ? row->item->help : field->help;
    fprintf(out, "%s\n  ", found->path);
    text_wrap(out, help, 2, 2, COLUMNS);
    fputc('\n', out);
    value_write(out, found);
    company_write(out, found);
    if (found->is_each && row->item != NULL)
        words_write(out, row->item);
    else if (outline_form(&found->entry) == FORM_ONE)
        words_write(out, field);
    const struct shape *inside = inside_of(found);
    if (inside == NULL && outline_map(&found->entry) != NULL)
        inside = outline_map(&found->entry);
    if (inside == NULL || inside->has_paths)
        return;
    fprintf(out, "\n%s\n",
            found->is_each || outline_form(&found->entry) == FORM_ONE ? "The map's settings:"
                                                                      : "The settings of each:");
    keys_write(out, inside);
}

static void top_write(FILE *out) {
    fputs("A scenario is a map of these settings; 'retrystorm explain clients' explains one of\n"
          "them, 'retrystorm explain clients.web.calls.timeout' one further down, and\n"
          "'retrystorm explain timeout' where a setting may stand. Metrics, verdicts and\n"
          "policies are explained, too: amplification, stuck, full-jitter.\n\n",
          out);
    keys_write(out, &scenario_shape);
}

/* ---- a key alone ----------------------------------------------------------------------------- */

/* Where a key may stand. */
struct places {
    const char *key;
    FILE *out; /* NULL: only count */
    size_t count;
};

static void place_visit(void *context, const char *path, const struct entry *entry) {
    struct places *places = context;
    if (strcmp(entry->field->key, places->key) != 0)
        return;
    places->count++;
    if (places->out == NULL)
        return;
    fprintf(places->out, "%s\n    ", path);
    text_wrap(places->out, entry->field->help, 4, 4, COLUMNS);
}

static bool key_explain(const char *key, FILE *out) {
    struct places places = {.key = key};
    outline_visit(place_visit, &places);
    places.out = out;
    if (places.count > 0)
        outline_visit(place_visit, &places);
    return places.count > 0;
}

/* ---- other words ----------------------------------------------------------------------------- */

static const struct metric_words {
    const char *name;
    enum scope scope;
    const char *unit, *help;
    enum storm_better better;
} metrics[] = {
#define METRIC(name, scope, unit, better, bimodal, function, help)                                 \
    {#name, SCOPE_##scope, unit, help, STORM_BETTER_##better},
#include "record/metrics.def"
#undef METRIC
};

static const struct {
    const char *word, *sentence;
} verdicts[] = {
#define VERDICT(name, word, sentence) {word, sentence},
    STORM_VERDICT_MAP(VERDICT)
#undef VERDICT
};

enum {
    METRIC_COUNT = sizeof metrics / sizeof metrics[0],
    VERDICT_COUNT = sizeof verdicts / sizeof verdicts[0]
};

/* The one word that an expectation may have for a metric though no single run has it. */
static const char recovers_help[] =
    "the share of the runs that come back or were never harmed, for the expectations of a "
    "scenario: expect: [{metric: recovers, at_least: 99%}], and for criteria: "
    "--until 'recovers < 99%'. It has no value without a fault or a surge, nor in a run that is "
    "too short to tell";

static void metric_write(FILE *out, const struct metric_words *metric) {
    static const struct {
        const char *word, *each;
    } places[] = {{"", "run"},
                  {"SERVICE", "run and service"},
                  {"REASON", "run and reason"},
                  {"QUEUE", "run and message queue"},
                  {"LETTERS", "run and dead-letter queue"}};
    const char *behind = scope_word(metric->scope);
    char each[80];
    size_t place = 0;
    while (place < sizeof places / sizeof places[0] && strcmp(places[place].word, behind) != 0)
        place++;
    assert(place < sizeof places / sizeof places[0]);
    fprintf(out, "%s%s%s\n  ", metric->name, *behind == '\0' ? "" : ".", behind);
    text_wrap(out, metric->help, 2, 2, COLUMNS);
    snprintf(each, sizeof each, "one number for each %s", places[place].each);
    fputc('\n', out);
    line_write(out, "metric", each);
    line_write(out, "unit", metric->unit);
    line_write(out, "better", storm_better_word(metric->better));
}

/* A metric by its name, alone or with the service behind it. True when there is one. */
static bool metric_explain(const char *what, FILE *out) {
    size_t length = strcspn(what, ".");
    size_t count = 0;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        bool is_it =
            strlen(metrics[i].name) == length && strncmp(metrics[i].name, what, length) == 0;
        if (!is_it || (what[length] != '\0' && *scope_word(metrics[i].scope) == '\0'))
            continue;
        if (count++ > 0)
            fputc('\n', out);
        metric_write(out, &metrics[i]);
    }
    return count > 0;
}

/* A preset in short; `retrystorm presets` tells all of it. */
static bool preset_explain(const struct policy_preset *preset, FILE *out) {
    struct phrase text = {0};
    if (preset == NULL)
        return false;
    phrase_add(&text, "%s. %s", preset->family, preset->notes);
    fprintf(out, "%s\n  a preset: ", preset->name);
    text_wrap(out, text.text, 12, 2, COLUMNS);
    fprintf(out,
            "\n  Write retry: %s, or change it: {preset: %s, attempts: 5};\n"
            "  'retrystorm presets %s' tells the rest.\n",
            preset->name, preset->name, preset->name);
    return true;
}

static bool word_explain(const char *what, FILE *out) {
    if (strcmp(what, STORM_EXPECT_RECOVERS) == 0) {
        fprintf(out, "%s\n  ", what);
        text_wrap(out, recovers_help, 2, 2, COLUMNS);
        return true;
    }
    for (size_t i = 0; i < VERDICT_COUNT; i++) {
        if (strcmp(verdicts[i].word, what) != 0)
            continue;
        fprintf(out, "%s\n  a verdict: ", what);
        text_wrap(out, verdicts[i].sentence, 13, 2, COLUMNS);
        return true;
    }
    const struct policy_headline *headline = policy_headline_find(what);
    if (headline == NULL)
        return preset_explain(policy_preset_find(what), out);
    fprintf(out, "%s\n  a policy: ", what);
    text_wrap(out, headline->summary, 12, 2, COLUMNS);
    fprintf(out, "\n  Write retry: %s, or change it: {delay: %s, attempts: 5}\n", what, what);
    return true;
}

static void key_offer(void *context, const char *path, const struct entry *entry) {
    (void)path;
    struct suggest *suggest = context;
    suggest_offer(suggest, entry->field->key);
}

static bool fail_word(const char *what, struct storm_error *error) {
    struct suggest suggest = suggest_begin(what);
    const char *translated = translate_word(what);
    outline_visit(key_offer, &suggest);
    for (size_t i = 0; i < METRIC_COUNT; i++)
        suggest_offer(&suggest, metrics[i].name);
    suggest_offer(&suggest, STORM_EXPECT_RECOVERS);
    for (size_t i = 0; i < VERDICT_COUNT; i++)
        suggest_offer(&suggest, verdicts[i].word);
    for (size_t i = 0; i < policy_headline_count(); i++)
        suggest_offer(&suggest, policy_headline_at(i)->name);
    for (size_t i = 0; i < policy_preset_count(); i++)
        suggest_offer(&suggest, policy_preset_at(i)->name);
    storm_fail(error, STORM_USAGE, "there is no setting, metric, verdict or policy '%s'", what);
    if (translated != NULL)
        suggest.best = translated;
    if (suggest.best != NULL)
        snprintf(error->suggestion, sizeof error->suggestion, "did you mean '%s'?", suggest.best);
    else
        snprintf(error->suggestion, sizeof error->suggestion,
                 "'retrystorm explain' lists what a scenario is made of");
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool explain_write(const char *what, FILE *out, struct storm_error *error) {
    struct found found;
    assert(out != NULL && error != NULL);
    if (what == NULL) {
        top_write(out);
        return true;
    }
    char first[STORM_PATH_MAX];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(what, "."), what);
    if (outline_find(&scenario_shape, first).field != NULL) {
        if (!path_follow(what, &found, error))
            return false;
        setting_write(out, &found);
        return true;
    }
    bool is_known = metric_explain(what, out) || word_explain(what, out) ||
                    (strchr(what, '.') == NULL && key_explain(what, out));
    return is_known || fail_word(what, error);
}
