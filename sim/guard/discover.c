/* discover.c: which scenarios are checked when none is named. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard/discover.h"

#include <assert.h>
#include <glob.h>
#include <string.h>

#include <retrystorm/load.h>

#include "base/arena.h"

/* In the order in which they are looked for. */
static const char *const patterns[] = {"scenarios/*.yaml", "*.yaml"};

static const char *base_of(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash != NULL ? slash + 1 : file;
}

/* Whether a file is to be checked. One that is no YAML may be of another tool, unless it is where
   scenarios are. */
static bool is_wanted(const char *file, const struct baseline *baseline) {
    struct storm_errors errors = {0};
    if (baseline_find(baseline, base_of(file)) != NULL) {
        return true;
    }
    struct storm_document *document = storm_document_read(file, &errors);
    bool wanted =
        document != NULL ? storm_document_has(document, "expect") : strchr(file, '/') != NULL;
    storm_document_free(document);
    return wanted;
}

/* The glob's list comes sorted by the locale, which is C. */
static bool sort_out(const glob_t *found, const struct baseline *baseline, struct arena *arena,
                     struct discovery *discovery) {
    discovery->files = arena_take_array(arena, found->gl_pathc, sizeof *discovery->files);
    discovery->passed = arena_take_array(arena, found->gl_pathc, sizeof *discovery->passed);
    if (discovery->files == NULL || discovery->passed == NULL) {
        return false;
    }
    for (size_t i = 0; i < found->gl_pathc; i++) {
        const char *name = found->gl_pathv[i];
        const char *kept = arena_copy_string(arena, name, strlen(name));
        if (kept == NULL) {
            return false;
        }
        if (is_wanted(kept, baseline)) {
            discovery->files[discovery->count++] = kept;
        } else {
            discovery->passed[discovery->passed_count++] = kept;
        }
    }
    return true;
}

bool discover(const struct baseline *baseline, struct arena *arena, struct discovery *discovery,
              struct storm_error *error) {
    glob_t found;
    int code = GLOB_NOMATCH;
    *discovery = (struct discovery){.count = 0};
    for (size_t i = 0; code == GLOB_NOMATCH && i < sizeof patterns / sizeof patterns[0]; i++) {
        discovery->pattern = patterns[i];
        code = glob(patterns[i], 0, NULL, &found);
    }
    bool fits = code != GLOB_NOSPACE;
    if (code == 0) {
        fits = sort_out(&found, baseline, arena, discovery);
        globfree(&found);
    }
    if (!fits) {
        return storm_fail(error, STORM_LIMIT, "no memory for the names of scenarios");
    }
    return discovery->count > 0 ||
           storm_fail(error, STORM_INVALID,
                      "no scenario in scenarios/*.yaml or *.yaml expects anything or is in the "
                      "baseline; name those to check");
}
