/* reference.c: the tables of settings as a page to read. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include <retrystorm/error.h>

#include "guide/outline.h"
#include "guide/reference.h"
#include "policy/registry.h"
#include "scenario/fields.h"

enum { SECTIONS_MAX = 32, PATH_MOST = STORM_PATH_MAX + 8 };

/* A kind of map, and where it may stand. */
struct section {
    const struct shape *shape;
    struct entry entry;   /* the key at the first place */
    char path[PATH_MOST]; /* of one such map there */
    struct phrase others; /* all other places */
};

/* The page being written; it has a section for each kind, in the order in which they are met. */
struct page {
    FILE *out;
    size_t count;
    struct section sections[SECTIONS_MAX];
};

/* "clients.NAME.calls", of which one such map is meant. */
static void path_of_one(const struct entry *entry, const char *path, char *one, size_t size) {
    enum form form = outline_form(entry);
    snprintf(one, size, "%s%s", path, form == FORM_NAMES ? ".NAME" : form == FORM_LIST ? ".0" : "");
}

static void section_visit(void *context, const char *path, const struct entry *entry) {
    struct page *page = context;
    const struct shape *shape = outline_map(entry);
    char one[PATH_MOST];
    if (shape == NULL || shape->has_paths || shape == &dist_shape)
        return;
    path_of_one(entry, path, one, sizeof one);
    for (size_t i = 0; i < page->count; i++) {
        if (page->sections[i].shape != shape)
            continue;
        phrase_add(&page->sections[i].others, "%s`%s`",
                   page->sections[i].others.used == 0 ? "" : ", ", one);
        return;
    }
    assert(page->count < SECTIONS_MAX);
    page->sections[page->count].shape = shape;
    page->sections[page->count].entry = *entry;
    memcpy(page->sections[page->count].path, one, sizeof one);
    page->count++;
}

/* The anchor that a heading `clients.NAME.calls` gets. */
static void anchor_write(FILE *out, const char *path) {
    for (const char *c = path; *c != '\0'; c++) {
        if (*c != '.')
            fputc(tolower((unsigned char)*c), out);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Where the map of a key is described. */
static void link_write(const struct page *page, const struct entry *entry) {
    const struct shape *shape = outline_map(entry);
    if (shape == &dist_shape && entry->field->kind == FIELD_DIST) {
        fputs("; see [distributions](#distributions)", page->out);
        return;
    }
    for (size_t i = 0; i < page->count; i++) {
        if (page->sections[i].shape != shape)
            continue;
        fprintf(page->out, "; see [%s](#", page->sections[i].path);
        anchor_write(page->out, page->sections[i].path);
        fputc(')', page->out);
    }
}

/* The words of a setting, with their meanings. */
static void words_write(FILE *out, const struct field *field) {
    for (const struct field_word *word = field->words; word != NULL && word->word != NULL; word++)
        fprintf(out, "<br>`%s`: %s", word->word, word->help);
}

/* What else must, or may not, stand beside a key. */
static void company_write(FILE *out, const struct row *row) {
    if (row == NULL)
        return;
    if (row->with != NULL) {
        const char *before = "<br>goes with ";
        for (const char *word = row->with; *word != '\0'; word += strspn(word, " ")) {
            size_t length = strcspn(word, " ");
            fprintf(out, "%s`%.*s`", before, (int)length, word);
            before = " or ";
            word += length;
        }
    }
}

static void row_write(const struct page *page, const struct entry *entry, bool is_live) {
    struct phrase value = {0}, range = {0}, fallback = {0};
    const struct field *field = entry->field;
    outline_say_value(entry, &value);
    outline_say_range(field, &range);
    outline_say_default(entry, &fallback);
    bool is_policy = entry->row == NULL; /* the section says it once for all of them */
    bool is_choice = entry->row != NULL && entry->row->choice != CHOICE_NONE;
    fprintf(page->out, "| `%s`%s%s | %s", field->key, is_choice ? " ¹" : "",
            is_live || (entry->row != NULL && entry->row->live) ? " ²" : "", field->help);
    if (outline_form(entry) == FORM_ONE)
        words_write(page->out, field);
    company_write(page->out, entry->row);
    fprintf(page->out, " | %s", value.text);
    link_write(page, entry);
    fprintf(page->out, " | %s | %s |\n", is_policy ? "" : fallback.text, range.text);
}

static void table_write(const struct page *page, const struct shape *shape) {
    fputs("| key | meaning | what to write | default | range |\n| --- | --- | --- | --- | --- |\n",
          page->out);
    for (size_t i = 0; outline_entry(shape, i).field != NULL; i++) {
        struct entry entry = outline_entry(shape, i);
        row_write(page, &entry, shape->live);
    }
}

/* Exactly one of them, or at least one. */
static void choice_write(FILE *out, const struct shape *shape) {
    enum choice choice = CHOICE_NONE;
    for (const struct row *row = shape->rows; row->field.key != NULL; row++)
        choice = row->choice != CHOICE_NONE ? row->choice : choice;
    if (choice == CHOICE_ONE)
        fputs("\n¹ Exactly one of these is written.\n", out);
    else if (choice == CHOICE_SOME)
        fputs("\n¹ At least one of these is written.\n", out);
}

/* ---- sections -------------------------------------------------------------------------------- */

static void head_write(FILE *out) {
    fputs(
        "# Scenario reference\n\n"
        "Every setting of a scenario, made from the tables by which the program reads them. The "
        "same is told by\n`retrystorm explain PATH`, and to editors by the JSON Schema that "
        "`retrystorm schema` prints; `retrystorm init`\nwrites a scenario to start from.\n\n"
        "A scenario is a YAML file (JSON is YAML, too). NAME stands for a name that you give: "
        "letters, digits, `-` and `_`,\nat most 64 of them (and dots for a queue of dead "
        "letters); 0 for a place in a list, counted from 0. Settings are\nnamed by their paths, in "
        "messages and in `--set path=value`, `variants` and `set`. Unknown and doubled keys are\n"
        "errors.\n\n"
        "| kind of value | examples | |\n| --- | --- | --- |\n"
        "| duration | `250ms`, `1.5s`, `2m` | ns us ms s m h d; the unit is needed |\n"
        "| rate | `45/s`, `1.2k/s`, `6/h` | /s /m /h, with k and M before it |\n"
        "| share | `10%`, `0.1%` | |\n"
        "| factor | `4x`, `0.5` | |\n"
        "| whole number | `1000`, `10k`, `2M` | `010` is an error |\n"
        "| distribution | `50ms`, `{exponential: 50ms}` | see [distributions](#distributions) |\n"
        "| true or false | `true` | `yes` and `on` are errors |\n\n"
        "² An [action](#actions0) may change it during a run.\n\n"
        "## The top\n\n",
        out);
}

static void headlines_write(FILE *out) {
    fputs(
        "\nA call may name one of these policies, or one of `policies`; a policy begins as the "
        "one that `delay` names, or\nas the `preset` of a product (a policy of one attempt needs "
        "neither), and all other settings change it;\n`retrystorm presets` lists the presets. But "
        "for no-retry they have 4 attempts and a base of\n1s unless that is "
        "changed; what grows "
        "without end has a cap of 30s.\n\n"
        "| `delay` | before each retry |\n| --- | --- |\n",
        out);
    for (size_t i = 0; i < policy_headline_count(); i++)
        fprintf(out, "| `%s` | %s |\n", policy_headline_at(i)->name,
                policy_headline_at(i)->summary);
}

static void example_write(FILE *out, const struct entry *entry) {
    struct phrase example = {0};
    outline_say_example(entry, &example);
    if (example.used > 0)
        fprintf(out, "```yaml\n%s: %s\n```\n\n", entry->field->key, example.text);
}

static void section_write(const struct page *page, size_t index) {
    FILE *out = page->out;
    const struct section *section = &page->sections[index];
    const char *help = section->entry.field->help;
    fprintf(out, "\n## %s\n\n%c%s", section->path, toupper((unsigned char)help[0]), help + 1);
    if (section->others.used > 0)
        fprintf(out, " (also %s)", section->others.text);
    fputs(".\n\n", out);
    example_write(out, &section->entry);
    table_write(page, section->shape);
    choice_write(out, section->shape);
    if (section->shape == &policy_shape)
        headlines_write(out);
}

/* What a law has in its own map. */
static void law_write(const struct page *page, const struct row *row) {
    if (row->inner == NULL || row->inner == &dist_shape)
        return;
    for (size_t i = 0; outline_entry(row->inner, i).field != NULL; i++) {
        struct entry entry = outline_entry(row->inner, i);
        struct phrase value = {0}, range = {0};
        outline_say_value(&entry, &value);
        outline_say_range(entry.field, &range);
        fprintf(page->out, "| `%s.%s` | %s | %s | required | %s |\n", row->field.key,
                entry.field->key, entry.field->help, value.text, range.text);
    }
}

static void distributions_write(const struct page *page) {
    fputs("\n## Distributions\n\n"
          "A random duration, drawn anew each time; a bare duration is always that long.\n\n"
          "```yaml\nservice_time: {lognormal: {mean: 50ms, cv: 1.5}}\n"
          "network: {constant: 20ms, plus: {exponential: 30ms}}\n```\n\n",
          page->out);
    table_write(page, &dist_shape);
    for (const struct row *row = dist_shape.rows; row->field.key != NULL; row++)
        law_write(page, row);
    choice_write(page->out, &dist_shape);
}

void reference_write(FILE *out) {
    struct page page = {.out = out};
    assert(out != NULL);
    outline_visit(section_visit, &page);
    head_write(out);
    table_write(&page, &scenario_shape);
    for (size_t i = 0; i < page.count; i++)
        section_write(&page, i);
    distributions_write(&page);
}
