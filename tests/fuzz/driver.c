/* driver.c: a plain fuzzing loop for compilers without libFuzzer: replays every file given (or in a
   folder given), then mutates them until the time is over. It takes libFuzzer's -max_total_time and
   -seed and passes over its other flags. Built with the sanitizers it finds crashes; libFuzzer,
   which sees coverage, finds more. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz/fuzz.h"

enum { INPUT_MAX = 17 << 20, MUTANT_MAX = 8192, CORPUS_MAX = 1024, EDITS_MAX = 8 };

struct input {
    uint8_t *data;
    size_t size;
};

struct fuzzing {
    struct input corpus[CORPUS_MAX];
    size_t count;
    uint64_t state; /* of the generator */
    unsigned long seconds;
};

static uint64_t draw(struct fuzzing *fuzzing) {
    fuzzing->state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = fuzzing->state;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* A copy of just that size, so that a sanitizer sees a read behind its end. */
static void try_input(const uint8_t *data, size_t size) {
    uint8_t *exact = malloc(size == 0 ? 1 : size);
    assert(exact != NULL);
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void add_file(struct fuzzing *fuzzing, const char *path) {
    FILE *in = fopen(path, "rb");
    if (in == NULL || fuzzing->count == CORPUS_MAX) {
        return;
    }
    uint8_t *data = malloc(INPUT_MAX);
    assert(data != NULL);
    size_t size = fread(data, 1, INPUT_MAX, in);
    fclose(in);
    try_input(data, size);
    fuzzing->corpus[fuzzing->count++] = (struct input){realloc(data, size + 1), size};
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_path(struct fuzzing *fuzzing, const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, compare_names);
    if (count < 0) {
        add_file(fuzzing, path);
        return;
    }
    for (int i = 0; i < count; i++) {
        char file[4096];
        if (entries[i]->d_name[0] != '.') {
            snprintf(file, sizeof file, "%.3000s/%.1000s", path, entries[i]->d_name);
            add_file(fuzzing, file);
        }
        free(entries[i]);
    }
    free(entries);
}

/* One edit: change, delete, repeat, or splice in a piece of another input. */
static size_t edit(struct fuzzing *fuzzing, uint8_t *data, size_t size) {
    const struct input *other = &fuzzing->corpus[draw(fuzzing) % fuzzing->count];
    size_t at = size > 0 ? draw(fuzzing) % size : 0;
    size_t length = 1 + draw(fuzzing) % 16;
    switch (draw(fuzzing) % 4) {
    case 0:
        if (size > 0) {
            data[at] = (uint8_t)draw(fuzzing);
        }
        return size;
    case 1:
        length = length < size - at ? length : size - at;
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    default:
        if (size + length > MUTANT_MAX || other->size < length) {
            return size;
        }
        memmove(data + at + length, data + at, size - at);
        memcpy(data + at, other->data + draw(fuzzing) % (other->size - length + 1), length);
        return size + length;
    }
}

static unsigned long mutate(struct fuzzing *fuzzing) {
    static uint8_t mutant[MUTANT_MAX];
    unsigned long tries = 0;
    time_t begin = time(NULL);
    while (fuzzing->count > 0 && (unsigned long)(time(NULL) - begin) < fuzzing->seconds) {
        const struct input *input = &fuzzing->corpus[draw(fuzzing) % fuzzing->count];
        size_t size = input->size < MUTANT_MAX ? input->size : MUTANT_MAX;
        memcpy(mutant, input->data, size);
        for (uint64_t edits = 1 + draw(fuzzing) % EDITS_MAX; edits > 0; edits--) {
            size = edit(fuzzing, mutant, size);
        }
        try_input(mutant, size);
        tries++;
    }
    return tries;
}

int main(int count, char **arguments) {
    static struct fuzzing fuzzing;
    for (int i = 1; i < count; i++) {
        if (strncmp(arguments[i], "-max_total_time=", 16) == 0) {
            fuzzing.seconds = strtoul(arguments[i] + 16, NULL, 10);
        } else if (strncmp(arguments[i], "-seed=", 6) == 0) {
            fuzzing.state = strtoul(arguments[i] + 6, NULL, 10);
        } else if (arguments[i][0] != '-') {
            add_path(&fuzzing, arguments[i]);
        }
    }
    unsigned long tries = mutate(&fuzzing);
    printf("%zu files, %lu mutants\n", fuzzing.count, tries);
    for (size_t i = 0; i < fuzzing.count; i++) {
        free(fuzzing.corpus[i].data);
    }
    return 0;
}
