/* test_paint.c: files: well-formed, the same bytes each time, whole or not at all. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/test.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pango/pangocairo.h>

#include <retrystorm/chart.h>
#include <retrystorm/error.h>
#include <retrystorm/results.h>

#include "plots/theme.h"
#include "plots/type.h"
#include "support/sample_results.h"
#include "unit/plots/golden.h"
#include "unit/plots/near.h"

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/retrystorm-paint-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int remove_folder(void **state) {
    char path[512];
    (void)state;
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            remove(path);
    }
    if (listing != NULL)
        closedir(listing);
    return rmdir(folder);
}

static int files_in(const char *path) {
    int found = 0;
    DIR *listing = opendir(path);
    assert_non_null(listing);
    while (true) {
        struct dirent *entry = readdir(listing);
        if (entry == NULL)
            break;
        found += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(listing);
    return found;
}

/* The whole file, ended by a zero byte; to be freed. */
static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s is not there", path);
    char *bytes = calloc(1, 8 << 20);
    assert_non_null(bytes);
    *length = fread(bytes, 1, (8 << 20) - 1, file);
    fclose(file);
    return bytes;
}

static char *paint(const struct storm_results *results, bool is_dark, const char *name,
                   size_t *length) {
    char path[256];
    struct storm_error error = {0};
    struct storm_chart_options options = {.dark = is_dark};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!storm_chart_write(results, &options, path, &error))
        fail_msg("%s", error.message);
    char *bytes = read_file(path, length);
    assert_int_equal(remove(path), 0);
    return bytes;
}

static void the_same_results_give_the_same_bytes(void **state) {
    static const char *const names[] = {"a.png", "a.pdf", "a.svg", "a.txt"};
    struct storm_results *results = sample_results_usual();
    (void)state;
    for (int dark = 0; dark <= 1; dark++)
        for (size_t i = 0; i < 4; i++) {
            size_t one_length = 0, other_length = 0;
            char *one = paint(results, dark, names[i], &one_length);
            char *other = paint(results, dark, names[i], &other_length);
            assert_int_equal(one_length, other_length);
            assert_memory_equal(one, other, one_length);
            free(one);
            free(other);
        }
    sample_results_free(results);
}

static void each_format_is_what_its_name_says(void **state) {
    static const struct {
        const char *name, *head;
        size_t least, most;
    } rows[] = {{"a.PNG", "\x89PNG\r\n\x1A\n", 50000, 1000000},
                {"a.pdf", "%PDF-1.", 30000, 500000},
                {"a.svg", "<svg xmlns=", 10000, 200000},
                {"a.txt", "scene 1200x820\n", 5000, 40000}};
    struct storm_results *results = sample_results_usual();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t length = 0;
        char *bytes = paint(results, false, rows[i].name, &length);
        assert_memory_equal(bytes, rows[i].head, strlen(rows[i].head));
        assert_in_range(length, rows[i].least, rows[i].most);
        free(bytes);
    }
    sample_results_free(results);
}

static void a_png_has_two_pixels_per_px(void **state) {
    static const unsigned char size[8] = {0, 0, 2400 >> 8, 2400 & 255, 0, 0, 1640 >> 8, 1640 & 255};
    struct storm_results *results = sample_results_usual();
    size_t length = 0;
    (void)state;
    char *bytes = paint(results, false, "a.png", &length);
    assert_memory_equal(bytes + 16, size, sizeof size);
    free(bytes);
    sample_results_free(results);
}

/* The date sits in a compressed stream only in newer PDF versions; cairo writes it in the open. */
static void a_pdf_carries_no_clock(void **state) {
    struct storm_results *results = sample_results_usual();
    size_t length = 0, other_length = 0;
    (void)state;
    unsetenv("SOURCE_DATE_EPOCH");
    char *plain = paint(results, false, "a.pdf", &length);
    setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
    char *dated = paint(results, false, "a.pdf", &other_length);
    setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
    size_t third_length = 0;
    char *wrong = paint(results, false, "a.pdf", &third_length);
    unsetenv("SOURCE_DATE_EPOCH");
    assert_int_equal(length, third_length);
    assert_memory_equal(plain, wrong, length);
    assert_true(length != other_length || memcmp(plain, dated, length) != 0);
    free(plain);
    free(dated);
    free(wrong);
    sample_results_free(results);
}

/* Walks over markup and checks that tags are balanced, attributes quoted, and bare & and <
   absent. */
static void check_markup(const char *text) {
    char stack[16][32];
    int depth = 0, roots = 0;
    for (const char *at = text; *at != 0;) {
        if (*at == '&') {
            bool is_known = strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                            strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&quot;", 6) == 0;
            assert_true(is_known);
        }
        assert_true((unsigned char)*at >= 32 || *at == '\n');
        if (*at != '<') {
            at++;
            continue;
        }
        const char *end = strchr(at, '>');
        assert_non_null(end);
        int quotes = 0;
        for (const char *c = at + 1; c < end; c++) {
            quotes += *c == '"';
            assert_int_not_equal(*c, '<');
        }
        assert_int_equal(quotes % 2, 0);
        size_t length = strcspn(at + 1, " />\n");
        if (at[1] == '/') {
            assert_true(depth > 0);
            size_t name = strlen(stack[--depth]);
            assert_memory_equal(at + 2, stack[depth], name);
            assert_ptr_equal(at + 2 + name, end);
        } else if (end[-1] != '/') {
            assert_true(depth < 16 && length < 32);
            roots += depth == 0;
            snprintf(stack[depth++], 32, "%.*s", (int)length, at + 1);
        }
        at = end + 1;
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
}

static void an_svg_is_well_formed_whatever_people_write(void **state) {
    struct storm_results *results = sample_results_usual();
    size_t length = 0;
    (void)state;
    results->title = "a < b && \"c\" > 'd' ]]> <!-- \x01\x1F \xFF\xED\xA0\x80 \xEF\xBF\xBF";
    results->variants[0].name = "</text><script>alert(1)</script>";
    results->variants[1].spans[0].label = "<&>";
    results->file = "&lt;.yaml";
    char *bytes = paint(results, false, "a.svg", &length);
    check_markup(bytes);
    assert_null(strstr(bytes, "<script"));
    assert_non_null(strstr(bytes, "&lt;/text&gt;&lt;script&gt;"));
    assert_non_null(strstr(bytes, "&amp;lt;.yaml"));
    free(bytes);
    sample_results_free(results);
}

static void an_svg_has_real_text_a_description_and_both_themes(void **state) {
    struct storm_results *results = sample_results_usual();
    size_t length = 0;
    (void)state;
    char *bytes = paint(results, false, "a.svg", &length);
    assert_non_null(strstr(bytes, "role=\"img\""));
    assert_non_null(strstr(bytes, "<title>Exponential turns a 30-second outage"));
    assert_non_null(strstr(bytes, "<desc>"));
    assert_non_null(strstr(bytes, "exponential: never recovers; peak 549/s; 6,487 dead letters."));
    assert_non_null(strstr(bytes, ">58 of 100 runs end up here</text>"));
    assert_non_null(strstr(bytes, "prefers-color-scheme:dark"));
    assert_null(strstr(bytes, " id=\""));
    free(bytes);
    bytes = paint(results, true, "a.svg", &length);
    assert_null(strstr(bytes, "prefers-color-scheme"));
    assert_non_null(strstr(bytes, "--rs-background:#11151A"));
    free(bytes);
    sample_results_free(results);
}

static void a_folder_that_is_not_there_is_an_error_with_its_path(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_error error = {0};
    (void)state;
    assert_false(storm_chart_write(results, NULL, "/nowhere/at/all/a.png", &error));
    assert_int_equal(error.status, STORM_IO);
    assert_non_null(strstr(error.message, "/nowhere/at/all/a.png"));
    assert_non_null(strstr(error.message, "No such file or directory"));
    sample_results_free(results);
}

static void what_cannot_be_replaced_stays_and_nothing_is_left_beside_it(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_error error = {0};
    char path[256];
    (void)state;
    snprintf(path, sizeof path, "%s/a.svg", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(storm_chart_write(results, NULL, path, &error));
    assert_int_equal(error.status, STORM_IO);
    assert_int_equal(files_in(folder), 1);
    assert_int_equal(rmdir(path), 0);
    sample_results_free(results);
}

/* /dev/full accepts no byte. A device is written to directly: there is nothing to remove but our
   own link. */
static void a_device_that_takes_nothing_is_an_error_in_every_format(void **state) {
    static const char *const names[] = {"a.png", "a.pdf", "a.svg"};
    struct storm_results *results = sample_results_usual();
    char path[256];
    (void)state;
    for (size_t i = 0; i < 3 && access("/dev/full", W_OK) == 0; i++) {
        struct storm_error error = {0};
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(symlink("/dev/full", path), 0);
        bool is_written = storm_chart_write(results, NULL, path, &error);
        assert_int_equal(unlink(path), 0);
        assert_false(is_written);
        assert_int_equal(error.status, STORM_IO);
        assert_non_null(strstr(error.message, "/dev/full"));
        assert_int_equal(files_in(folder), 0);
    }
    sample_results_free(results);
}

/* A limit on the size of files stands for a disk that fills up half way. */
static void a_disk_that_fills_up_leaves_nothing_behind(void **state) {
    static const char *const names[] = {"a.png", "a.pdf", "a.svg"};
    struct storm_results *results = sample_results_usual();
    struct rlimit old, small;
    char path[256];
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 9000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < 3; i++) {
        struct storm_error error = {0};
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        bool is_written = storm_chart_write(results, NULL, path, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_false(is_written);
        assert_int_equal(error.status, STORM_IO);
        assert_non_null(strstr(error.message, path));
        assert_non_null(strstr(error.message, "File too large"));
        assert_int_equal(files_in(folder), 0);
    }
    signal(SIGXFSZ, handler);
    sample_results_free(results);
}

static void unknown_formats_and_charts_are_refused_before_anything_is_written(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_chart_options options = {.chart = "pie"};
    char path[256];
    (void)state;
    static const char *const names[] = {"a.jpg", "a", "png", "a.png/b"};
    for (size_t i = 0; i < 4; i++) {
        struct storm_error error = {0};
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_false(storm_chart_write(results, NULL, path, &error));
        assert_int_equal(error.status, STORM_USAGE);
        assert_non_null(strstr(error.message, ".png, .svg or .pdf"));
    }
    struct storm_error error = {0};
    snprintf(path, sizeof path, "%s/a.png", folder);
    assert_false(storm_chart_write(results, &options, path, &error));
    assert_non_null(strstr(error.message, "'pie'"));
    assert_non_null(strstr(error.suggestion, "load"));
    assert_int_equal(files_in(folder), 0);
    sample_results_free(results);
}

static void an_old_file_is_replaced_whole_and_stays_when_drawing_fails(void **state) {
    struct storm_results *results = sample_results_usual();
    struct storm_error error = {0};
    char path[256];
    size_t length = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/a.svg", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("old", file);
    fclose(file);
    results->variant_count = 0;
    assert_false(storm_chart_write(results, NULL, path, &error));
    char *bytes = read_file(path, &length);
    assert_string_equal(bytes, "old");
    free(bytes);
    results->variant_count = 4;
    assert_true(storm_chart_write(results, NULL, path, &error));
    bytes = read_file(path, &length);
    check_markup(bytes);
    free(bytes);
    assert_int_equal(files_in(folder), 1);
    assert_int_equal(remove(path), 0);
    sample_results_free(results);
}

static void the_usual_scene_is_the_one_on_record(void **state) {
    struct storm_results *results = sample_results_usual();
    size_t length = 0;
    (void)state;
    char *bytes = paint(results, false, "a.txt", &length);
    golden_check("load_usual", bytes, length);
    free(bytes);
    sample_results_free(results);
}

static bool has_dejavu(PangoFontMap *fonts) {
    PangoFontFamily **families = NULL;
    int count = 0;
    bool is_found = false;
    pango_font_map_list_families(fonts, &families, &count);
    for (int i = 0; i < count; i++)
        is_found = is_found || strcmp(pango_font_family_get_name(families[i]), "DejaVu Sans") == 0;
    g_free(families);
    return is_found;
}

/* The table of widths is only worth having if it is that of the font people see. */
static void the_compiled_widths_are_those_that_pango_sees(void **state) {
    static const char *const texts[] = {
        "Attempts per second at api, which can serve 100/s", "0123456789,.·–—×→…",
        "58 of 100 runs end up here", "Größe naïve façade Łódź", "()[]{}<>&%$#@!?;:'\"/\\|~^_*+=-"};
    PangoFontMap *fonts = pango_cairo_font_map_new();
    (void)state;
    if (!has_dejavu(fonts))
        skip();
    PangoContext *context = pango_font_map_create_context(fonts);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    pango_context_set_round_glyph_positions(context, FALSE);
    for (int i = 0; i < FONT_COUNT; i++)
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++) {
            enum theme_font font = (enum theme_font)i;
            PangoLayout *layout = pango_layout_new(context);
            PangoFontDescription *face = pango_font_description_from_string("DejaVu Sans");
            PangoAttrList *attributes = pango_attr_list_new();
            pango_attr_list_insert(attributes, pango_attr_font_features_new("kern=0, liga=0"));
            pango_font_description_set_weight(face, (PangoWeight)theme_font_weight(font));
            pango_font_description_set_absolute_size(face, theme_font_size(font) * PANGO_SCALE);
            pango_layout_set_font_description(layout, face);
            pango_layout_set_attributes(layout, attributes);
            pango_layout_set_text(layout, texts[j], -1);
            int width = 0, height = 0;
            pango_layout_get_size(layout, &width, &height);
            assert_near((double)width / PANGO_SCALE, type_width(font, texts[j]), 0.5);
            pango_attr_list_unref(attributes);
            pango_font_description_free(face);
            g_object_unref(layout);
        }
    cairo_font_options_destroy(options);
    g_object_unref(context);
    g_object_unref(fonts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_results_give_the_same_bytes),
        cmocka_unit_test(each_format_is_what_its_name_says),
        cmocka_unit_test(a_png_has_two_pixels_per_px),
        cmocka_unit_test(a_pdf_carries_no_clock),
        cmocka_unit_test(an_svg_is_well_formed_whatever_people_write),
        cmocka_unit_test(an_svg_has_real_text_a_description_and_both_themes),
        cmocka_unit_test(a_folder_that_is_not_there_is_an_error_with_its_path),
        cmocka_unit_test(what_cannot_be_replaced_stays_and_nothing_is_left_beside_it),
        cmocka_unit_test(a_device_that_takes_nothing_is_an_error_in_every_format),
        cmocka_unit_test(a_disk_that_fills_up_leaves_nothing_behind),
        cmocka_unit_test(unknown_formats_and_charts_are_refused_before_anything_is_written),
        cmocka_unit_test(an_old_file_is_replaced_whole_and_stays_when_drawing_fails),
        cmocka_unit_test(the_usual_scene_is_the_one_on_record),
        cmocka_unit_test(the_compiled_widths_are_those_that_pango_sees),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
