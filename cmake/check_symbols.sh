#!/bin/sh
# check_symbols.sh: fails when a layer's archive leaves a symbol undefined that only a layer outside those it uses defines;
# and, for the core (what must run bit-identically anywhere), when it imports more of libm than sqrt, floor, ceil and fabs,
# or a locale, clock or generator.
# Usage: check_symbols.sh LAYER ARCHIVE BUILD_DIR USED_ARCHIVE...
set -eu
layer=$1 archive=$2 build=$3
shift 3

# A line each: what the symbols are or the archive they are of, and the name.
{
    nm -P -u "$archive" | awk 'NF > 1 { print "wanted", $1 }'
    nm -P --defined-only "$archive" "$@" | awk 'NF > 1 { print "allowed", $1 }'
    find "$build" -name 'libstorm_*.a' -exec nm -A -P --defined-only {} + | sed 's|^[^:]*/\([^:]*\):|\1|'
} | awk -v layer="$layer" '
    BEGIN {
        of_core = " base engine policy model record run trials " ~ " " layer " "
        not_core = "^(a?(sin|cos|tan)h?|atan2|log|log2|log10|log1p|exp|exp2|expm1|pow|cbrt|hypot|erfc?|[lt]gamma|fma|fmod|" \
            "remainder|ldexp|frexp|scalbn|round|rint|nearbyint|setlocale|localeconv|rand|srand|random|time|clock|gettimeofday)f?$"
    }
    function say(what) {
        if (!bad++) print "layer " layer " uses what it may not:"
        print "  " $2 " (" what ")"
    }
    $1 == "wanted" && of_core && $2 ~ not_core { say("the core must not depend on libm, locale, clock or a global generator") }
    $1 == "wanted" { wanted[$2]; next }
    $1 == "allowed" { allowed[$2]; next }
    $2 in wanted && !($2 in allowed) { say("of " $1) }
    END { exit bad > 0 }'
