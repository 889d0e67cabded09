/* reader.c: what the reader of scenarios makes of many changes to one file. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* reader FILE: for each line "path=value" of standard input, says 1 when the file with that change
   is a good scenario, else 0; for an empty line, whether the file is as it stands, with each of its
   variants. A program of its own, since starting thousands of them takes minutes. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>

static bool is_good(struct storm_document *document, const char *variant,
                    const struct storm_override *set) {
    struct storm_errors errors = {.count = 0};
    return storm_document_decode(document, variant, set, set == NULL ? 0 : 1, &errors) != NULL;
}

static bool is_good_as_it_stands(struct storm_document *document) {
    bool good = is_good(document, NULL, NULL);
    for (size_t i = 0; i < storm_document_variant_count(document); i++)
        good = is_good(document, storm_document_variant_name(document, i), NULL) && good;
    return good;
}

/* Each change is decoded from a document of its own, which keeps no memory of the last. */
static bool line_judge(const char *file, char *line) {
    struct storm_errors errors = {.count = 0};
    struct storm_document *document = storm_document_read(file, &errors);
    if (document == NULL)
        return false;
    bool good;
    char *equals = strchr(line, '=');
    if (equals == NULL) {
        good = is_good_as_it_stands(document);
    } else {
        *equals = '\0';
        struct storm_override set = {line, equals + 1};
        good = is_good(document, NULL, &set);
    }
    storm_document_free(document);
    return good;
}

int main(int argc, char **argv) {
    char line[1024];
    if (argc != 2)
        return 2;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        putchar(line_judge(argv[1], line) ? '1' : '0');
        fflush(stdout);
    }
    return 0;
}
