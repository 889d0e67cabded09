/* cmd_diff.c: how the runs of two result files differ. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/output.h"
#include "guard/diff.h"
#include "report/diff_text.h"
#include "report/report.h"

static bool print(const struct cli_options *options, const struct storm_diff *diff,
                  struct storm_error *error) {
    struct report_text text = {.color = output_wants_color(options)};
    output_begin();
    return output_end(options->format == CLI_JSON ? diff_write_json(diff, stdout)
                                                  : diff_write_text(diff, &text, stdout),
                      error);
}

/* What differs for sure makes them different; what cannot be told alone is told so. */
static enum cli_exit answer(const struct storm_diff *diff) {
    uint32_t same = diff->counts[STORM_FINDING_SAME];
    uint32_t doubtful = diff->counts[STORM_FINDING_INCONCLUSIVE];
    return same == diff->row_count              ? CLI_YES
           : same + doubtful == diff->row_count ? CLI_INCONCLUSIVE
                                                : CLI_NO;
}

static const struct storm_results *read_results(const char *file, struct arena *arena,
                                                struct storm_error *error) {
    const struct storm_results *results = report_read_json(file, arena, error);
    if (results == NULL) {
        complain_blame(file, error);
    }
    return results;
}

enum cli_exit cmd_diff(const struct cli_options *options) {
    struct storm_diff diff;
    struct storm_error error = {0};
    struct arena arena;
    if (options->operand_count != 2) {
        storm_fail(&error, STORM_USAGE, "'diff' needs two RESULTs, the older one first");
        return complain(&error);
    }
    arena_init(&arena, (size_t)-1);
    const struct storm_results *first = read_results(options->operands[0], &arena, &error);
    const struct storm_results *second =
        first != NULL ? read_results(options->operands[1], &arena, &error) : NULL;
    bool good = second != NULL && diff_of(first, second, &arena, &diff, &error);
    if (good) {
        diff.first = options->operands[0];
        diff.second = options->operands[1];
        good = print(options, &diff, &error);
    }
    enum cli_exit code = good ? answer(&diff) : complain(&error);
    arena_free(&arena);
    return code;
}
