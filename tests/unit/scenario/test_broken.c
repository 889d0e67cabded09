/* test_broken.c: every broken file of tests/cli/broken gets exactly its message. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file NN-name.yaml may begin with lines "# set: path=value" and "# variant: name"; without the
   latter its base and all its variants are decoded. NN-name.expected holds what is printed.
   UPDATE=1 writes it anew: read the diff. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>

#include "support/test.h"

enum { SETS_MAX = 16, FILES_MIN = 120 };

static const char folder[] = STORM_SOURCE_DIR "/tests/cli/broken/";

/* The whole of a file; NULL when there is none. The caller frees. */
static char *file_read(const char *path, size_t *length) {
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return NULL;
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 20) - 1, in);
    fclose(in);
    return text;
}

/* What the comments at a file's head ask for; the strings live in `head`. */
struct request {
    char head[4096];
    struct storm_override sets[SETS_MAX];
    size_t set_count;
    const char *variant;
};

static void request_read(struct request *request, const char *text) {
    memset(request, 0, sizeof *request);
    strncpy(request->head, text, sizeof request->head - 1);
    char *rest = NULL;
    for (char *line = strtok_r(request->head, "\n", &rest); line != NULL && line[0] == '#';
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "# variant: ", 11) == 0)
            request->variant = line + 11;
        if (strncmp(line, "# set: ", 7) != 0)
            continue;
        char *equals = strchr(line, '=');
        assert_non_null(equals);
        *equals = '\0';
        assert_true(request->set_count < SETS_MAX);
        request->sets[request->set_count++] = (struct storm_override){line + 7, equals + 1};
    }
}

/* What a user would read. The caller frees. */
static char *messages_of(const char *name, const char *text, size_t length) {
    struct storm_errors errors = {.count = 0};
    struct request request;
    request_read(&request, text);
    struct storm_document *document = storm_document_parse(text, length, &errors);
    if (document != NULL) /* series stand beside the scenarios */
        assert_true(storm_document_locate(document, folder));
    size_t variants = document == NULL ? 0 : storm_document_variant_count(document);
    if (document != NULL)
        storm_document_decode(document, request.variant, request.sets, request.set_count, &errors);
    for (size_t i = 0; i < variants && request.variant == NULL; i++)
        storm_document_decode(document, storm_document_variant_name(document, i), request.sets,
                              request.set_count, &errors);
    char *printed = storm_errors_print(&errors, name, text, length);
    storm_document_free(document);
    assert_non_null(printed);
    return printed;
}

static bool is_scenario(const char *name) {
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".yaml") == 0;
}

/* True when the file's messages are those expected; says so when not. */
static bool file_check(const char *name) {
    char path[512], expected_path[512];
    size_t length, expected_length = 0;
    snprintf(path, sizeof path, "%s%s", folder, name);
    snprintf(expected_path, sizeof expected_path, "%s%.*s.expected", folder, (int)strlen(name) - 5,
             name);
    char *text = file_read(path, &length);
    assert_non_null(text);
    char *printed = messages_of(name, text, length);
    char *expected = file_read(expected_path, &expected_length);
    bool is_same = expected != NULL && strcmp(printed, expected) == 0;
    if (!is_same && getenv("UPDATE") != NULL) {
        FILE *out = fopen(expected_path, "wb");
        assert_non_null(out);
        fputs(printed, out);
        is_same = fclose(out) == 0;
    }
    if (!is_same)
        print_error("--- %s expected\n%s--- printed\n%s", name,
                    expected == NULL ? "nothing yet\n" : expected, printed);
    free(expected);
    free(printed);
    free(text);
    return is_same;
}

static void every_broken_file_gets_its_message(void **state) {
    (void)state;
    int count = 0;
    int wrong = 0;
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
        if (!is_scenario(entry->d_name))
            continue;
        count++;
        wrong += file_check(entry->d_name) ? 0 : 1;
    }
    closedir(files);
    assert_true(count >= FILES_MIN);
    assert_int_equal(wrong, 0);
}

static void no_broken_file_is_without_an_error(void **state) {
    (void)state;
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
        char path[512];
        size_t length;
        if (!is_scenario(entry->d_name))
            continue;
        snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        char *text = file_read(path, &length);
        char *printed = messages_of(entry->d_name, text, length);
        if (strstr(printed, "error: ") == NULL)
            fail_msg("%s has no error", entry->d_name);
        free(printed);
        free(text);
    }
    closedir(files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broken_file_gets_its_message),
        cmocka_unit_test(no_broken_file_is_without_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
