/* digest.c: hashes of each variant of each scenario given (and of a second run of the first): of
   its first facts, and, unless that is all that is wanted, of more of them; of every metric's bits
   as well when the run ends in time. The program links the core and the reader alone, so that it
   can be built for any compiler, flag and processor; the digests must be the same everywhere.

   Usage: digest THREADS few|many SCENARIO... */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retrystorm/load.h>
#include <retrystorm/run.h>

#include "base/arena.h"
#include "base/stream.h"
#include "trials/pool.h"

enum { JOBS_MAX = 1024, RUNS = 2 };
/* At most about two facts come of an event. The many are about 5 x 10^5 events, enough to reach the
   trouble of every scenario; the few, where each costs a processor that is acted by another, reach
   that of eight in ten, and there a first run must do. */
static const uint64_t facts_few = 200000, facts_many = 1000000;

/* One run of one variant. */
struct job {
    char name[128];
    const struct storm_scenario *scenario;
    uint32_t run;
    uint64_t facts, facts_most, hash;
    uint64_t early; /* the hash of the first few facts */
    volatile sig_atomic_t stop;
};

struct work {
    struct job jobs[JOBS_MAX];
    uint32_t count;
    uint64_t facts_most;
};

static void mix(struct job *job, uint64_t value) {
    job->hash = stream_mix64(job->hash + value) ^ value;
}

/* NaN has many encodings and says one thing. */
static uint64_t bits_of(double value) {
    uint64_t bits;
    double plain = value == value ? value : -1;
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

static void hear(void *context, const struct storm_fact *fact) {
    struct job *job = context;
    if (job->stop != 0) {
        return;
    }
    mix(job, (uint64_t)fact->time);
    mix(job, (uint64_t)fact->since);
    mix(job, (uint64_t)fact->first_failed);
    mix(job, (uint64_t)fact->due);
    mix(job, fact->key);
    mix(job, fact->parent);
    mix(job, bits_of(fact->pace));
    mix(job, (uint64_t)fact->member << 32 | fact->ordinal);
    mix(job, (uint64_t)fact->attempts << 32 | fact->level);
    mix(job, (uint64_t)fact->kind << 48 | (uint64_t)fact->status << 32 |
                 (uint64_t)fact->reason << 16 | (uint64_t)fact->retry << 3 |
                 (uint64_t)fact->ghost << 2 | (uint64_t)fact->queued << 1 | fact->busy);
    mix(job, fact->place);
    job->facts++;
    if (job->facts == facts_few) {
        job->early = job->hash;
    }
    job->stop = job->facts >= job->facts_most;
}

static bool do_job(void *context, uint32_t index) {
    struct job *job = &((struct work *)context)->jobs[index];
    struct storm_run_options options = {
        .seed = 1, .run = job->run, .also = {hear, job}, .stop = &job->stop};
    struct storm_run_result result;
    struct storm_error error = {0};
    struct arena arena;
    uint32_t metric_count;
    arena_init(&arena, (size_t)1 << 30);
    if (storm_run(job->scenario, &options, &arena, &result, &error)) {
        storm_run_metrics(job->scenario, &arena, &metric_count);
        for (uint32_t i = 0; i < metric_count; i++) {
            mix(job, bits_of(result.metrics[i]));
        }
        mix(job, result.digest);
    } else {
        assert(error.status == STORM_INTERRUPTED);
    }
    arena_free(&arena);
    return true;
}

static void add_job(struct work *work, const char *file, const char *variant,
                    const struct storm_scenario *scenario, uint32_t run) {
    assert(work->count < JOBS_MAX);
    struct job *job = &work->jobs[work->count++];
    const char *slash = strrchr(file, '/');
    job->scenario = scenario;
    job->run = run;
    job->facts_most = work->facts_most;
    snprintf(job->name, sizeof job->name, "%.60s %.50s %u", slash != NULL ? slash + 1 : file,
             variant != NULL ? variant : "-", run);
}

static struct storm_document *add_scenario(struct work *work, const char *file) {
    struct storm_errors errors = {0};
    struct storm_document *document = storm_document_read(file, &errors);
    assert(document != NULL);
    size_t count = storm_document_variant_count(document);
    for (size_t i = 0; i < count || i == 0; i++) {
        const char *variant = i < count ? storm_document_variant_name(document, i) : NULL;
        const struct storm_scenario *scenario =
            storm_document_decode(document, variant, NULL, 0, &errors);
        assert(scenario != NULL);
        for (uint32_t run = 0; run < (i == 0 && work->facts_most > facts_few ? RUNS : 1); run++) {
            add_job(work, file, variant, scenario, run);
        }
    }
    return document;
}

/* The first line of a job is the same whether few or many facts were wanted. */
static void print_job(const struct job *job) {
    if (job->facts >= facts_few) {
        printf("%016llx %s begins\n", (unsigned long long)job->early, job->name);
    }
    if (job->facts < facts_few || job->facts_most > facts_few) {
        printf("%016llx %s\n", (unsigned long long)job->hash, job->name);
    }
}

int main(int argc, char **argv) {
    static struct work work;
    struct storm_document *documents[JOBS_MAX];
    assert(argc >= 4 && argc < JOBS_MAX);
    work.facts_most = strcmp(argv[2], "few") == 0 ? facts_few : facts_many;
    for (int i = 3; i < argc; i++) {
        documents[i] = add_scenario(&work, argv[i]);
    }
    pool_run(&(struct pool_work){do_job, NULL, &work}, work.count, (uint32_t)atoi(argv[1]));
    for (uint32_t i = 0; i < work.count; i++) {
        print_job(&work.jobs[i]);
    }
    for (int i = 3; i < argc; i++) {
        storm_document_free(documents[i]);
    }
    return 0;
}
