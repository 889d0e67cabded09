#!/bin/sh
# tidy.sh: the tree checks itself: first lines, licence lines, line lengths, function lengths, words that must not stay.
set -eu
cd "$(dirname "$0")/.."
files=$(find sim plots include tests -name '*.c' -o -name '*.h' -o -name '*.def' | sort)
bad=$(
    # shellcheck disable=SC2086
    awk '
        function say(what) { printf "%s:%d: %s\n", FILENAME, FNR, what }
        function licence() { if (file != "" && !licensed) print file ":2: no SPDX line"; licensed = 0 }
        FNR == 1 {
            name = FILENAME
            sub(/.*\//, "", name)
            licence()
            file = FILENAME
            if (index($0, "/* " name ": ") != 1) say("the first line must say what the file is for: /* " name ": ...")
            open = 0
        }
        length($0) > 100 && FILENAME !~ /(_tables|_widths)\.h$|\.def$/ && $0 !~ /[\200-\377]/ { say("line of " length($0) " characters") }
        /\t/ { say("a tab") }
        /[ ]$/ { say("blank at the end of the line") }
        /TODO|FIXME/ && !/# TODO/ { say("unfinished business") } # but for the word of TAP
        /^[a-zA-Z].*\) \{$/ || (/^ .*\) \{$/ && pending) { if (!open) { open = 1; begin = FNR } }
        { pending = /^[a-zA-Z][^;=]*\([^;{]*,$/ || (pending && !/[;{]$/) }
        /^}/ && open { if (FNR - begin + 1 > 70) say("a function of " FNR - begin + 1 " lines"); open = 0 }
        FNR <= 40 && /SPDX-License-Identifier: GPL-3.0-or-later/ { licensed = 1 }
        END { licence() }
    ' $files
)
if [ -n "$bad" ]; then
    echo "$bad"
    exit 1
fi
echo "tidy: $(echo "$files" | wc -l) files"
