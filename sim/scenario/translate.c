/* translate.c: our word for what other tools call a setting. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/translate.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *theirs, *ours;
} translations[] = {
    {"retries", "attempts"},
    {"max_retries", "attempts"},
    {"maxRetries", "attempts"},
    {"max_attempts", "attempts"},
    {"tries", "attempts"},
    {"backoff", "delay"},
    {"strategy", "delay"},
    {"jitter", "delay"},
    {"initial", "base"},
    {"initial_delay", "base"},
    {"initial_backoff", "base"},
    {"min_delay", "base"},
    {"interval", "base"},
    {"multiplier", "factor"},
    {"max_delay", "cap"},
    {"max_backoff", "cap"},
    {"max_interval", "cap"},
    {"max_elapsed_time", "total_time"},
    {"threads", "workers"},
    {"servers", "workers"},
    {"concurrency", "workers"},
    {"latency", "network"},
    {"policy", "retry"},
    {"target", "to"},
    {"size", "limit"},
    {"capacity", "limit"},
    {"start", "at"},
    {"duration", "for"},
    {"length", "for"},
    {"rate", "poisson"},
    {"packet_loss", "loss"},
    {"loss_rate", "loss"},
    {"drop_rate", "loss"},
    {"cancellation", "cancel"},
    {"processor_sharing", "sharing"},
    {"throttle", "rate_limit"},
    {"limiter", "rate_limit"},
    {"token_bucket", "rate_limit"},
    {"parallel", "fan_out"},
    {"think_time", "think"},
    {"trace", "series"},
    {"file", "series"},
    {"csv", "series"},
    {"retry_codes", "retry_on"},
    {"retryable", "retry_on"},
    {"retry_statuses", "retry_on"},
    {"period", "every"},
    {"fleet", "share"},
    {"mix", "share"},
    {"dlq", "dead_letter_queue"},
    {"name", "title"},
    {"description", "story"},
    {"populations", "clients"},
};

const char *translate_word(const char *typed) {
    assert(typed != NULL);
    for (size_t i = 0; i < sizeof translations / sizeof translations[0]; i++) {
        if (strcmp(typed, translations[i].theirs) == 0)
            return translations[i].ours;
    }
    return NULL;
}
