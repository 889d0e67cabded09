/* test_audit.c: what was done about letters is remembered, whatever happened to who wrote it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "letters/audit.h"
#include "letters/letter.h"
#include "support/test.h"

#include "sample.h"

enum { TEXT_SIZE = 1 << 16 };

static struct arena arena;
static char text[TEXT_SIZE], folder[64], path[128], content[TEXT_SIZE];
static struct letters letters;

static void read_letters(void) {
    struct storm_error error = {0};
    assert_true(letters_parse(&letters, "x.jsonl", text, strlen(text), &arena, &error));
}

/* A folder, and four letters. */
static int begin(void **state) {
    (void)state;
    arena_init(&arena, (size_t)-1);
    strcpy(folder, "/tmp/retrystorm-audit-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/audit.jsonl", folder);
    text[0] = '\0';
    for (uint32_t i = 0; i < 4; i++)
        sample_add(text, sizeof text, &(struct sample){.member = i});
    read_letters();
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(path);
    rmdir(folder);
    arena_free(&arena);
    return 0;
}

static void write_file(const char *what, size_t length) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(what, 1, length, out), length);
    fclose(out);
}

static size_t read_file(void) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t length = fread(content, 1, sizeof content - 1, in);
    content[length] = '\0';
    fclose(in);
    return length;
}

static void open_audit(struct audit *audit) {
    struct storm_error error = {0};
    if (!audit_open(audit, path, &letters, &arena, &error))
        fail_msg("%s", error.message);
}

/* Reads letters and audit file anew. */
static void look(struct audit *audit) {
    struct storm_error error = {0};
    read_letters();
    if (!audit_read(audit, path, &letters, &arena, &error))
        fail_msg("%s", error.message);
}

static const struct audit_begin first_replay = {
    .by = "anna", .at = "2026-09-06T12:00:30Z", .queue = "orders.dead", .letters = 3, .rate = 50};

/* Three letters are sent: one succeeds, one dies again, of one nothing is known. */
static void write_replay(struct audit *audit) {
    static const struct audit_outcome sent = {AUDIT_SENT, "2026-09-06T12:00:31Z", NULL, 0, 0};
    audit_replay_begins(audit, &first_replay);
    for (int i = 0; i < 3; i++)
        audit_letter(audit, &letters.list[i], &sent);
    audit_letter(audit, &letters.list[0],
                 &(struct audit_outcome){AUDIT_SUCCEEDED, "2026-09-06T12:00:32Z", NULL, 200, 1});
    audit_letter(
        audit, &letters.list[1],
        &(struct audit_outcome){AUDIT_DEAD, "2026-09-06T12:00:33Z", "attempts_exhausted", 503, 5});
    audit_replay_progresses(audit, &(struct audit_end){.sent = 3, .succeeded = 1, .dead = 1}, 3);
}

static void what_is_not_there_says_nothing(void **state) {
    (void)state;
    struct audit audit;
    look(&audit);
    assert_int_equal(audit.replay_count, 0);
    assert_int_equal(letters.list[0].state, LETTER_UNREVIEWED);
    assert_int_equal(access(path, F_OK), -1);
}

static void a_replay_leaves_its_letters_states(void **state) {
    (void)state;
    struct audit audit, again;
    struct storm_error error = {0};
    open_audit(&audit);
    write_replay(&audit);
    audit_replay_ends(&audit, &(struct audit_end){.sent = 3, .succeeded = 1, .dead = 1});
    assert_true(audit_sync(&audit, &error));
    audit_close(&audit);
    look(&again);
    assert_int_equal(letters.list[0].state, LETTER_REPLAYED);
    assert_string_equal(letters.list[0].by, "anna");
    assert_int_equal(letters.list[0].reviewed_at, SAMPLE_NOON + 32 * STORM_SECOND);
    assert_int_equal(letters.list[1].state, LETTER_DEAD_AGAIN);
    assert_string_equal(letters.list[1].again, "attempts_exhausted");
    assert_int_equal(letters.list[2].state, LETTER_IN_DOUBT);
    assert_int_equal(letters.list[3].state, LETTER_UNREVIEWED);
    assert_int_equal(again.replay_count, 1);
    assert_true(again.replays[0].ended);
    assert_int_equal(again.replays[0].letters, 3);
    assert_int_equal(again.replays[0].sent, 3);
    assert_int_equal(again.replays[0].succeeded, 1);
    assert_int_equal(again.replays[0].dead, 1);
    assert_false(again.torn);
}

static void many_replays_are_told_apart(void **state) {
    (void)state;
    struct audit audit;
    for (uint32_t i = 1; i <= 9; i++) {
        open_audit(&audit);
        assert_int_equal(audit.replay_count, i - 1);
        audit_replay_begins(&audit, &first_replay);
        if (i % 2 == 0)
            audit_replay_ends(&audit, &(struct audit_end){0});
        audit_close(&audit);
    }
    look(&audit);
    assert_int_equal(audit.replay_count, 9);
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(audit.replays[i].number, i + 1);
        assert_int_equal(audit.replays[i].ended, i % 2 == 1);
    }
}

static void a_decision_is_remembered_with_who_and_why(void **state) {
    (void)state;
    struct audit audit;
    open_audit(&audit);
    audit_decide(&audit, &letters.list[3],
                 &(struct audit_decision){LETTER_RESEND_REQUESTED, "bob", "a \"wrong\" address",
                                          "2026-09-06T12:05:00Z"});
    audit_decide(&audit, &letters.list[2],
                 &(struct audit_decision){LETTER_DISCARDED, "bob", NULL, NULL});
    audit_close(&audit);
    look(&audit);
    assert_int_equal(letters.list[3].state, LETTER_RESEND_REQUESTED);
    assert_string_equal(letters.list[3].by, "bob");
    assert_string_equal(letters.list[3].note, "a \"wrong\" address");
    assert_int_equal(letters.list[3].reviewed_at, SAMPLE_NOON + 300 * STORM_SECOND);
    assert_int_equal(letters.list[2].state, LETTER_DISCARDED);
    assert_null(letters.list[2].note);
    assert_int_equal(letters.list[2].reviewed_at, INT64_MIN);
}

/* A writer may be killed at any byte. */
static void wherever_it_is_cut_its_whole_lines_count(void **state) {
    (void)state;
    struct audit audit;
    static char whole[TEXT_SIZE];
    open_audit(&audit);
    write_replay(&audit);
    audit_close(&audit);
    size_t length = read_file(), before = 0;
    memcpy(whole, content, length);
    for (size_t cut = 0; cut <= length; cut++) {
        before = cut > 0 && whole[cut - 1] == '\n' ? cut : before;
        write_file(whole, cut);
        look(&audit);
        assert_int_equal(audit.torn, cut > before);
        assert_int_equal(audit.replay_count, before > 0);
        open_audit(&audit); /* and the next writer begins on a line of its own */
        audit_decide(&audit, &letters.list[3],
                     &(struct audit_decision){LETTER_FIXED, "bob", NULL, NULL});
        audit_close(&audit);
        assert_true(read_file() > before);
        assert_memory_equal(content, whole, before);
        assert_memory_equal(content + before, "{\"event\": \"resolved\"", 20);
        look(&audit);
        assert_false(audit.torn);
        assert_int_equal(letters.list[3].state, LETTER_FIXED);
    }
}

static void only_one_may_write(void **state) {
    (void)state;
    struct audit audit, other;
    open_audit(&audit);
    pid_t child = fork(); /* locks are of processes */
    if (child == 0) {
        struct storm_error error = {0};
        bool opened = audit_open(&other, path, &letters, &arena, &error);
        bool told = strstr(error.message, "another command is writing") != NULL;
        _exit(!opened && error.status == STORM_IO && told ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    audit_close(&audit);
    open_audit(&audit);
    audit_close(&audit);
}

static void letters_that_are_gone_are_passed_over(void **state) {
    (void)state;
    struct audit audit;
    open_audit(&audit);
    write_replay(&audit);
    audit_close(&audit);
    text[0] = '\0';
    sample_add(text, sizeof text, &(struct sample){.member = 1});
    look(&audit);
    assert_int_equal(letters.list[0].state, LETTER_DEAD_AGAIN);
    assert_int_equal(audit.replays[0].sent, 3);
}

static void check_broken(const char *lines, const char *wanted) {
    struct audit audit;
    struct storm_error error = {0};
    write_file(lines, strlen(lines));
    assert_false(audit_read(&audit, path, &letters, &arena, &error));
    assert_int_equal(error.status, STORM_INVALID);
    if (strstr(error.message, wanted) == NULL)
        fail_msg("'%s' lacks '%s'", error.message, wanted);
}

static void what_is_wrong_is_said_with_its_place(void **state) {
    (void)state;
#define BEGUN                                                                                      \
    "{\"event\": \"begun\", \"replay\": 1, \"by\": \"a\", \"at\": \"x\", \"letters\": 3}\n"
    check_broken("{}\n", ":1:1: event is missing");
    check_broken("{\"event\": \"lost\"}\n", "event is none that an audit file has");
    check_broken("{\"event\": \"ended\", \"replay\": 1}\n", ":1:20: replay names one that has not");
    check_broken(BEGUN BEGUN, ":2:20: replay must be 2, one more than the last");
    check_broken(BEGUN "{\"event\": \"sent\", \"replay\": 1}\n", ":2:1: msg_id is missing");
    check_broken("\n{\"event\": \"resolved\", \"msg_id\": \"a\", \"trace_id\": \"b\", \"as\": "
                 "\"lost\", \"by\": \"c\"}\n",
                 ":2:55: as must be fixed, resend_requested or discarded");
    check_broken("{\"event\"\n", ":1:");
#undef BEGUN
}

static void a_full_disk_is_told(void **state) {
    (void)state;
    struct audit audit = {.path = "/dev/full", .out = fopen("/dev/full", "a")};
    struct storm_error error = {0};
    assert_non_null(audit.out);
    audit_replay_begins(&audit, &first_replay);
    assert_int_not_equal(audit.failed, 0);
    write_replay(&audit); /* nothing more is tried */
    assert_false(audit_sync(&audit, &error));
    assert_string_equal(error.message,
                        "cannot use the audit file '/dev/full': No space left on device");
    audit_close(&audit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_not_there_says_nothing, begin, end),
        cmocka_unit_test_setup_teardown(a_replay_leaves_its_letters_states, begin, end),
        cmocka_unit_test_setup_teardown(many_replays_are_told_apart, begin, end),
        cmocka_unit_test_setup_teardown(a_decision_is_remembered_with_who_and_why, begin, end),
        cmocka_unit_test_setup_teardown(wherever_it_is_cut_its_whole_lines_count, begin, end),
        cmocka_unit_test_setup_teardown(only_one_may_write, begin, end),
        cmocka_unit_test_setup_teardown(letters_that_are_gone_are_passed_over, begin, end),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said_with_its_place, begin, end),
        cmocka_unit_test_setup_teardown(a_full_disk_is_told, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
