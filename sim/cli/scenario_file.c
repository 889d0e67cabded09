/* scenario_file.c: the scenario a command is about, read; what is wrong with it is said. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/scenario_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"

enum cli_exit scenario_file_complain(struct scenario_file *file,
                                     const struct storm_errors *errors) {
    file->errors = *errors;
    return complain_about(file->name, file->text, file->length, errors);
}

enum cli_exit scenario_file_read(struct scenario_file *file, const char *name) {
    struct storm_errors errors = {0};
    struct storm_error error = {0};
    assert(name != NULL);
    *file = (struct scenario_file){.name = name};
    file->text = storm_text_read(name, &file->length, &errors);
    if (file->text != NULL) {
        file->document = storm_document_parse(file->text, file->length, &errors);
    }
    if (file->document == NULL) {
        return scenario_file_complain(file, &errors);
    }
    if (!storm_document_locate(file->document, name)) {
        storm_fail(&error, STORM_LIMIT, "no memory for the name of the scenario's folder");
        return complain(&error);
    }
    return CLI_YES;
}

enum cli_exit scenario_file_decode(struct scenario_file *file, const char *name,
                                   const struct cli_options *options,
                                   const struct storm_scenario **scenario) {
    struct storm_errors errors = {0};
    enum cli_exit code = scenario_file_read(file, name);
    if (code != CLI_YES) {
        return code;
    }
    *scenario = storm_document_decode(file->document, options->variants[0], options->sets,
                                      options->set_count, &errors);
    return *scenario != NULL ? CLI_YES : scenario_file_complain(file, &errors);
}

const char *scenario_file_base(const char *name) {
    const char *slash = strrchr(name, '/');
    return strcmp(name, "-") == 0 ? "stdin" : slash != NULL ? slash + 1 : name;
}

void scenario_file_free(struct scenario_file *file) {
    storm_document_free(file->document);
    free(file->text);
}
