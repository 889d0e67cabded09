/* page.h: the commands of a page of docs/ are played, and what they say compared with the page. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <stdbool.h>

#include "program.h"
#include "support/test.h"

/* A block of ```console holds lines "$ command", what it says, and "[exit N]" unless it is 0. A
   block of ```sql is a query, and the ```text that follows is its answer: `query` writes it.
   UPDATE=1 writes the answers anew: read the diff. */
typedef void page_query(const char *sql, char *answer);

enum page_block { PAGE_NONE, PAGE_OTHER, PAGE_CONSOLE, PAGE_SQL, PAGE_ANSWER };

/* A page under way: `told` becomes the page as it should be. */
struct page_play {
    page_query *query;
    enum page_block block;
    bool is_answered; /* `answer` is of the query before */
    size_t used;
    char wanted[OUTPUT_MOST], told[OUTPUT_MOST], said[OUTPUT_MOST], answer[OUTPUT_MOST];
    char sql[COMMAND_MOST];
};

static inline void page_say(struct page_play *play, const char *text, int length) {
    assert_true(play->used + (size_t)length + 1 < OUTPUT_MOST);
    memcpy(play->told + play->used, text, (size_t)length);
    play->used += (size_t)length;
    play->told[play->used] = '\0';
}

static inline void page_command(struct page_play *play, const char *line, int length) {
    char command[COMMAND_MOST], ended[32];
    snprintf(command, sizeof command, "%.*s", length - 2, line + 2);
    int code = program_run(command, play->said);
    page_say(play, line, length);
    page_say(play, "\n", 1);
    page_say(play, play->said, (int)strlen(play->said));
    if (code != 0) {
        page_say(play, ended, snprintf(ended, sizeof ended, "[exit %d]\n", code));
    }
}

/* A line of three backticks opens a block or closes it. */
static inline void page_fence(struct page_play *play, const char *line) {
    if (play->block != PAGE_NONE) {
        play->is_answered = play->block == PAGE_SQL && play->query != NULL;
        if (play->is_answered) {
            play->query(play->sql, play->answer);
        }
        play->block = PAGE_NONE;
        return;
    }
    play->sql[0] = '\0';
    play->block = PAGE_OTHER;
    if (strncmp(line, "```console", 10) == 0) {
        play->block = PAGE_CONSOLE;
    } else if (strncmp(line, "```sql", 6) == 0) {
        play->block = PAGE_SQL;
    } else if (strncmp(line, "```text", 7) == 0 && play->is_answered) {
        play->block = PAGE_ANSWER;
    }
}

static inline void page_line(struct page_play *play, const char *line, int length) {
    bool is_fence = strncmp(line, "```", 3) == 0;
    if (is_fence) {
        page_fence(play, line);
    } else if (play->block == PAGE_SQL) {
        size_t used = strlen(play->sql);
        snprintf(play->sql + used, sizeof play->sql - used, "%.*s\n", length, line);
    }
    if (!is_fence && play->block == PAGE_CONSOLE) {
        if (strncmp(line, "$ ", 2) == 0) {
            page_command(play, line, length);
        }
        return;
    }
    if (!is_fence && play->block == PAGE_ANSWER) {
        return;
    }
    page_say(play, line, length);
    page_say(play, "\n", 1);
    if (play->block == PAGE_ANSWER) {
        page_say(play, play->answer, (int)strlen(play->answer));
    }
}

/* Plays a page in a scratch folder, in which scenarios/ is. */
static inline void page_test(const char *page, page_query *query) {
    static struct page_play play;
    char folder[64];
    FILE *in = fopen(page, "rb");
    assert_non_null(in);
    memset(&play, 0, sizeof play);
    play.query = query;
    play.wanted[fread(play.wanted, 1, OUTPUT_MOST - 1, in)] = '\0';
    fclose(in);
    program_enter(folder);
    assert_int_equal(symlink(STORM_SOURCE_DIR "/scenarios", "scenarios"), 0);
    for (const char *line = play.wanted; *line != '\0';) {
        int length = (int)strcspn(line, "\n");
        page_line(&play, line, length);
        line += length + (line[length] == '\n');
    }
    program_leave(folder);
    if (getenv("UPDATE") != NULL) {
        FILE *out = fopen(page, "wb");
        assert_non_null(out);
        assert_true(fputs(play.told, out) >= 0);
        fclose(out);
    } else if (strcmp(play.told, play.wanted) != 0) {
        fail_msg("%s\n--- told\n%s---", page, play.told);
    }
}

#endif
