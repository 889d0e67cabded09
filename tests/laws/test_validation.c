/* test_validation.c: docs/validation.md is what the law tests keep in tests/golden/validation, with
   a count in front. UPDATE=1 writes it anew, after those tests have kept theirs. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/page.h"
#include "support/test.h"
#include "support/world.h"

enum { TEXT_MAX = 1 << 20, MODELS_MAX = 64, CELL_MAX = 256, CELLS = 8 };

/* In the order of the page. */
static const char *const parts[] = {"queue",   "sharing",    "patience",  "retrial",
                                    "ghost",   "orphans",    "fail_fast", "drain",
                                    "trigger", "contention", "replay"};
enum { PARTS = sizeof parts / sizeof parts[0] };

static const char *const page_path = STORM_SOURCE_DIR "/docs/validation.md";

/* The rows of one model. */
struct model {
    char name[CELL_MAX];
    size_t rows, exact, scored, again;
    double worst; /* |z| or |t| */
};

struct count {
    struct model models[MODELS_MAX];
    size_t model_count, rows;
};

static char *read_text(const char *path) {
    FILE *in = fopen(path, "rb");
    char *text = calloc(TEXT_MAX, 1);
    assert_non_null(text);
    if (in != NULL) {
        size_t length = fread(text, 1, TEXT_MAX - 1, in);
        assert_true(length < TEXT_MAX - 1);
        fclose(in);
    }
    return text;
}

/* The cells of "| a | b | ... |". False for a line that is no row of a table, or its head. */
static bool split(const char *line, char cells[CELLS][CELL_MAX]) {
    if (strncmp(line, "| ", 2) != 0 || strncmp(line, "| ---", 5) == 0 ||
        strncmp(line, "| model |", 9) == 0) {
        return false;
    }
    line += 2;
    for (int i = 0; i < CELLS; i++) {
        const char *end = strstr(line, i < CELLS - 1 ? " | " : " |\n");
        assert_non_null(end);
        size_t length = (size_t)(end - line);
        assert_true(length < CELL_MAX);
        memcpy(cells[i], line, length);
        cells[i][length] = '\0';
        line = end + (i < CELLS - 1 ? 3 : 0);
    }
    return true;
}

static struct model *find_model(struct count *count, const char *name) {
    for (size_t i = 0; i < count->model_count; i++) {
        if (strcmp(count->models[i].name, name) == 0) {
            return &count->models[i];
        }
    }
    assert_true(count->model_count < MODELS_MAX);
    struct model *model = &count->models[count->model_count++];
    world_print(model->name, sizeof model->name, "%s", name);
    return model;
}

static void count_row(struct count *count, char cells[CELLS][CELL_MAX]) {
    struct model *model = find_model(count, cells[0]);
    const char *score = cells[6], *number = strpbrk(score, "zt");
    model->rows++;
    count->rows++;
    assert_null(strstr(score, "WRONG"));
    model->again += strstr(score, "(2nd)") != NULL;
    model->exact += strcmp(score, "exact") == 0;
    if (number != NULL && number[1] == ' ') {
        double value = fabs(strtod(number + 1, NULL));
        model->scored++;
        model->worst = value > model->worst ? value : model->worst;
    }
}

static void count_part(struct count *count, const char *text) {
    char cells[CELLS][CELL_MAX];
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        if (split(line, cells)) {
            count_row(count, cells);
        }
        assert_non_null(strchr(line, '\n'));
    }
}

static int write_head(const struct count *count, char *page) {
    int used = world_print(
        page, TEXT_MAX,
        "# Validation\n\n"
        "Every number of this page is made by the tests of `tests/laws` and compared to the letter "
        "whenever they run; nobody types it in. *truth* is a closed form, an exactly solved chain, "
        "a fluid limit or a published number, as *source* says; *ours* is one simulation with a "
        "fixed seed; *SE* is its standard error, known beforehand where the score is a *z* "
        "(limit 4) and estimated from 64 runs where it is a *t* (limit 5). A row that fails is run "
        "once more with the next seed and four times the length, and is then marked *(2nd)*; it "
        "fails only if both do, and there is no other second try. With `STORM_FULL=1` the tests "
        "run every row of `tests/data/*_truths.csv` that needs no more than 20 million "
        "arrivals.\n\n"
        "%zu rows:\n\n"
        "| model | rows | exact | within a bound | scored | worst score | run twice |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        count->rows);
    for (size_t i = 0; i < count->model_count; i++) {
        const struct model *model = &count->models[i];
        used += world_print(page + used, (size_t)(TEXT_MAX - used),
                            "| %s | %zu | %zu | %zu | %zu | %.2f | %zu |\n", model->name,
                            model->rows, model->exact, model->rows - model->exact - model->scored,
                            model->scored, model->worst, model->again);
    }
    return used;
}

static void the_page_of_validation_is_what_the_tests_keep(void **state) {
    (void)state;
    static struct count count;
    static char page[TEXT_MAX];
    char *texts[PARTS], path[512];
    for (size_t i = 0; i < PARTS; i++) {
        world_print(path, sizeof path, "%s/tests/golden/validation/%s.md", STORM_SOURCE_DIR,
                    parts[i]);
        texts[i] = read_text(path);
        assert_true(texts[i][0] != '\0');
        count_part(&count, texts[i]);
    }
    int used = write_head(&count, page);
    for (size_t i = 0; i < PARTS; i++) {
        used += world_print(page + used, (size_t)(TEXT_MAX - used), "\n%s", texts[i]);
        free(texts[i]);
    }
    print_message("%zu rows of %zu models\n", count.rows, count.model_count);
    assert_true(count.rows >= 120);
    if (getenv("UPDATE") != NULL) {
        FILE *out = fopen(page_path, "wb");
        assert_non_null(out);
        assert_true(fwrite(page, 1, (size_t)used, out) == (size_t)used);
        assert_int_equal(fclose(out), 0);
    }
    char *kept = read_text(page_path);
    bool same = strcmp(page, kept) == 0;
    free(kept);
    assert_true(same); /* else: UPDATE=1, and read the difference */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_of_validation_is_what_the_tests_keep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
