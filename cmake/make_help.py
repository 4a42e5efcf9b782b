#!/usr/bin/env python3
"""Makes man pages and completions for bash and zsh of what the command itself says about its options.

    make_help.py MAZURKA VERSION FOLDER

writes man1/mazurka*.1, completions/mazurka (bash) and completions/_mazurka (zsh) into FOLDER.
"""

import pathlib
import re
import subprocess
import sys

TOP = ["check", "replay", "estimate", "sim", "doctor", "lts"]
LTS = ["verify", "info", "compose", "convert", "compare", "reduce", "draw", "extract"]
SEE = {"check": "Each finding comes with a schedule that \\fBmazurka-replay\\fR(1) runs again.",
       "replay": "The file is what \\fBmazurka-check\\fR(1) wrote. With \\fB--gdb\\fR, arguments after -- go to gdb.",
       "doctor": "The exit code is 0 whenever \\fBmazurka-check\\fR(1) can run."}
EXIT_CODES = [("0", "nothing found, and the search is complete"), ("1", "something found"),
              ("2", "wrong usage or input"), ("3", "nothing found, but the search is not complete"),
              ("4", "the world or Mazurka failed")]


class Option:
    def __init__(self, line):
        self.group, names, self.value, self.text = line.split("\t")
        self.names = [name for name in names.split(",") if name]
        self.flags = [name for name in self.names if name.startswith("-")]
        self.choices = self.value.split("|") if "|" in self.value else []


class Command:
    def __init__(self, mazurka, words):
        run = subprocess.run([mazurka, *words, "--list-options"], capture_output=True, text=True, check=True)
        lines = re.sub(r"(?<=\w)\{\w+\}", "", run.stdout).splitlines()  # without what a flag means by itself
        self.words, self.what, self.usage = words, lines[0], lines[1]
        self.options = [Option(line) for line in lines[2:]]


def summaries(mazurka, *words):
    """Command -> its line of the help."""
    run = subprocess.run([mazurka, *words, "--help"], capture_output=True, text=True, check=True)
    prefix = " ".join(["mazurka", *words])
    return dict(re.findall(rf"^  {prefix} (\w+) +(\S.*)$", run.stdout, re.MULTILINE))


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def man_head(name, version, what):
    return (f'.TH "{name.upper()}" 1 "" "mazurka {version}" "Mazurka"\n.SH NAME\n{escaped(name)} \\- '
            f'{escaped(what[0].lower() + what[1:].rstrip("."))}\n')


def man_options(options):
    text, group = "", None
    for option in options:
        if not option.flags:
            continue
        if option.group != group and option.group != "Options":
            text += f'.SS "{escaped(option.group)}"\n'
        group = option.group
        names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in option.flags)
        value = f" \\fI{escaped(option.value)}\\fR" if option.value else ""
        text += f".TP\n{names}{value}\n{escaped(option.text)}\n"
    return text


def man_exit_codes():
    return ".SH EXIT STATUS\n" + "".join(f".TP\n{code}\n{escaped(text)}\n" for code, text in EXIT_CODES)


def man_command(command, version):
    name = "-".join(["mazurka", *command.words])
    text = man_head(name, version, command.what)
    text += f".SH SYNOPSIS\n{escaped(command.usage)}\n.SH DESCRIPTION\n{escaped(command.what)}\n"
    text += SEE.get(command.words[-1], "").replace("-", "\\-") + "\n" if command.words[-1] in SEE else ""
    text += ".SH OPTIONS\n" + man_options(command.options) + man_exit_codes()
    return text + ".SH SEE ALSO\n\\fBmazurka\\fR(1)\n"


def man_top(commands, lts, version):
    text = man_head("mazurka", version, "explores every behaviour of concurrent C and C++ programs")
    text += ".SH SYNOPSIS\nmazurka COMMAND ...\n.SH DESCRIPTION\n"
    text += escaped("Mazurka runs a program again and again, once for each behaviour that differs in more than the order of "
                    "independent steps, and reports deadlocks, failed assertions, crashes and more with schedules that "
                    "replay them.") + "\n.SH COMMANDS\n"
    for prefix, table in (("mazurka", commands), ("mazurka lts", lts)):
        for name, what in table.items():
            text += f".TP\n\\fB{escaped(prefix + ' ' + name)}\\fR\n{escaped(what)}\n"
    pages = ["mazurka-" + name for name in commands if name != "lts"] + ["mazurka-lts-" + name for name in lts]
    return text + man_exit_codes() + ".SH SEE ALSO\n" + ", ".join(f"\\fB{escaped(p)}\\fR(1)" for p in pages) + "\n"


BASH = """# bash completion for mazurka; made of what the command says about its options.
_mazurka() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} i flags= choices=
  COMPREPLY=()
  # "--search=opt" comes in three words.
  if [[ $cur == "=" ]]; then cur=; elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "%(top)s --help --version" -- "$cur"))
    return
  fi
  [[ $command == lts ]] && ((COMP_CWORD == 2)) && { COMPREPLY=($(compgen -W "%(lts)s --help" -- "$cur")); return; }
  [[ $command == lts ]] && command="lts ${COMP_WORDS[2]}"
  # What follows the program is the program's own.
  if [[ $command == check || $command == "lts extract" ]]; then
    for ((i = ${command:+2}; i < COMP_CWORD; ++i)); do
      [[ ${COMP_WORDS[i]} == -- ]] && { COMPREPLY=($(compgen -f -- "$cur")); return; }
    done
  fi
  case "$command $prev" in
%(values)s
  esac
  [[ -n $choices ]] && { COMPREPLY=($(compgen -W "$choices" -- "$cur")); return; }
  case $command in
%(flags)s
  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _mazurka mazurka
"""


def bash(commands, top, lts):
    values, flags = "", ""
    for command in commands:
        name = " ".join(command.words)
        for option in command.options:
            for flag in option.flags:
                if option.choices:
                    values += f'    "{name} {flag}") choices="{" ".join(option.choices)}" ;;\n'
        words = " ".join(flag for option in command.options for flag in option.flags)
        flags += f'    "{name}") flags="{words}" ;;\n'
    return BASH % {"top": " ".join(top), "lts": " ".join(lts), "values": values.rstrip(), "flags": flags.rstrip()}


def zsh_text(text):
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_option(option):
    if not option.flags:
        return None
    value = ""
    if option.value:
        action = f"({' '.join(option.choices)})" if option.choices else "_files" if option.value in ("FILE", "DIR") else " "
        value = f":{zsh_text(option.value.lower() if not option.choices else 'value')}:{action}"
    equals = "=" if value else ""
    return f"'{option.flags[-1]}{equals}[{zsh_text(option.text)}]{value}'"


def zsh(commands, top, lts):
    text = "#compdef mazurka\n# zsh completion for mazurka; made of what the command says about its options.\n_mazurka() {\n"
    text += "  local -a commands lts_commands\n  commands=(" + " ".join(f"'{n}:{zsh_text(w)}'" for n, w in top.items()) + ")\n"
    text += "  lts_commands=(" + " ".join(f"'{n}:{zsh_text(w)}'" for n, w in lts.items()) + ")\n"
    text += "  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
    text += "  local command=$words[2]\n"
    text += "  if [[ $command == lts ]]; then\n    if ((CURRENT == 3)); then _describe command lts_commands; return; fi\n"
    text += '    command="lts $words[3]"\n    shift words; ((CURRENT--))\n  fi\n  shift words; ((CURRENT--))\n  case $command in\n'
    for command in commands:
        options = " \\\n        ".join(filter(None, map(zsh_option, command.options)))
        text += f"    '{' '.join(command.words)}')\n      _arguments -s \\\n        {options} \\\n        '*:file:_files' ;;\n"
    return text + '  esac\n}\n_mazurka "$@"\n'


def main():
    mazurka, version, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    top, lts = summaries(mazurka), summaries(mazurka, "lts")
    if sorted(top) != sorted(TOP) or sorted(lts) != sorted(LTS):
        sys.exit(f"make_help.py knows other commands than the help: {sorted(top)}, {sorted(lts)}")
    commands = [Command(mazurka, [name]) for name in top if name != "lts"]
    commands += [Command(mazurka, ["lts", name]) for name in lts]
    files = {"completions/mazurka": bash(commands, top, lts), "completions/_mazurka": zsh(commands, top, lts),
             "man1/mazurka.1": man_top(top, lts, version)}
    for command in commands:
        files[f"man1/{'-'.join(['mazurka', *command.words])}.1"] = man_command(command, version)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
