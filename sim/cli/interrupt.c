/* interrupt.c: Ctrl-C ends long work early and keeps what was finished. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/interrupt.h"

#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number) { interrupted = number; }

/* A write that is under way when the signal comes goes on: what was finished must get out whole. */
const volatile sig_atomic_t *interrupt_listen(void) {
    struct sigaction action = {.sa_handler = note_interrupt};
    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}

enum cli_exit interrupt_exit(void) {
    return interrupted == 0 ? CLI_INTERRUPTED : (enum cli_exit)(128 + interrupted);
}
