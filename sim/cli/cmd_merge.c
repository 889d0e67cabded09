/* cmd_merge.c: join the shards of a sweep into the file that one machine would have made. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/sweep_output.h"
#include "store/sweep_merge.h"

enum cli_exit cmd_merge(const struct cli_options *options) {
    struct storm_error error = {0};
    struct arena arena;
    if (!sweep_output_check(options, "merge", &error)) {
        return complain(&error);
    }
    arena_init(&arena, (size_t)-1);
    bool merged = sweep_merge(options->outputs[0], options->operands,
                              (uint32_t)options->operand_count, &arena, &error);
    enum cli_exit code = merged ? sweep_output_print(options, &arena) : complain(&error);
    arena_free(&arena);
    return code;
}
