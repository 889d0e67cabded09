/* options.c: the command line is walked through: parsing, help and suggestions for all commands. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include <assert.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/option_table.h"

/* Whether a word of a command's list, "name" or "name/meaning", is this option. */
static bool is_word_of(const struct option *option, const char *word, size_t length) {
    char own[64];
    int size = snprintf(own, sizeof own, "%s%s%s", option->name, option->meaning != NULL ? "/" : "",
                        option->meaning != NULL ? option->meaning : "");
    assert(size > 0 && (size_t)size < sizeof own);
    return (size_t)size == length && memcmp(own, word, length) == 0;
}

static bool is_taken(const struct cli_command *command, const struct option *option) {
    static const char always[] = "help version";
    const char *lists[] = {command->options, always};
    for (int i = 0; i < 2; i++) {
        for (const char *word = lists[i]; *word != '\0'; word += strspn(word, " ")) {
            size_t length = strcspn(word, " ");
            if (is_word_of(option, word, length)) {
                return true;
            }
            word += length;
        }
    }
    return false;
}

static const struct option *find_long(const struct cli_command *command, const char *name,
                                      size_t length) {
    for (int i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        if (is_taken(command, option) && strlen(option->name) == length &&
            strncmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

static const struct option *find_short(const struct cli_command *command, char letter) {
    for (int i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        if (is_taken(command, option) && option->letter == letter) {
            return option;
        }
    }
    return NULL;
}

static bool refuse_long(const struct cli_command *command, const char *name, size_t length,
                        struct storm_error *error) {
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)(length < 63 ? length : 63), name);
    struct suggest suggest = suggest_begin(text);
    for (int i = 0; i < option_count; i++) {
        if (is_taken(command, &option_table[i])) {
            suggest_offer(&suggest, option_table[i].name);
        }
    }
    storm_fail(error, STORM_USAGE, "'%s' has no option '--%s'", command->name, text);
    if (suggest.best != NULL) {
        snprintf(error->suggestion, sizeof error->suggestion, "did you mean '--%s'?", suggest.best);
    }
    return false;
}

/* The state of one walk through argv. */
struct walk {
    const struct cli_command *command;
    int argc, next;
    char **argv;
    struct cli_options *options;
    struct storm_error *error;
};

/* Applies an option; its argument is `attached`, or else the next word. */
static bool apply(struct walk *walk, const struct option *option, const char *attached) {
    const char *text = attached;
    if (option->argument == NULL && attached != NULL) {
        return storm_fail(walk->error, STORM_USAGE, "'--%s' takes no value", option->name);
    }
    if (option->argument != NULL && attached == NULL) {
        if (walk->next == walk->argc) {
            return storm_fail(walk->error, STORM_USAGE, "'--%s' needs a value: --%s %s",
                              option->name, option->name, option->argument);
        }
        text = walk->argv[walk->next++];
    }
    return option->take(walk->options, text, walk->error);
}

static bool parse_long(struct walk *walk, const char *word) {
    const char *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const struct option *option = find_long(walk->command, word, length);
    if (option == NULL) {
        return refuse_long(walk->command, word, length, walk->error);
    }
    return apply(walk, option, equals != NULL ? equals + 1 : NULL);
}

/* Short options may be bundled; the first that takes an argument takes the rest of the word. */
static bool parse_short(struct walk *walk, const char *word) {
    for (const char *c = word; *c != '\0'; c++) {
        const struct option *option = find_short(walk->command, *c);
        if (option == NULL) {
            return storm_fail(walk->error, STORM_USAGE, "'%s' has no option '-%c'",
                              walk->command->name, *c);
        }
        if (option->argument != NULL) {
            return apply(walk, option, c[1] != '\0' ? c + 1 : NULL);
        }
        if (!apply(walk, option, NULL)) {
            return false;
        }
    }
    return true;
}

/* Whether a command's operand may be left out, or be there several times. */
static bool is_optional(const struct cli_command *command) { return command->operand[0] == '['; }
static bool is_repeated(const struct cli_command *command) {
    return strstr(command->operand, "...") != NULL;
}

static bool take_operand(struct walk *walk, const char *word) {
    struct cli_options *options = walk->options;
    if (is_repeated(walk->command)) {
        options->operand = options->operand_count == 0 ? word : options->operand;
        if (options->operand_count == CLI_OPERANDS_MAX) {
            return storm_fail(walk->error, STORM_USAGE, "'%s' takes at most %d files",
                              walk->command->name, CLI_OPERANDS_MAX);
        }
        options->operands[options->operand_count++] = word;
        return true;
    }
    if (walk->options->operand != NULL) {
        return storm_fail(walk->error, STORM_USAGE, "'%s' takes one %s, not also '%s'",
                          walk->command->name, walk->command->operand, word);
    }
    walk->options->operand = word;
    return true;
}

bool options_parse(const struct cli_command *command, int argc, char **argv,
                   struct cli_options *options, struct storm_error *error) {
    struct walk walk = {command, argc, 0, argv, options, error};
    bool only_operands = false, good = true;
    *options = (struct cli_options){0};
    assert(command->operand != NULL);
    while (good && walk.next < argc) {
        const char *word = argv[walk.next++];
        if (!only_operands && strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (!only_operands && strncmp(word, "--", 2) == 0) {
            good = parse_long(&walk, word + 2);
        } else if (!only_operands && word[0] == '-' && word[1] != '\0') {
            good = parse_short(&walk, word + 1);
        } else {
            good = take_operand(&walk, word);
        }
    }
    if (good && !is_optional(command) && options->operand == NULL && !options->help &&
        !options->version) {
        return storm_fail(error, STORM_USAGE, "'%s' needs a %.*s", command->name,
                          (int)strcspn(command->operand, ".["), command->operand);
    }
    return good;
}

uint64_t options_seed(const struct cli_options *options, uint64_t own) {
    return options->has_seed ? options->seed : own;
}

void options_overrides(const struct cli_options *options, char *buffer, size_t size) {
    size_t used = 0;
    assert(size > 0);
    buffer[0] = '\0';
    for (size_t i = 0; i < options->set_count && used < size; i++) {
        int length = snprintf(buffer + used, size - used, "%s%s=%s", i > 0 ? ", " : "",
                              options->sets[i].path, options->sets[i].value);
        used += length > 0 ? (size_t)length : 0;
    }
}

void options_print_help(const struct cli_command *command, FILE *out) {
    fprintf(out, "Usage: retrystorm %s %s [option]...\n\n%s.\n\n", command->name, command->operand,
            command->summary);
    if (command->note != NULL) {
        fprintf(out, "%s\n\n", command->note);
    }
    fputs("Options:\n", out);
    for (int i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        char form[64];
        if (!is_taken(command, option)) {
            continue;
        }
        snprintf(form, sizeof form, "--%s%s%s", option->name, option->argument != NULL ? " " : "",
                 option->argument != NULL ? option->argument : "");
        char letter[5] = "    ";
        if (option->letter != 0) {
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        }
        fprintf(out, "  %s%-20s %s\n", letter, form, option->help);
    }
    fputs("\nExit codes: 0 done or yes, 1 no, 2 usage, 3 invalid or incomparable input, 4 I/O or "
          "memory,\n5 cannot be told, 70 a bug, 130 interrupted.\n",
          out);
}
