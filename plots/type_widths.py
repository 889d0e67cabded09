# type_widths.py: writes type_widths.h from DejaVu Sans 2.37 (Debian: fonts-dejavu-core).
# SPDX-License-Identifier: GPL-3.0-or-later
# Usage: python3 plots/type_widths.py /usr/share/fonts/truetype/dejavu > plots/type_widths.h
import struct
import sys

SPANS = [(0x20, 0x7E), (0xA0, 0x17F)]
SINGLES = [0x2009, 0x200A, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D,
           0x2022, 0x2026, 0x202F, 0x2032, 0x20AC, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212, 0x221E,
           0x2248, 0x2260, 0x2264, 0x2265]


def widths(path):
    data = open(path, "rb").read()
    count, = struct.unpack_from(">H", data, 4)
    tables = {}
    for i in range(count):
        tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * i)
        tables[tag] = offset
    assert struct.unpack_from(">H", data, tables[b"head"] + 18) == (2048,)
    long_count, = struct.unpack_from(">H", data, tables[b"hhea"] + 34)
    cmap = tables[b"cmap"]
    subtables, = struct.unpack_from(">H", data, cmap + 2)
    places = [struct.unpack_from(">HHI", data, cmap + 4 + 8 * i) for i in range(subtables)]
    base = next(cmap + offset for p, e, offset in places if (p, e) == (3, 1))
    segments = struct.unpack_from(">H", data, base + 6)[0] // 2

    def glyph(code):
        for i in range(segments):
            end, = struct.unpack_from(">H", data, base + 14 + 2 * i)
            if code > end:
                continue
            start, = struct.unpack_from(">H", data, base + 16 + 2 * (segments + i))
            delta, = struct.unpack_from(">H", data, base + 16 + 2 * (2 * segments + i))
            at = base + 16 + 2 * (3 * segments + i)
            far, = struct.unpack_from(">H", data, at)
            if code < start:
                return 0
            if far == 0:
                return (code + delta) & 0xFFFF
            found, = struct.unpack_from(">H", data, at + far + 2 * (code - start))
            return (found + delta) & 0xFFFF if found else 0
        return 0

    def advance(code):
        number = glyph(code)
        assert number != 0, hex(code)
        return struct.unpack_from(">H", data, tables[b"hmtx"] + 4 * min(number, long_count - 1))[0]

    return {code: advance(code) for first, last in SPANS for code in range(first, last + 1)} | {
        code: advance(code) for code in SINGLES}


def rows(values):
    text, line = [], "   "
    for value in values:
        if len(line) + len(value) + 2 > 96:
            text.append(line)
            line = "   "
        line += " " + value + ","
    return "\n".join(text + [line])


regular = widths(sys.argv[1] + "/DejaVuSans.ttf")
bold = widths(sys.argv[1] + "/DejaVuSans-Bold.ttf")
print("/* type_widths.h: how wide DejaVu Sans 2.37 is, in 1/2048 em,"
      " by type_widths.py. */")
print("/* SPDX-License-Identifier: GPL-3.0-or-later */")
print("#ifndef PLOTS_TYPE_WIDTHS_H\n#define PLOTS_TYPE_WIDTHS_H\n")
print("#include <stdint.h>\n\n/* clang-format off */")
for name, table in (("regular", regular), ("bold", bold)):
    for label, (first, last) in zip(("ascii", "latin"), SPANS):
        print(f"\n/* U+{first:04X}..U+{last:04X} */")
        print(f"static const uint16_t type_{label}_{name}[] = {{")
        print(rows([str(table[code]) for code in range(first, last + 1)]) + "\n};")
print("\n/* Others: code point, regular, bold; in rising order. */")
print("static const uint16_t type_others[][3] = {")
print(rows([f"{{0x{code:04X}, {regular[code]}, {bold[code]}}}" for code in SINGLES]) + "\n};")
print("/* clang-format on */\n\n#endif")
