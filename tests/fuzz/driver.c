/* driver.c: runs a fuzzer's entry on files, for compilers without libFuzzer: replays a corpus or a
 * finding. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { INPUT_MAX = 17 << 20 };

int main(int count, char **arguments) {
    uint8_t *data = malloc(INPUT_MAX);
    assert(data != NULL);
    for (int i = 1; i < count; i++) {
        FILE *in = fopen(arguments[i], "rb");
        if (in == NULL) {
            perror(arguments[i]);
            free(data);
            return 2;
        }
        size_t size = fread(data, 1, INPUT_MAX, in);
        fclose(in);
        /* A copy of just that size, so that a sanitizer sees a read behind its end. */
        uint8_t *exact = malloc(size == 0 ? 1 : size);
        assert(exact != NULL);
        for (size_t j = 0; j < size; j++)
            exact[j] = data[j];
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    printf("%d inputs\n", count - 1);
    free(data);
    return 0;
}
