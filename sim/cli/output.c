/* output.c: results into files, by the extension of their names. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <retrystorm/chart.h>

#include "base/outfile.h"
#include "report/report.h"

enum { PATH_BYTES = 4096 };

static bool write_text(const struct storm_results *results, FILE *out) {
    return report_write_text_full(results, &(struct report_text){0}, out);
}

/* How each kind of file is written; without a writer it is a picture. */
static const struct kind {
    const char *extension;
    bool (*write)(const struct storm_results *results, FILE *out);
} kinds[] = {
    {".json", report_write_json},
    {".csv", report_write_csv},
    {".txt", write_text},
    {".png", NULL},
    {".svg", NULL},
    {".pdf", NULL},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static const struct kind *kind_of(const char *file) {
    const char *dot = strrchr(file, '.');
    for (int i = 0; dot != NULL && i < KIND_COUNT; i++) {
        if (strcasecmp(dot, kinds[i].extension) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

bool output_check_place(const char *file, struct storm_error *error) {
    char directory[PATH_BYTES] = ".";
    const char *slash = strrchr(file, '/');
    if (slash != NULL) {
        snprintf(directory, sizeof directory, "%.*s", (int)(slash - file) + 1, file);
    }
    struct stat status;
    if (stat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
        return storm_fail(error, STORM_IO, "cannot write '%s': it is a directory", file);
    }
    return access(directory, W_OK | X_OK) == 0 ||
           storm_fail(error, STORM_IO, "cannot write '%s': %s", file, strerror(errno));
}

bool output_ends_in(const char *file, const char *one, const char *other) {
    const char *dot = strrchr(file, '.');
    return dot != NULL && (strcasecmp(dot, one) == 0 || strcasecmp(dot, other) == 0);
}

bool output_is_result(const char *file) {
    const struct kind *kind = kind_of(file);
    return kind != NULL && kind->write == report_write_json;
}

bool output_check(const char *file, struct storm_error *error) {
    if (kind_of(file) == NULL) {
        return storm_fail(error, STORM_USAGE,
                          "'%s' names no known format; end it in .json .csv .txt .png .svg or .pdf",
                          file);
    }
    return output_check_place(file, error);
}

static struct storm_chart_options chart_options(const struct cli_options *options) {
    return (struct storm_chart_options){
        .dark = options->dark, .service = options->service, .chart = options->chart};
}

bool output_write(const struct storm_results *results, const struct cli_options *options,
                  const char *file, struct storm_error *error) {
    const struct kind *kind = kind_of(file);
    if (kind == NULL) {
        return output_check(file, error);
    }
    if (kind->write == NULL) {
        struct storm_chart_options chart = chart_options(options);
        return storm_chart_write(results, &chart, file, error);
    }
    struct outfile out;
    if (!outfile_open(&out, file, error)) {
        return false;
    }
    kind->write(results, out.stream);
    return outfile_commit(&out, error);
}

bool output_write_sweep(const struct storm_sweep *sweep, const struct cli_options *options,
                        const char *file, struct storm_error *error) {
    const struct kind *kind = kind_of(file);
    if (kind == NULL || kind->write != NULL) {
        return storm_fail(error, STORM_USAGE,
                          "a sweep is drawn as a picture: '%s' must end in .png .svg or .pdf",
                          file);
    }
    struct storm_chart_options chart = chart_options(options);
    return storm_chart_write_sweep(sweep, &chart, file, error);
}

bool output_wants_color(const struct cli_options *options) {
    const char *terminal = getenv("TERM"), *refused = getenv("NO_COLOR");
    switch (options->color) {
    case CLI_COLOR_ALWAYS:
        return true;
    case CLI_COLOR_NEVER:
        return false;
    case CLI_COLOR_AUTO:
        break;
    }
    return isatty(STDOUT_FILENO) && (refused == NULL || refused[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

/* Columns of the terminal that standard output is; 0 when it is none. */
static int terminal_width(void) {
    struct winsize size;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void output_begin(void) { signal(SIGPIPE, SIG_DFL); }

bool output_end(bool written, struct storm_error *error) {
    return (written && fflush(stdout) == 0 && ferror(stdout) == 0) ||
           storm_fail(error, STORM_IO, "standard output: %s", strerror(errno));
}

bool output_print(const struct storm_results *results, const struct cli_options *options,
                  const char *result_file, bool full, struct storm_error *error) {
    struct report_text text = {.color = output_wants_color(options),
                               .result_file = result_file,
                               .no_next = options->quiet,
                               .differences = options->compare.differences,
                               .runs_max = options->compare.precision > 0 ? options->max_runs : 0,
                               .width = terminal_width()};
    bool written = false;
    output_begin(); /* the files are written */
    switch (options->format) {
    case CLI_TEXT:
        written = full ? report_write_text_full(results, &text, stdout)
                       : report_write_text(results, &text, stdout);
        break;
    case CLI_JSON:
        written = report_write_json(results, stdout);
        break;
    case CLI_CSV:
        written = report_write_csv(results, stdout);
        break;
    }
    return output_end(written, error);
}

bool output_make_directory(const char *path, struct storm_error *error) {
    char part[PATH_BYTES];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        return storm_fail(error, STORM_USAGE, "the directory's name is empty or too long");
    }
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (part[i] != '/' && part[i] != '\0') {
            continue;
        }
        char kept = part[i];
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return storm_fail(error, STORM_IO, "%s: cannot make the directory: %s", part,
                              strerror(errno));
        }
        part[i] = kept;
    }
    return true;
}
