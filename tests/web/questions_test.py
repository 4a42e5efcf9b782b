#!/usr/bin/env python3
"""The questions of the simulator without a browser: values of variables, long runs, many threads, programs that misbehave, networks.

    questions_test.py MAZURKA PROGRAMS EXAMPLES

MAZURKA_SIM_TIMES=1 prints what a step costs at step 10,000 and on the philosophers.
"""

import os
import pathlib
import sys
import tempfile
import time
import unittest

from simulator import Simulator

MAZURKA, PROGRAMS, EXAMPLES = (pathlib.Path(name).resolve() for name in sys.argv[1:4])
SOURCES = pathlib.Path(__file__).resolve().parents[2]


def values(variables):
    return {variable["name"]: variable["value"] for variable in variables}


def step(sim, there, thread, outcome=0):
    return sim.ask("go", run=there["run"], at=there["at"], thread=thread, outcome=outcome)


class Values(unittest.TestCase):
    def test_variables(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_values") as sim:
            there = step(sim, sim.ask("hello"), 1)
            watches = ["list->next->value", "table[1]", "table[depth]", "*list", "bank::balance", "nothing", "list.value", "1+1",
                       "grid[1][2]", "grid[1]", "flags.shift", "own"]
            answer = sim.ask("variables", run=there["run"], at=1, thread=1, watches=watches)
            inner, work = answer["frames"][:2]
            self.assertEqual((inner["function"], work["function"]), ("inner", "work"))
            mine = values(inner["variables"])
            self.assertEqual((mine["depth"], mine["letter"]), ("2", "120 'x'"))
            self.assertRegex(mine["list"], r"^0x[0-9a-f]+ -> \{value = 1, next = 0x")
            theirs = values(work["variables"])
            expected = {"name": '"mazurka"', "numbers": "{1, 2, 3}", "pair": "{4, 5}", "flag": "true", "big": str(2**64 - 1),
                        "second": "{value = 2, next = null}"}
            self.assertEqual({name: theirs[name] for name in expected}, expected)
            self.assertRegex(theirs["text"], r'^0x[0-9a-f]+ "plain"$')
            self.assertRegex(theirs["derived"], "ratio = 0.5, colour = Green")
            everywhere = values(answer["globals"])
            self.assertEqual((everywhere["bank::balance"], everywhere["bank::visits"], everywhere["table"]), ("98", "7", "{10, 21, 30}"))
            changed = {one["name"] for one in answer["globals"] if one["changed"]}
            self.assertEqual(changed, {"bank::balance", "table", "own", "flags"})
            self.assertEqual((everywhere["grid"], everywhere["own"]), ("{{1, 2, 3}, {4, 5, 6}}", "7"))
            self.assertEqual(everywhere["flags"], "{ready = 1, level = 6, shift = -2, colour = Green}")
            watched = values(answer["watches"])
            self.assertEqual([watched[name] for name in watches[:2]], ["2", "21"])
            self.assertEqual((watched["table[depth]"], watched["bank::balance"]), ("30", "98"))
            self.assertIn("value = 1", watched["*list"])
            self.assertEqual([watched[name] for name in watches[-4:]], ["6", "{4, 5, 6}", "-2", "7"])
            others = values(sim.ask("variables", run=there["run"], at=1, thread=0, watches=[])["globals"])
            self.assertEqual(others["own"], "5")
            for wrong in ("nothing", "list.value", "1+1"):
                self.assertTrue(watched[wrong].startswith("<"), wrong)

    def test_a_function_that_calls_itself(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_values") as sim:
            there = step(sim, step(sim, sim.ask("hello"), 1), 1)
            frames = sim.ask("variables", run=there["run"], at=2, thread=1, watches=[])["frames"]
            self.assertEqual([frame["function"] for frame in frames], ["inner", "inner", "work"])
            self.assertEqual([values(frame["variables"])["depth"] for frame in frames[:2]], ["1", "2"])
            changed = [[one["name"] for one in frame["variables"] if one["changed"]] for frame in frames]
            self.assertEqual(changed, [[], ["calls"], []])

    def test_queues(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_queue") as sim:
            there = sim.ask("hello")
            seen = []
            for thread in (0, 0, 1, 1):
                there = step(sim, there, thread)
                seen += [one["value"] for one in there["state"]["objects"] if one["type"] == "pipe"]
            self.assertEqual(seen, ['6 bytes: "hello\\n"', '9 bytes: "hello\\n", 01 02 ff', '7 bytes: "llo\\n", 01 02 ff', "3 bytes: 01 02 ff"])
            self.assertIn('"hello\\n"', there["steps"]["steps"][0]["what"] if there["keep"] == 0 else
                          sim.ask("steps", run=there["run"], **{"from": 0, "to": 1})["steps"][0]["what"])

    def test_message_queues(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_queue", "queue") as sim:
            there = sim.ask("hello")
            seen = []
            for thread in (0, 0, 1):
                there = step(sim, there, thread)
                seen += [one["value"] for one in there["state"]["objects"] if one["type"] == "message queue"]
            self.assertEqual(seen, ['1 message, 6 bytes: "later\\0"', '2 messages, 10 bytes: "later\\0", "now\\0"', '1 message, 6 bytes: "later\\0"'])

    def test_locks_of_files(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_file_lock") as sim:
            there = sim.ask("hello")
            seen = []
            for thread in (0, 1, 0):
                there = step(sim, there, thread)
                seen += [(one["value"], one["waiters"]) for one in there["state"]["objects"] if one["type"] == "file"]
            self.assertEqual(seen, [
                ("locked by T0", []),
                ("locked by T0; bytes 3 to 4 shared by T0.1", [1]),
                ("bytes 3 to 4 shared by T0.1", []),
            ])

    def test_stack_and_source(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_values") as sim:
            there = step(sim, step(sim, sim.ask("hello"), 1), 1)
            thread = next(one for one in there["state"]["threads"] if one["id"] == 1)
            functions = [frame["function"] for frame in thread["stack"] if frame["user"]]
            self.assertEqual(functions, ["inner", "inner", "work"])
            lines = sim.ask("source", file=thread["stack"][0]["file"])["lines"]
            self.assertIn("pthread_mutex_lock", lines[thread["stack"][0]["line"] - 1])


class Runs(unittest.TestCase):
    def test_long_runs_are_sent_in_parts(self):
        with Simulator(MAZURKA, "--depth=200000", "--", PROGRAMS / "sim_long_run", "2", "2600") as sim:
            end = sim.ask("go", run=sim.ask("hello")["run"], at=0, then="first")
            self.assertEqual((end["end"], end["length"]), ("finished", 10402))
            self.assertLessEqual(len(end["steps"]["steps"]), 200)
            self.assertEqual(end["state"]["output"], "total 5200\n")
            middle = sim.ask("state", run=end["run"], at=10000)
            self.assertEqual(middle["output"], "")
            part = sim.ask("steps", run=end["run"], **{"from": 9990, "to": 10010})
            self.assertEqual(len(part["steps"]), 20)
            there = sim.ask("visit", run=end["run"], at=10000)
            choices = [(one["id"], one["choices"][0]["outcome"]) for one in middle["threads"] if one["choices"]]
            began = time.monotonic()
            after = step(sim, there, *choices[-1])
            forward = time.monotonic() - began
            began = time.monotonic()
            sim.ask("state", run=after["run"], at=9999)
            back = time.monotonic() - began
            self.assertEqual((after["length"], after["keep"]), (10001, 10000))
            if os.environ.get("MAZURKA_SIM_TIMES"):
                print(f"at step 10000: forward {forward * 1000:.0f} ms, back {back * 1000:.0f} ms")

    def test_a_hundred_thousand_steps(self):
        with Simulator(MAZURKA, "--depth=200000", "--", PROGRAMS / "sim_long_run", "2", "25000") as sim:
            end = sim.ask("go", run=sim.ask("hello")["run"], at=0, then="random", seed=5)
            self.assertEqual((end["end"], end["length"]), ("finished", 100002))
            self.assertEqual(end["state"]["output"], "total 50000\n")
            began = time.monotonic()
            there = sim.ask("visit", run=end["run"], at=50000)
            took = time.monotonic() - began
            self.assertEqual(there["at"], 50000)
            self.assertLessEqual(len(there["steps"]["steps"]), 200)
            if os.environ.get("MAZURKA_SIM_TIMES"):
                print(f"of 100002 steps: to the middle {took * 1000:.0f} ms")

    def test_random_runs_differ(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "3") as sim:
            run = sim.ask("hello")["run"]
            ends = [sim.ask("go", run=run, at=0, then="random", seed=seed) for seed in (1, 2, 3, 4, 5, 6, 7, 7)]
            orders = [[step["thread"] for step in end["steps"]["steps"]] for end in ends]
            self.assertEqual(orders[6], orders[7])
            self.assertGreater(len(set(map(tuple, orders))), 3)
            self.assertLessEqual({end["end"] for end in ends}, {"finished", "deadlock"})

    def test_a_hundred_threads(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_long_run", "100", "1") as sim:
            there = sim.ask("hello")
            self.assertEqual(len(there["state"]["threads"]), 101)
            end = sim.ask("go", run=there["run"], at=0, then="random", seed=7)
            self.assertEqual(end["end"], "finished")

    def test_run_to(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            there = sim.ask("hello")
            table = {one["name"]: one["id"] for one in there["state"]["objects"]}
            at = sim.ask("run-to", run=1, at=0, object=table["table[1]"])
            self.assertIn("table[1]", sim.ask("steps", run=at["run"], **{"from": at["at"], "to": at["at"] + 1})["steps"][0]["what"])
            at = sim.ask("run-to", run=1, at=0, thread=2)
            self.assertEqual(sim.ask("steps", run=at["run"], **{"from": at["at"], "to": at["at"] + 1})["steps"][0]["thread"], 2)
            at = sim.ask("run-to", run=1, at=0, location="philosophers_threads.c:18")
            self.assertTrue(at["at"] > 0)
            with self.assertRaisesRegex(RuntimeError, "does not come to that"):
                sim.ask("run-to", run=1, at=0, location="philosophers_threads.c:1")
            if os.environ.get("MAZURKA_SIM_TIMES"):
                began = time.monotonic()
                for _ in range(20):
                    sim.ask("go", run=1, at=0, thread=1)
                print(f"philosophers: a step {(time.monotonic() - began) * 50:.1f} ms")


class Misbehaving(unittest.TestCase):
    def simulate(self, what, *flags):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Simulator(MAZURKA, *flags, "--", PROGRAMS / "sim_misbehaving", what, cwd=folder.name)

    def goes_on(self, sim):
        other = sim.ask("go", run=1, at=0, thread=0)
        self.assertEqual((other["length"], other["end"]), (1, "open"))

    def test_crash(self):
        with self.simulate("crash") as sim:
            there = step(sim, sim.ask("hello"), 1)
            thread = next(one for one in there["state"]["threads"] if one["id"] == 1)
            self.assertEqual((thread["operation"], thread["status"]), ("crash", "enabled"))
            there = step(sim, there, 1)
            self.assertEqual([one["kind"] for one in there["state"]["findings"]][:1], ["crash"])
            self.goes_on(sim)

    def test_divergence(self):
        with self.simulate("diverge", "--divergence=0.3") as sim:
            there = step(sim, sim.ask("hello"), 1)
            self.assertEqual(there["end"], "divergence")
            self.goes_on(sim)

    def test_nondeterminism(self):
        with self.simulate("nondeterminism") as sim:
            there = sim.ask("hello")
            for _ in range(5):  # lock, unlock, a look for the file, its description, lock
                self.assertEqual(there["end"], "open")
                there = step(sim, there, 1)
            self.assertEqual(there["end"], "nondeterminism")
            self.assertEqual([one["kind"] for one in there["state"]["findings"]], ["nondeterminism"])
            self.goes_on(sim)


class Testers(unittest.TestCase):
    def test_program(self):
        folder = SOURCES / "examples" / "tester_answer"
        tester = next(folder.glob("*.tester"))
        with Simulator(MAZURKA, "--tester", tester, "--", EXAMPLES / "tester_answer") as sim:
            there = sim.ask("hello")
            self.assertEqual(len(there["state"]["tester"]["states"]), 1)
            end = sim.ask("go", run=there["run"], at=0, then="first")
            self.assertGreater(len(end["state"]["tester"]["events"]), 0)

    def test_network(self):
        folder = SOURCES / "examples" / "lts" / "mutex"
        net, tester = sorted(folder.glob("*.net"))[0], sorted(folder.glob("*.tester"))[0]
        with Simulator(MAZURKA, net, "--tester", tester) as sim:
            there = sim.ask("hello")
            self.assertEqual(there["kind"], "network")
            self.assertGreater(len(there["state"]["choices"]), 0)
            self.assertEqual(there["state"]["tester"]["events"], [])
            graph = sim.ask("graph", run=1)
            self.assertTrue(graph["whole"])
            end = sim.ask("go", run=1, at=0, then="random", seed=3)
            self.assertGreater(end["length"], 1)
            for first in range(min(20, end["length"] - 1)):
                swap = sim.ask("swap", run=end["run"], first=first)
                if swap["same"]:
                    other = sim.ask("visit", run=swap["other"]["run"], at=first + 2)
                    before = sim.ask("visit", run=end["run"], at=first + 2)
                    self.assertEqual([one["operation"] for one in other["state"]["threads"]], [one["operation"] for one in before["state"]["threads"]])
            node = sim.ask("node", node=len(graph["nodes"]) - 1)
            self.assertEqual(sim.ask("graph", run=node["run"])["path"][-1], len(graph["nodes"]) - 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
