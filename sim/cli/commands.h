/* commands.h: what each command does; the table of them is in main.c. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"

/* Simulates one variant (default: the scenario as it stands) and prints every metric. */
enum cli_exit cmd_run(const struct cli_options *options);

/* Simulates all variants (or those named) under the same luck and prints them side by side. */
enum cli_exit cmd_compare(const struct cli_options *options);

/* Finds the interval in which a criterion changes side while one setting is varied. */
enum cli_exit cmd_limit(const struct cli_options *options);

/* Simulates a scenario at many points, into one file; and joins such files of parts of it. */
enum cli_exit cmd_sweep(const struct cli_options *options);
enum cli_exit cmd_merge(const struct cli_options *options);

/* Finds the settings that are best for a goal within constraints, and confirms them. */
enum cli_exit cmd_tune(const struct cli_options *options);

/* Follows one request of a run through all attempts that were made for it. */
enum cli_exit cmd_trace(const struct cli_options *options);

/* Prints when the tries of a policy, or of every call of a scenario, happen. */
enum cli_exit cmd_schedule(const struct cli_options *options);

/* Proposes a policy that rides out a recovery of a given time. */
enum cli_exit cmd_size(const struct cli_options *options);

/* Dead letters of a file: lists them, counts them, says why they are there, records decisions,
   sends them again in a run, and moves the old ones to an archive. */
enum cli_exit dlq_ls(const struct cli_options *options);
enum cli_exit dlq_stats(const struct cli_options *options);
enum cli_exit dlq_show(const struct cli_options *options);
enum cli_exit dlq_resolve(const struct cli_options *options);
enum cli_exit dlq_replay(const struct cli_options *options);
enum cli_exit dlq_expire(const struct cli_options *options);

/* Judges scenarios by their bounds and a baseline file, which it writes when asked to. */
enum cli_exit cmd_check(const struct cli_options *options);

/* Says how the runs of two result files differ. */
enum cli_exit cmd_diff(const struct cli_options *options);

/* Looks for what is probably wrong with scenarios, without simulating. */
enum cli_exit cmd_lint(const struct cli_options *options);

/* Draws a chart of a result file. */
enum cli_exit cmd_plot(const struct cli_options *options);

/* Lists the presets, or explains one. */
enum cli_exit cmd_presets(const struct cli_options *options);

/* Says what a setting, metric, verdict or policy is; without an operand, what a scenario has. */
enum cli_exit cmd_explain(const struct cli_options *options);

/* Prints the JSON Schema of a scenario, or of a result. */
enum cli_exit cmd_schema(const struct cli_options *options);

/* Writes a scenario to start from, and never over another file. */
enum cli_exit cmd_init(const struct cli_options *options);

#endif
