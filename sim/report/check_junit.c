/* check_junit.c: a check as JUnit XML. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The schema that is common has neither files nor lines of test cases, and wants a time and a host
   of a test suite: the place is told in the message, and what would differ from day to day is
   written as nothing. */
#include <inttypes.h>
#include <string.h>

#include <utf8proc.h>

#include "report/check_report.h"
#include "report/check_words.h"

/* Text and attributes. What XML cannot hold becomes U+FFFD. */
static void write_escaped(const char *text, FILE *out) {
    size_t left = strlen(text);
    while (left > 0) {
        utf8proc_int32_t point;
        utf8proc_ssize_t length =
            utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)left, &point);
        size_t taken = length > 0 ? (size_t)length : 1;
        const char *found = length == 1 ? strchr("<>&\"", *text) : NULL;
        if (length <= 0 || point < ' ' || point == 0xFFFE || point == 0xFFFF) {
            fputs("\xEF\xBF\xBD", out);
        } else if (found != NULL) {
            fprintf(out, "&#%d;", *found);
        } else {
            fwrite(text, 1, taken, out);
        }
        text += taken;
        left -= taken;
    }
}

static void write_attribute(const char *name, const char *text, FILE *out) {
    fprintf(out, " %s=\"", name);
    write_escaped(text, out);
    fputc('"', out);
}

/* What a row comes to: the element inside its test case. */
static void write_outcome(const struct storm_check *check,
                          const struct storm_check_scenario *scenario,
                          const struct storm_check_row *row, FILE *out) {
    char sentence[CHECK_SENTENCE_MAX];
    enum storm_level level = storm_check_level(check, row->finding);
    check_sentence(scenario, row, sentence);
    if (level == STORM_LEVEL_WARNING) {
        fputs("<skipped", out);
        write_attribute("message", sentence, out);
        fputs("/>", out);
    } else if (level == STORM_LEVEL_FAILURE) {
        fputs("<failure", out);
        write_attribute("type", storm_finding_word(row->finding), out);
        write_attribute("message", sentence, out);
        fputc('>', out);
        write_escaped(scenario->file, out);
        if (row->is_bound) {
            fprintf(out, ":%d", row->line);
        }
        fputs("</failure>", out);
    }
}

static void write_case(const struct storm_check *check, const struct storm_check_scenario *scenario,
                       const struct storm_check_row *row, FILE *out) {
    char title[CHECK_SENTENCE_MAX], name[CHECK_SENTENCE_MAX + 32], class[CHECK_SENTENCE_MAX];
    check_title(row, title);
    if (row->is_bound) {
        snprintf(name, sizeof name, "%s (line %d)", title, row->line);
    } else {
        snprintf(name, sizeof name, "%s", title);
    }
    snprintf(class, sizeof class, "%.400s.%s", scenario->name,
             row->is_bound ? "threshold" : "baseline");
    fputs("  <testcase", out);
    write_attribute("name", name, out);
    write_attribute("classname", class, out);
    fputs(" time=\"0\">", out);
    write_outcome(check, scenario, row, out);
    fputs("</testcase>\n", out);
}

static void write_lack(const struct storm_check_scenario *scenario, FILE *out) {
    fputs("  <testcase name=\"baseline\"", out);
    write_attribute("classname", scenario->name, out);
    fputs(" time=\"0\"><error type=\"no baseline\" message=\"the scenario is not in the "
          "baseline\"/></testcase>\n",
          out);
}

static void write_suite(const struct storm_check *check,
                        const struct storm_check_scenario *scenario, uint32_t id, FILE *out) {
    uint32_t levels[STORM_LEVEL_FAILURE + 1] = {0}, errors = check_lacks_baseline(check, scenario);
    for (uint32_t i = 0; i < scenario->row_count; i++) {
        levels[storm_check_level(check, scenario->rows[i].finding)]++;
    }
    fprintf(out, " <testsuite id=\"%" PRIu32 "\"", id);
    write_attribute("name", scenario->name, out);
    write_attribute("package", "retrystorm", out);
    fprintf(out,
            " timestamp=\"1970-01-01T00:00:00\" hostname=\"localhost\" tests=\"%" PRIu32
            "\" failures=\"%" PRIu32 "\" errors=\"%" PRIu32 "\" skipped=\"%" PRIu32
            "\" time=\"0\">\n  <properties>\n   <property name=\"seed\" value=\"%" PRIu64
            "\"/>\n   <property name=\"runs\" value=\"%" PRIu32 "\"/>\n  </properties>\n",
            scenario->row_count + errors, levels[STORM_LEVEL_FAILURE], errors,
            levels[STORM_LEVEL_WARNING], scenario->seed, scenario->runs);
    for (uint32_t i = 0; i < scenario->row_count; i++) {
        write_case(check, scenario, &scenario->rows[i], out);
    }
    if (errors > 0) {
        write_lack(scenario, out);
    }
    fputs("  <system-out>", out);
    if (scenario->divergence.variant != NULL) {
        char command[CHECK_COMMAND_MAX];
        write_escaped(check_trace(scenario, command), out);
    }
    fputs("</system-out>\n  <system-err></system-err>\n </testsuite>\n", out);
}

bool check_write_junit(const struct storm_check *check, FILE *out) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
    for (uint32_t i = 0; i < check->scenario_count; i++) {
        write_suite(check, &check->scenarios[i], i, out);
    }
    fputs("</testsuites>\n", out);
    return ferror(out) == 0;
}
