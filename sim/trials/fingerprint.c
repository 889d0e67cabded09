/* fingerprint.c: effective settings told apart by a number. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials/fingerprint.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/stream.h"

uint64_t fingerprint_text(uint64_t before, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        before = stream_mix64(before + (unsigned char)*c + 1);
    }
    return stream_mix64(before ^ UINT64_C(0x9E3779B97F4A7C15));
}

uint64_t fingerprint_settings(uint64_t before, const struct storm_setting *settings,
                              uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        before = fingerprint_text(fingerprint_text(before, settings[i].path), settings[i].value);
    }
    return before;
}

void fingerprint_print(uint64_t number, char hash[17]) {
    snprintf(hash, 17, "%016" PRIx64, number);
}
