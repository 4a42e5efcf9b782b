#!/usr/bin/env python3
"""Writes the files of the simulator's page as a C++ source: embed_page.py OUTPUT FILE..."""

import pathlib
import sys

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml"}


def array(number, data):
    rows = [",".join(str(byte) for byte in data[i:i + 64]) for i in range(0, len(data), 64)]
    return f"constexpr unsigned char kFile{number}[] = {{\n" + ",\n".join(rows) + "};\n"


def main():
    output, files = pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
    text = '// Made by cmake/embed_page.py.\n#include "sim/server/page_files.h"\n\nnamespace mazurka {\nnamespace {\n\n'
    text += "\n".join(array(i, file.read_bytes()) for i, file in enumerate(files))
    text += "\ntemplate <size_t size>\nstd::string_view view(const unsigned char (&bytes)[size]) {\n"
    text += "  return {reinterpret_cast<const char*>(bytes), size};\n}\n\n}  // namespace\n\n"
    text += "const PageFile* page_file(std::string_view name) {\n  static const PageFile kFiles[] = {\n"
    for i, file in enumerate(files):
        text += f'      {{"{file.name}", "{TYPES[file.suffix]}", view(kFile{i})}},\n'
    text += "  };\n  for (const PageFile& file : kFiles) {\n    if (file.name == name) return &file;\n  }\n  return nullptr;\n}\n\n"
    text += "}  // namespace mazurka\n"
    output.write_text(text)


if __name__ == "__main__":
    main()
