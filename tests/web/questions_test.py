#!/usr/bin/env python3
"""The questions of the simulator without a browser: values of variables, long runs, many threads, programs that misbehave, networks.

    questions_test.py MAZURKA PROGRAMS EXAMPLES

MAZURKA_SIM_TIMES=1 prints what a step costs at step 10,000 and on the philosophers.
"""

import concurrent.futures
import io
import os
import pathlib
import re
import subprocess
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

    def test_containers(self):
        expected = {
            "served_": "40", "ready_": "true", "state_": "Open", "flag_": "set", "list_": "{1, 2, 3}", "forward_": "{4, 5}",
            "words_": '{"a", "b"}', "names_": '{"one": 1}', "depth_": "{8, 9}", "nothing_": "empty", "value_": '"text"',
            "last_": '{id = 4, item = "salt", prices = {}}', "empty_": "null", "gone_": "expired", "pair_": '{1, "two"}',
            "waiting_": '{{id = 9, item = "milk", prices = {}}}', "bits_": "{true, false, true}", "both_": "{1, 2}",
            "view_": '"seen"', "zero_": '"a?b"',
        }
        patterns = {
            "numbers_": r"^\{200, 201, .*, \.\.\.\} \(100 elements\)$", "many_": r"^\{7, 7, .*\} \(1000 elements\)$",
            "orders_": r'^\{3: \{id = 3, item = "a long .*\}, 7: \{id = 7, item = "tea", prices = \{1\.5, 2\.5\}\}\}$',
            "chosen_": r'^0x[0-9a-f]+ -> \{id = 7, item = "tea"', "owner_": r'^0x[0-9a-f]+ -> \{id = 5, item = "rice"',
            "own_way_": r"^0x[0-9a-f]+ -> 12$", "shared_": r'^0x[0-9a-f]+ -> \{id = 6, .*\} \(2 owners\)$',
            "watcher_": r"\(2 owners\)$",
        }
        for program in ("sim_containers", "sim_containers_fast"):
            # So that an atomic counter changes together with what its step does.
            with self.subTest(program), Simulator(MAZURKA, "--atomics=off", "--", PROGRAMS / program) as sim:
                there = sim.ask("hello")
                watches = ["served_", "owner_->item", "numbers_[99]", "orders_", "round", "last_", "this->served_", "list_[3]"]
                opened = ["::\x1fstore", "::\x1fstore\x1forders_", "::\x1fstore\x1forders_\x1f[7]", "::\x1fstore\x1forders_\x1f[7]\x1fprices",
                          "::\x1fstore\x1fshared_"]
                answer = sim.ask("variables", run=there["run"], at=0, thread=1, watches=watches, open=opened)
                work = answer["frames"][0]
                self.assertEqual((work["function"], work["variables"][0]["name"], work["variables"][0]["type"]), ("shop::Store::work", "this", "Store *"))
                self.assertEqual((values(work["variables"])["round"], values(answer["watches"])["round"]), ("2", "2"))
                store = answer["globals"][0]
                parts = values(store["parts"])
                self.assertEqual({name: parts[name] for name in expected}, expected)
                for name, pattern in patterns.items():
                    self.assertRegex(parts[name], pattern, name)
                types = {one["name"]: one["type"] for one in store["parts"]}
                self.assertEqual((types["orders_"], types["words_"], types["waiting_"]), ("map<int, shop::Order>", "set<std::string>", "queue<shop::Order>"))
                opens = {one["name"]: one["has_parts"] for one in store["parts"]}
                self.assertEqual([opens[name] for name in ("orders_", "owner_", "served_", "zero_", "nothing_", "empty_", "last_")],
                                 [True, True, False, False, False, False, True])
                orders = next(one for one in store["parts"] if one["name"] == "orders_")
                self.assertEqual([one["name"] for one in orders["parts"]], ["[3]", "[7]"])
                self.assertEqual(values(orders["parts"][1]["parts"])["item"], '"tea"')
                self.assertEqual(values(orders["parts"][1]["parts"][2]["parts"]), {"[0]": "1.5", "[1]": "2.5"})
                shared = next(one for one in store["parts"] if one["name"] == "shared_")
                self.assertEqual(values(shared["parts"])["item"], '"oil"')
                watched = values(answer["watches"])
                self.assertEqual([watched[name] for name in ("served_", "owner_->item", "numbers_[99]", "this->served_")], ["40", '"rice"', "299", "40"])
                self.assertTrue(watched["list_[3]"].startswith("<"))
                there = step(sim, step(sim, there, 0), 0)
                after = sim.ask("variables", run=there["run"], at=2, thread=0, watches=[], open=["::\x1fstore"])
                self.assertEqual({one["name"] for one in after["globals"][0]["parts"] if one["changed"]}, set())
                after = sim.ask("variables", run=there["run"], at=1, thread=0, watches=[], open=["::\x1fstore"])
                self.assertEqual({one["name"] for one in after["globals"][0]["parts"] if one["changed"]}, {"served_", "state_"})

    def test_the_frame_that_is_meant(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_values") as sim:
            there = step(sim, step(sim, sim.ask("hello"), 1), 1)
            ask = lambda **more: values(sim.ask("variables", run=there["run"], at=2, thread=1, watches=["depth", "name"], **more)["watches"])
            self.assertEqual(ask()["depth"], "1")
            self.assertEqual(ask(function="inner", callers=0)["depth"], "2")
            self.assertEqual(ask(function="work", callers=0)["name"], '"mazurka"')

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

    def test_datagrams(self):
        with Simulator(MAZURKA, "--udp=lossy", "--", PROGRAMS / "sim_datagrams") as sim:
            there = sim.ask("hello")
            seen = []
            moves = [(0, "bind"), (0, "bind"), (0, "send"), (0, "send"), (1, "overtaking 1"), (1, "read")]  # the second comes first
            for thread, what in moves:
                choices = next(one["choices"] for one in there["state"]["threads"] if one["id"] == thread)
                there = step(sim, there, thread, next(one["outcome"] for one in choices if what in one["text"]))
                seen += [one["value"] for one in there["state"]["objects"] if one["name"] == "socket 1 (in)"]
            self.assertEqual(seen, ["0 messages", "0 messages", '1 message: "one"', '2 messages: "one", "two"', '1 message: "one"', "0 messages"])
            sent = sim.ask("steps", run=there["run"], **{"from": 2, "to": 3})["steps"][0]["what"]
            self.assertEqual(sent, 'send datagram UDP port 7000: "one"')

    def test_a_datagram_that_is_lost_lies_nowhere(self):
        with Simulator(MAZURKA, "--udp=lossy", "--", PROGRAMS / "sim_datagrams") as sim:
            there = step(sim, step(sim, sim.ask("hello"), 0), 0)
            choices = next(one["choices"] for one in there["state"]["threads"] if one["id"] == 0)
            there = step(sim, there, 0, next(one["outcome"] for one in choices if "lost" in one["text"]))
            self.assertIn("0 messages", [one["value"] for one in there["state"]["objects"] if one["name"] == "socket 1 (in)"])

    def test_signals_and_timers(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_signals") as sim:
            there = sim.ask("hello")
            timers = [one["value"] for one in there["state"]["objects"] if one["type"] == "timer"]
            self.assertRegex(timers[0], r"^expires at [\d.]+ s, then every 2 s$")
            while "child" not in {one["name"]: one["operation"] for one in there["state"]["threads"]}["T0"]:
                choices = [(one["id"], choice) for one in there["state"]["threads"] for choice in one["choices"]]
                wanted = [choice for choice in choices if choice[0] == 1] or choices
                there = step(sim, there, wanted[-1][0], wanted[-1][1]["outcome"])
                parent = next(one for one in there["state"]["threads"] if one["id"] == 0)
                if parent["operation"] == "pause" and not parent["choices"]:
                    self.assertEqual((parent["status"], parent["why"]), ("blocked", "waits for a signal"))
                if "SIGUSR1 is pending, from T0.1" in parent["signals"]:
                    self.assertEqual(parent["signals"], ["SIGUSR2 is pending, from T0.1", "SIGUSR1 is pending, from T0.1",
                                                         "blocks SIGUSR2", "handles SIGUSR1"])
                    break
            self.assertIn("pending", " ".join(parent["signals"]))

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


class Waits(unittest.TestCase):
    def thread(self, there, number):
        return next(one for one in there["state"]["threads"] if one["id"] == number)

    def test_who_holds_a_lock(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            there = step(sim, step(sim, sim.ask("hello"), 1), 2)
            self.assertEqual(there["end"], "deadlock")
            self.assertEqual((self.thread(there, 0)["why"], self.thread(there, 0)["holders"]), ("waits for the end of T0.1 philosopher", [1]))
            self.assertEqual((self.thread(there, 1)["why"], self.thread(there, 1)["holders"]), ("held by T0.2 philosopher", [2]))
            self.assertEqual(sorted(there["state"]["cycle"]), [1, 2])

    def test_who_has_taken_a_semaphore(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_processes", "2") as sim:
            there = step(sim, step(sim, sim.ask("hello"), 0), 1)
            self.assertEqual(there["end"], "deadlock")
            self.assertRegex(self.thread(there, 0)["why"], r"^the value of \S+ is 0; T0\.1 main has taken it$")
            self.assertEqual([(one["holders"], one["hopes"]) for one in there["state"]["threads"]], [([], [1]), ([], [0])])
            self.assertEqual([one["process"] for one in there["state"]["threads"]], ["T0", "T0.1"])
            self.assertEqual(there["state"]["cycle"], [])  # nobody owns a semaphore

    def test_pipes_and_children(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_queue") as sim:
            there = sim.ask("hello")
            reader = self.thread(there, 1)
            self.assertEqual((reader["status"], reader["why"], reader["hopes"]), ("blocked", "it is empty; T0 main could write to it", [0]))
            there = step(sim, step(sim, there, 0), 0)
            parent = self.thread(there, 0)
            self.assertEqual((parent["why"], parent["hopes"]), ("waits for the end of a child: T0.1 main", [1]))


class Passing(unittest.TestCase):
    def test_of_a_deadlock(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            there = step(sim, step(sim, sim.ask("hello"), 1), 2)
            self.assertTrue(there["fails"])
            passing = sim.ask("passing", run=there["run"])
            self.assertEqual((passing["critical"], passing["doomed"], passing["passing"]["fork"]), (2, False, 1))
            self.assertEqual([one["kind"] for one in passing["differences"]], ["order"])
            self.assertRegex(passing["differences"][0]["text"], r"^T0\.1 'unlock table\[1\]' before T0\.2 'lock table\[1\]' \(philosophers_threads\.c:\d+\)$")
            self.assertEqual(passing["differences"][0]["here"], "here T0.1 has not come to that")
            other = sim.ask("visit", run=passing["passing"]["run"], at=1000)
            self.assertEqual((other["end"], other["fails"]), ("finished", False))
            self.assertEqual(sim.ask("passing", run=there["run"]), passing)  # asked again, it is the same run

    def test_of_a_run_that_passes(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            end = sim.ask("go", run=sim.ask("hello")["run"], at=0, then="first")
            self.assertEqual((end["end"], end["fails"]), ("finished", False))
            passing = sim.ask("passing", run=end["run"])
            self.assertEqual((passing["critical"], passing["passing"], passing["differences"]), (None, None, []))

    def test_where_every_run_fails(self):
        with Simulator(MAZURKA, "--", PROGRAMS / "sim_misbehaving", "crash", cwd=tempfile.gettempdir()) as sim:
            there = sim.ask("go", run=sim.ask("hello")["run"], at=0, then="first")
            passing = sim.ask("passing", run=there["run"])
            self.assertEqual((passing["critical"], passing["doomed"], passing["passing"]), (None, True, None))

    def test_a_wait_that_is_never_woken_says_which_notify_was_last(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "lost_wakeup") as sim:
            there = sim.ask("hello")
            for thread in (0, 0, 0, 1, 1):  # lock, unlock, notify; lock, wait
                choices = next(one["choices"] for one in there["state"]["threads"] if one["id"] == thread)
                there = step(sim, there, thread, choices[0]["outcome"])
            self.assertEqual(there["end"], "deadlock")
            sleeper = there["state"]["threads"][1]
            self.assertRegex(sleeper["why"], r"^will never be woken: the last notify was step 3 \(lost_wakeup\.cpp:\d+\), before it began to wait$")
            finding = there["state"]["findings"][0]
            self.assertEqual(finding["thread"], 1)
            self.assertIn("notify_one", finding["why"])
            self.assertEqual(sim.ask("passing", run=there["run"])["critical"], 3)


class Editor(unittest.TestCase):
    def test_only_files_of_the_program_are_opened(self):
        with tempfile.TemporaryDirectory() as folder:
            script, said = pathlib.Path(folder, "my editor"), pathlib.Path(folder, "said")
            script.write_text(f'#!/bin/sh\nprintf "%s|" "$#" "$@" > {said}.new; mv {said}.new {said}\n')
            script.chmod(0o755)
            with Simulator(MAZURKA, f"--editor='{script}' -g {{file}}:{{line}} 'a $(touch {folder}/injected) b'", "--", EXAMPLES / "philosophers_threads", "2") as sim:
                there = sim.ask("hello")
                self.assertTrue(there["editor"])
                frame = there["state"]["threads"][1]["stack"][0]
                sim.ask("edit", file=frame["file"], line=frame["line"])
                give_up = time.monotonic() + 60
                while not said.exists() and time.monotonic() < give_up:
                    time.sleep(0.01)
                self.assertEqual(said.read_text(), f"3|-g|{frame['file']}:{frame['line']}|a $(touch {folder}/injected) b|")
                self.assertFalse(pathlib.Path(folder, "injected").exists())
                for file, line in (("/etc/passwd", 1), (frame["file"] + ";id", 1), (frame["file"], 0), (frame["file"], -1), (frame["file"], "1; id"), ("", 1)):
                    with self.assertRaises(RuntimeError):
                        sim.ask("edit", file=file, line=line)

    def test_without_one_nothing_is_started(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            there = sim.ask("hello")
            self.assertFalse(there["editor"])
            with self.assertRaisesRegex(RuntimeError, "no editor was given"):
                sim.ask("edit", file=there["state"]["threads"][1]["stack"][0]["file"], line=1)

    def test_a_wrong_command_is_wrong_usage(self):
        for command in ("code -g", "code '{file}", "{file}"):
            run = subprocess.run([MAZURKA, "sim", f"--editor={command}", "--", "true"], capture_output=True, text=True, timeout=60)
            self.assertEqual(run.returncode, 2, command)
            self.assertIn("--editor", run.stderr)


class Statuses(unittest.TestCase):
    def statuses(self, there):
        return {one["name"]: one["status"] for one in there["state"]["threads"]}

    def test_asleep(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "lost_wakeup") as sim:
            there = step(sim, step(sim, sim.ask("hello"), 1), 1)  # lock, wait
            sleeper = there["state"]["threads"][1]
            self.assertEqual((sleeper["status"], sleeper["why"]), ("asleep", "waits to be woken"))

    def test_bound(self):
        with Simulator(MAZURKA, "--bound=1", "--", EXAMPLES / "philosophers_threads", "2") as sim:
            there = step(sim, sim.ask("hello"), 1)
            self.assertEqual(self.statuses(there), {"T0": "blocked", "T0.1": "bound", "T0.2": "enabled"})

    def test_exit(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            end = sim.ask("go", run=sim.ask("hello")["run"], at=0, then="first")
            self.assertEqual(set(self.statuses(end).values()), {"exit"})

    def test_tosses(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "toss_assertion") as sim:
            there = sim.ask("hello")
            for outcome in (2, 0, 1):
                self.assertEqual([one["text"] for one in there["state"]["threads"][0]["choices"]], ["toss: 0", "toss: 1", "toss: 2"])
                there = step(sim, there, 0, outcome)
            self.assertEqual(there["state"]["tosses"], [[0, 2], [1, 0], [2, 1]])
            self.assertEqual(sim.ask("state", run=there["run"], at=1)["tosses"], [[0, 2]])


class Picture(unittest.TestCase):
    def steps(self, sim, there):
        return sim.ask("steps", run=there["run"], **{"from": 0, "to": there["length"]})

    def test_preemptions(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            there = sim.ask("hello")
            for thread in (1, 2):
                there = step(sim, there, thread)
            # T0 joins: only the second takes the turn from one that could go on.
            self.assertEqual([one["preempts"] for one in self.steps(sim, there)["steps"]], [False, True])
            self.assertEqual(self.steps(sim, there)["edges"], [])

    def test_happens_before(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            there = sim.ask("go", run=sim.ask("hello")["run"], at=0, then="first")
            steps = self.steps(sim, there)
            what = [(one["thread"], one["what"]) for one in steps["steps"]]
            edges = {(what[a], what[b]) for a, b in steps["edges"]}
            self.assertIn(((1, "unlock table[1]"), (2, "lock table[1]")), edges)
            # Of one thread's steps no arrow is needed.
            self.assertTrue(all(a[0] != b[0] for a, b in edges), edges)


class Search(unittest.TestCase):
    def test_it_tells_how_far_it_is_and_can_be_stopped(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "40") as sim:
            run = sim.ask("hello")["run"]
            sim.ask("search", do="start", run=run, at=0)
            seen = 0
            while seen < 3:  # it grows
                now = sim.ask("search", do="look")
                self.assertTrue(now["running"], now)
                seen = max(seen, now["executions"])
                self.assertEqual(sim.ask("state", run=run, at=0)["at"], 0)  # the page goes on meanwhile
            end = sim.ask("search", do="stop")
            self.assertFalse(end["running"])
            self.assertFalse(end["complete"])

    def test_a_graph_that_is_too_large_says_so(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "5") as sim:
            graph = sim.ask("graph", run=sim.ask("hello")["run"])
            self.assertEqual((graph["whole"], len(graph["nodes"])), (False, 1000))


class FromCheck(unittest.TestCase):
    def test_each_finding_shows_in_the_simulator(self):
        commands = {
            "deadlock": [EXAMPLES / "philosophers_processes", "2"],
            "assertion": [EXAMPLES / "toss_assertion"],
            "memory": [EXAMPLES / "double_free"],
            "race": [EXAMPLES / "double_checked_locking"],
            "crash": [PROGRAMS / "sim_misbehaving", "crash"],
            "divergence": ["--divergence=0.3", PROGRAMS / "sim_misbehaving", "diverge"],
            "tester": ["--tester", SOURCES / "examples" / "tester_answer" / "answered.tester", EXAMPLES / "tester_answer"],
        }
        for kind, words in commands.items():
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                check = subprocess.run([MAZURKA, "check", *words], cwd=folder, capture_output=True, text=True)
                self.assertEqual(check.returncode, 1, check.stdout)
                command = re.search(r"simulate: mazurka sim (--schedule=\S+)", check.stdout)
                with Simulator(MAZURKA, command.group(1), cwd=folder) as sim:
                    there = sim.ask("hello")
                    self.assertEqual(there["at"], there["length"])
                    self.assertIn(kind, [one["kind"] for one in there["state"]["findings"]])


class Documentation(unittest.TestCase):
    TEXT = (SOURCES / "docs" / "simulator.md").read_text()

    def test_each_question_is_answered(self):
        questions = re.findall(r"^\| `([a-z-]+)` \|", self.TEXT, re.MULTILINE)
        self.assertIn("hello", questions)
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            with self.assertRaisesRegex(RuntimeError, "there is no question"):
                sim.ask("nonsense")
            for question in questions:
                try:
                    sim.ask(question, run=1, at=0)
                except RuntimeError as error:
                    self.assertNotIn("there is no question", str(error), question)

    def test_each_field_is_described(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "philosophers_threads", "2") as sim:
            there = step(sim, step(sim, sim.ask("hello"), 1), 2)
            state = there["state"]
            for part in (there, state, state["threads"][0], state["objects"][0], state["findings"][0], there["steps"]["steps"][0]):
                for field in part:
                    self.assertIn(f"`{field}`", self.TEXT)


class Races(unittest.TestCase):
    def test_both_accesses_are_shown(self):
        with Simulator(MAZURKA, "--", EXAMPLES / "double_checked_locking") as sim:
            end = sim.ask("go", run=sim.ask("hello")["run"], at=0, then="first")
            race = next(one for one in end["state"]["findings"] if one["kind"] == "race")
            texts = []
            for access in race["accesses"]:
                lines = sim.ask("source", file=access["place"]["file"])["lines"]
                texts.append(lines[access["place"]["line"] - 1])
            self.assertIn("settings = new Settings", texts[0])
            self.assertIn("settings == nullptr", texts[1])


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
            crashed, other = (next(one for one in there["state"]["threads"] if one["id"] == number) for number in (1, 0))
            self.assertEqual((crashed["status"], crashed["operation"], other["status"]), ("failed", "crash: Segmentation fault", "killed"))
            lines = sim.ask("source", file=crashed["stack"][0]["file"])["lines"]
            self.assertIn("NULL = 1", lines[crashed["stack"][0]["line"] - 1])
            self.goes_on(sim)

    def test_abort(self):
        with self.simulate("abort") as sim:
            end = sim.ask("go", run=sim.ask("hello")["run"], at=0, then="first")
            self.assertEqual([one["kind"] for one in end["state"]["findings"]], ["crash"])
            self.assertIn("SIGABRT", end["state"]["findings"][0]["message"])
            self.assertEqual({one["id"]: one["status"] for one in end["state"]["threads"]}, {0: "killed", 1: "failed"})
            self.goes_on(sim)

    def test_divergence(self):
        with self.simulate("diverge", "--divergence=0.3") as sim:
            there = step(sim, sim.ask("hello"), 1)
            self.assertEqual(there["end"], "divergence")
            threads = {one["id"]: one for one in there["state"]["threads"]}
            self.assertEqual((threads[1]["status"], threads[1]["operation"]), ("running", "runs without end"))
            self.assertEqual((threads[0]["status"], threads[0]["choices"]), ("blocked", []))
            self.assertIn("gets no turn: T0.1", threads[0]["why"])
            graph = sim.ask("graph", run=there["run"])
            self.assertTrue(graph["whole"])
            self.assertIn("error", [node["kind"] for node in graph["nodes"]])
            self.goes_on(sim)

    def test_nondeterminism(self):
        with self.simulate("nondeterminism") as sim:
            there = sim.ask("hello")
            for _ in range(3):  # lock, unlock, lock
                self.assertEqual(there["end"], "open")
                there = step(sim, there, 1)
            self.assertEqual(there["end"], "nondeterminism")
            self.assertEqual([one["kind"] for one in there["state"]["findings"]], ["nondeterminism"])
            self.assertRegex(there["state"]["findings"][0]["message"], r"T0.1 was to do lock others\[\d+\], but came to lock others\[\d+\]$")
            self.goes_on(sim)

    def test_a_call_without_a_model_is_named(self):
        with self.simulate("unmodelled") as sim:
            there = sim.ask("hello")
            for _ in range(2):
                there = step(sim, there, 1)
                self.assertEqual(len(there["notes"]), 1, there["notes"])
                self.assertRegex(there["notes"][0], r"^no model covers signalfd.*misbehaving\.c:\d+.*: it may block or communicate")


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


def run_all():
    """Classes at the same time, since each test has its own simulator and waits for it. Times are those of one that is alone."""
    def run(suite):
        text = io.StringIO()
        return unittest.TextTestRunner(stream=text, verbosity=2).run(suite).wasSuccessful(), text.getvalue()

    with concurrent.futures.ThreadPoolExecutor(1 if os.environ.get("MAZURKA_SIM_TIMES") else 3) as pool:
        results = list(pool.map(run, unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])))
    print(*(text for _, text in results), sep="\n")
    return all(good for good, _ in results)


if __name__ == "__main__":
    sys.exit(0 if run_all() else 1)
