/* interrupt.h: Ctrl-C ends long work early and keeps what was finished. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <signal.h>

#include "cli/options.h"

/* From here on the first Ctrl-C or SIGTERM is noted; the second one ends the program at once.
   Returns where: the number of the signal, 0 as long as there was none. */
const volatile sig_atomic_t *interrupt_listen(void);

/* The exit code of what a signal has ended, as a shell has it: 130 of Ctrl-C, 143 of SIGTERM. */
enum cli_exit interrupt_exit(void);

#endif
