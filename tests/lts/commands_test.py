#!/usr/bin/env python3
"""`mazurka lts` from outside: verdicts, JSON, exit codes, formats, wrong input.

    commands_test.py MAZURKA ROOT
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

MAZURKA = sys.argv.pop(1)
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
EXAMPLES = ROOT / "examples" / "lts"
ELSEWHERE = ROOT / "tests" / "lts" / "elsewhere"
PROGRAMS = pathlib.Path(MAZURKA).resolve().parent.parent / "examples"


def lts(*arguments):
    return subprocess.run([MAZURKA, "lts", *map(str, arguments)], capture_output=True, text=True, timeout=120)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def verify(self, *arguments):
        run = lts("verify", *arguments, f"--json={self.folder / 'result.json'}")
        return run.returncode, json.loads((self.folder / "result.json").read_text())

    def philosophers(self, n, *options):
        script = EXAMPLES / "philosophers.py"
        subprocess.run([sys.executable, script, str(n), self.folder / str(n), *options], check=True)
        return self.folder / str(n) / "philosophers.net"


class Verify(Folder):
    def test_philosophers_have_the_known_states_and_one_deadlock(self):
        states = (17, 75, 321, 1363, 5777, 24475)
        transitions = (18, 123, 708, 3765, 19158, 94703)
        for n in range(2, 8):
            net = self.philosophers(n)
            info = lts("info", net).stdout
            # One is the end, which is no deadlock: there, all have put back their second fork.
            self.assertEqual(info, f"states {states[n - 2]}\ntransitions {transitions[n - 2]}\n"
                                   "deadlocks 2\nlivelocks 0\n")
            last = [f'"p{i} puts fork{(i + 1) % n}"' for i in range(n)]
            tester = f"tester deadlock\nvisible {' '.join(last)}\ninitial q0\n"
            tester += "".join(f"q{i} -{a}-> q{i + 1}\n" for i in range(n) for a in last)
            tester += "deadlock " + " ".join(f"q{i}" for i in range(n)) + "\n"
            code, result = self.verify(net, "--tester", self.write("t.tester", tester))
            self.assertEqual(code, 1)
            [violation] = result["violations"]
            self.assertEqual(violation["kind"], "illegal-stable-failure")
            self.assertEqual(len(violation["prefix"]), n)
            code, result = self.verify(net, "--tester", self.write("t.tester", "initial q\n"))
            self.assertEqual((code, result["states"], result["transitions"], result["passes"]),
                             (0, states[n - 2], transitions[n - 2], 1))

    def test_json_has_the_fixed_fields(self):
        code, result = self.verify(EXAMPLES / "elevator/wandering.net", "--tester",
                                   EXAMPLES / "elevator/served.tester", "--all")
        self.assertEqual(code, 1)
        self.assertEqual(result["verdict"], "error")
        self.assertLessEqual(result["passes"], 4)
        for field in ("states", "transitions", "bytes_per_state", "seconds"):
            self.assertGreaterEqual(result[field], 0)
        self.assertEqual([v["kind"] for v in result["violations"]],
                         ["illegal-divergence-trace", "illegal-infinite-trace"])
        for violation in result["violations"]:
            self.assertTrue(violation["loop"])

    def test_all_four_kinds_at_once(self):
        aut = self.write("s.aut", 'des (0,6,5)\n(0,a,1)\n(0,b,2)\n(2,i,2)\n(0,c,3)\n(3,c,3)\n(0,d,4)\n')
        tester = self.write("t.tester", "visible a b c d\ninitial s\ns -a-> r\ns -b-> l\ns -c-> f\nf -c-> f\n"
                                        "s -d-> e\nreject r\ndeadlock e\nlivelock l\ninfinite f\n")
        code, result = self.verify(aut, "--tester", tester, "--all", "--shortest")
        self.assertEqual(code, 1)
        self.assertEqual(result["violations"], [
            {"kind": "illegal-finite-trace", "prefix": ["a"]},
            {"kind": "illegal-stable-failure", "prefix": ["d"]},
            {"kind": "illegal-divergence-trace", "prefix": ["b"], "loop": ["tau"]},
            {"kind": "illegal-infinite-trace", "prefix": ["c"], "loop": ["c"]},
        ])

    def test_no_memory_left_is_incomplete(self):
        net = self.philosophers(10)
        code, result = self.verify(net, "--tester", self.write("t.tester", "initial q\n"), "--memory=1")
        self.assertEqual((code, result["verdict"], result["complete"]), (3, "incomplete", False))
        for command in ("info", "compose", "reduce"):
            run = lts(command, net, "--memory=1")
            self.assertEqual(run.returncode, 3, run)
            self.assertIn("no memory was left", run.stderr)

    def test_many_processes_do_not_fit_one_word(self):
        lines = []
        for i in range(40):
            self.write(f"c{i}.aut", f"des (0,2,3)\n(0,go,1)\n(1,step{i % 8},2)\n")
            lines.append(f'process c{i} = "c{i}.aut"\n')
        net = self.write("wide.net", "".join(lines))
        # All go together, and each group of five steps together.
        self.assertEqual(lts("info", net).stdout.split()[1], str(1 + 2**8))
        code, result = self.verify(net, "--tester", self.write("t.tester", "initial q\ndeadlock q\n"))
        self.assertEqual((code, len(result["violations"][0]["prefix"])), (1, 9))

    def test_a_million_states_in_one_file(self):
        n = 1_000_000
        with open(self.folder / "ring.aut", "w") as file:
            file.write(f"des (0,{n},{n})\n")
            file.writelines(f'({s},"step",{(s + 1) % n})\n' for s in range(n))
        tester = self.write("t.tester", "visible step\ninitial q\nq -step-> q\nlivelock q\ninfinite q\n")
        code, result = self.verify(self.folder / "ring.aut", "--tester", tester)
        self.assertEqual((code, len(result["violations"][0]["loop"])), (1, n))


class Tools(Folder):
    def test_written_files_are_equal_to_what_was_read(self):
        for net in EXAMPLES.glob("*/*.net"):
            out = self.folder / (net.stem + ".aut")
            self.assertEqual(lts("compose", net, "-o", out).returncode, 0)
            again = self.folder / (net.stem + "_again.aut")
            self.assertEqual(lts("convert", out, again).returncode, 0)
            self.assertEqual(sorted(out.read_text().split("\n")), sorted(again.read_text().split("\n")))
            for by in ("strong", "branching", "trace"):
                reduced = self.folder / f"{net.stem}_{by}.aut"
                self.assertEqual(lts("reduce", net, f"--by={by}", "-o", reduced).returncode, 0)
                for other in (out, reduced):
                    run = lts("compare", net, other, f"--by={by}")
                    self.assertEqual(run.returncode, 0, (run, net, by))
                    self.assertTrue(run.stdout.startswith("equal: "))

    def test_dot_and_svg(self):
        aut = EXAMPLES / "mutex/lock.aut"
        self.assertEqual(lts("convert", aut, self.folder / "lock.dot").returncode, 0)
        self.assertIn("digraph", (self.folder / "lock.dot").read_text())
        run = lts("draw", aut, "-o", self.folder / "lock.svg")
        self.assertEqual(run.returncode, 0, run)
        self.assertIn("p0 locks", (self.folder / "lock.svg").read_text().replace("&#160;", " "))

    def test_a_large_system_is_not_drawn(self):
        run = lts("draw", self.philosophers(6), "-o", self.folder / "x.svg")
        self.assertEqual(run.returncode, 2)
        self.assertIn("5777 states", run.stderr)


class Elsewhere(Folder):
    def equal(self, a, b, by="strong"):
        run = lts("compare", a, b, f"--by={by}")
        self.assertEqual(run.returncode, 0, (run, a, b, by))

    def test_files_of_other_tools_are_read_and_written_back(self):
        files = sorted(ELSEWHERE.glob("*.aut"))
        self.assertGreaterEqual(len(files), 2)
        for aut in files:
            again = self.folder / f"again_{aut.name}"
            self.assertEqual(lts("convert", aut, again).returncode, 0)
            self.equal(aut, again)
            for by in ("strong", "branching", "trace"):
                reduced = self.folder / f"{by}_{aut.name}"
                self.assertEqual(lts("reduce", aut, f"--by={by}", "-o", reduced).returncode, 0)
                self.equal(aut, reduced, by)

    def test_they_are_composed(self):
        files = sorted(ELSEWHERE.glob("*.aut"))
        lines = [f'process p{i} = "{file}"\n' for i, file in enumerate(files)]
        net = self.write("all.net", "".join(lines))
        composed = self.folder / "all.aut"
        self.assertEqual(lts("compose", net, "-o", composed).returncode, 0)
        self.equal(net, composed)
        for line, file in zip(lines, files):
            self.equal(self.write("one.net", line), file)


class Stubborn(Folder):
    def test_the_same_verdict_from_fewer_states(self):
        net = self.philosophers(6)
        for tester, code in (("initial q\ndeadlock q\n", 1), ("initial q\nq2 -tau_T-> q\nreject q2\n", 0),
                             ('visible "p0 puts fork1"\ninitial q\nq -"p0 puts fork1"-> r\nreject r\n', 1)):
            path = self.write("t.tester", tester)
            full = self.verify(net, "--tester", path, "--all")
            reduced = self.verify(net, "--tester", path, "--all", "--stubborn")
            self.assertEqual((full[0], reduced[0]), (code, code))
            self.assertEqual([v["kind"] for v in full[1]["violations"]],
                             [v["kind"] for v in reduced[1]["violations"]])
            self.assertLess(reduced[1]["states"], full[1]["states"])
            self.assertEqual(reduced[1]["algorithm"], "stubborn")


class Programs(Folder):
    def test_events_are_extracted(self):
        for search in ("optimal", "none"):
            run = lts("extract", f"--search={search}", "--", PROGRAMS / "tester_answer")
            self.assertEqual((run.returncode, run.stdout), (0, 'des (0,3,4)\n(0,"request",1)\n(1,"tau",3)\n(1,"answer",2)\n'))

    def test_the_tree_and_the_program_have_the_same_verdict(self):
        for program in ("answer", "answer_fixed", "shutdown", "shutdown_fixed"):
            tree = self.folder / f"{program}.aut"
            self.assertEqual(lts("extract", "-o", tree, PROGRAMS / f"tester_{program}").returncode, 0)
            for tester in sorted((ROOT / "examples" / f"tester_{program}").glob("*.tester")):
                run = subprocess.run([MAZURKA, "check", f"--schedules={self.folder}", "--tester", tester,
                                      PROGRAMS / f"tester_{program}"], capture_output=True, text=True, timeout=120)
                self.assertEqual(run.returncode, lts("verify", tree, "--tester", tester).returncode, (run, tester))

    def test_a_tree_that_is_not_complete_says_so(self):
        run = lts("extract", "--bound=1", PROGRAMS / "tester_answer")
        self.assertEqual(run.returncode, 3)
        self.assertIn("the events are not all there", run.stderr)


class Wrong(Folder):
    def refuses(self, sentence, *arguments):
        run = lts(*arguments)
        self.assertEqual(run.returncode, 2, run)
        self.assertEqual(run.stdout, "")
        self.assertTrue(run.stderr.startswith("mazurka: "), run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertIn(sentence, run.stderr)

    def test_usage(self):
        self.refuses("there is no command")
        self.refuses("there is no command 'lts verfy'", "verfy")
        self.refuses("SYSTEM is required", "verify", "--tester", "x")
        self.refuses("--tester is required", "verify", "x.aut")
        self.refuses("--memory", "info", "x.aut", "--memory=lots")
        self.refuses("'odd' is neither strong, branching nor trace", "reduce", "x.aut", "--by=odd")
        self.refuses("neither a .net nor an .aut file", "info", "x.txt")
        self.refuses("No such file", "info", "nowhere.aut")
        self.refuses("neither an .aut nor a .dot file", "convert", EXAMPLES / "mutex/lock.aut", "x.pdf")
        self.refuses("cannot write", "verify", EXAMPLES / "mutex/lock.aut", "--tester",
                     self.write("t.tester", "initial q\n"), "--json=/no/such/file")

    def test_stubborn(self):
        endless = self.write("t.tester", "initial q\nlivelock q\n")
        self.refuses("--stubborn is for testers with reject and deadlock states only", "verify", "--stubborn",
                     EXAMPLES / "mutex/lock.aut", "--tester", endless)
        self.refuses("--stubborn and --shortest", "verify", "--stubborn", "--shortest", EXAMPLES / "mutex/lock.aut",
                     "--tester", self.write("t.tester", "initial q\n"))

    def test_extract(self):
        self.refuses("there is no program: mazurka lts extract", "extract")
        self.refuses("there is no option --nope", "extract", "--nope", "x")
        self.refuses("cannot write", "extract", "-o", "/no/such/file", "--", PROGRAMS / "tester_answer")

    def test_files(self):
        bad = self.write("bad.aut", "des (0,1,1)\n(0,a,5)\n")
        self.refuses(f"{bad}:2: there is no state 5", "info", bad)
        net = self.write("bad.net", 'process p = "bad.aut"\n')
        self.refuses(f"{bad}:2: there is no state 5", "compose", net)
        tester = self.write("bad.tester", "visible nobody_does_this\ninitial q\n")
        self.refuses(f"{tester}:1: no process of the system has the action", "verify",
                     EXAMPLES / "mutex/mutex.net", "--tester", tester)

    def test_help(self):
        self.assertIn("mazurka lts verify", lts("--help").stdout)
        for command in ("verify", "info", "compose", "convert", "compare", "reduce", "draw", "extract"):
            run = lts(command, "--help")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn(f"Usage: mazurka lts {command}", run.stdout)


if __name__ == "__main__":
    unittest.main()
