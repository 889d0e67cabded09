/* write_csv.c: the series of run 0 as comma-separated values, one row a value. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <assert.h>
#include <math.h>

#include "report/report.h"
#include "report/text.h"

static void number_write(FILE *out, double value) {
    char digits[32];
    if (isfinite(value))
        fputs(storm_double_print(value, digits, sizeof digits), out);
}

static void series_write(const struct storm_results *results, const struct storm_variant *variant,
                         const struct storm_series *series, FILE *out) {
    assert(series->values != NULL || results->bin_count == 0);
    assert(results->bin_count == 0 || results->bin_width <= STORM_NEVER / results->bin_count);
    for (uint32_t bin = 0; bin < results->bin_count; bin++) {
        text_csv_field(out, variant->name);
        fputs(",0,", out);
        text_csv_field(out, series->subject);
        fputc(',', out);
        text_csv_field(out, series->name);
        fputc(',', out);
        number_write(out, storm_time_to_seconds(bin * results->bin_width));
        fputc(',', out);
        number_write(out, series->values[bin]);
        fputc('\n', out);
    }
}

bool report_write_csv(const struct storm_results *results, FILE *out) {
    assert(results != NULL && out != NULL);
    fputs("variant,run,subject,series,t_s,value\n", out);
    for (uint32_t v = 0; v < results->variant_count; v++) {
        const struct storm_variant *variant = &results->variants[v];
        for (uint32_t s = 0; s < variant->series_count; s++)
            series_write(results, variant, &variant->series[s], out);
    }
    return ferror(out) == 0;
}
