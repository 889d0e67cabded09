/* test.h: cmocka after the headers it needs, so that each test includes one line. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
