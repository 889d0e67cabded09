/* ziggurat.h: exponential and normal numbers at the price of one hash, nearly always. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_ZIGGURAT_H
#define BASE_ZIGGURAT_H

#include <stdint.h>

/* An exponential number of mean 1. Takes draws number *k, *k + 1, ... of `purpose` by `key`, mostly
   one, and leaves the first unused one in *k. Never negative; 0 is possible. */
double ziggurat_exponential(uint64_t key, uint32_t purpose, uint32_t *k);

/* A normal number of mean 0 and variance 1; draws as above. */
double ziggurat_normal(uint64_t key, uint32_t purpose, uint32_t *k);

#endif
