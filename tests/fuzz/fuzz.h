/* fuzz.h: the entry of every fuzzer: one input, as libFuzzer or the driver calls it. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
