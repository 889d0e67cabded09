/* program.h: the built program in a scratch folder of its own. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MOST = 1 << 20, COMMAND_MOST = 4096 };

static const char program_cases[] = STORM_SOURCE_DIR "/tests/cli/transcripts";

/* Makes a scratch folder with small.yaml in it, the working directory from then on; the program
   is on the path. */
static inline void program_enter(char folder[64]) {
    char path[COMMAND_MOST], command[COMMAND_MOST];
    const char *old = getenv("PATH");
    strcpy(folder, "/tmp/retrystorm-test-XXXXXX");
    assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s:%s", STORM_PROGRAM_DIR, old != NULL ? old : "");
    assert(setenv("PATH", path, 1) == 0 && setenv("LC_ALL", "C", 1) == 0);
    unsetenv("NO_COLOR");
    unsetenv("CI");
    snprintf(command, sizeof command, "cp %s/small.yaml %s", program_cases, folder);
    assert(system(command) == 0 && chdir(folder) == 0);
}

static inline void program_leave(const char *folder) {
    char command[COMMAND_MOST];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert(chdir("/") == 0 && system(command) == 0);
}

/* Runs a line of shell; what it says (both streams) goes to `output`, if that is not NULL.
   Returns its exit code. */
static inline int program_run(const char *line, char *output) {
    char command[2 * COMMAND_MOST];
    assert(strlen(line) < COMMAND_MOST);
    snprintf(command, sizeof command, "{ %s\n} 2>&1", line);
    FILE *pipe = popen(command, "r");
    assert(pipe != NULL);
    char *text = output != NULL ? output : malloc(OUTPUT_MOST);
    assert(text != NULL);
    size_t length = fread(text, 1, OUTPUT_MOST - 1, pipe);
    text[length] = '\0';
    int status = pclose(pipe);
    if (output == NULL) {
        free(text);
    }
    assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* How many files of the working directory have `part` in their names. */
static inline int program_files(const char *folder, const char *part) {
    DIR *list = opendir(folder);
    int count = 0;
    assert(list != NULL);
    for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        count += entry->d_name[0] != '.' && strstr(entry->d_name, part) != NULL;
    }
    closedir(list);
    return count;
}

#endif
