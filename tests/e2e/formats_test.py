#!/usr/bin/env python3
"""SARIF and JUnit files of `mazurka check`, against the rules of their formats."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ET
from urllib.parse import unquote, urlparse

MAZURKA, EXAMPLES = os.environ["MAZURKA"], os.environ["MAZURKA_EXAMPLES"]

# SARIF 2.1.0: the properties that an object of each kind may have (what we do not write is not listed), those that it
# must have, and the kind of each. "*" before a kind: an array of it; sections 3.13 to 3.58 of the standard.
SARIF = {
    "sarifLog": ({"version", "runs"}, {"$schema": str, "version": "2.1.0", "runs": "*run"}),
    "run": ({"tool"}, {"tool": "tool", "invocations": "*invocation", "results": "*result", "properties": dict}),
    "tool": ({"driver"}, {"driver": "toolComponent"}),
    "toolComponent": ({"name"}, {"name": str, "version": str, "semanticVersion": str, "rules": "*reportingDescriptor"}),
    "reportingDescriptor": ({"id"}, {"id": str, "name": str, "shortDescription": "message",
                                     "defaultConfiguration": "reportingConfiguration"}),
    "reportingConfiguration": (set(), {"level": ("none", "note", "warning", "error")}),
    "invocation": ({"executionSuccessful"}, {"commandLine": str, "exitCode": int, "executionSuccessful": bool,
                                             "toolExecutionNotifications": "*notification"}),
    "notification": ({"message"}, {"level": ("none", "note", "warning", "error"), "message": "message"}),
    "result": ({"message"}, {"ruleId": str, "ruleIndex": int, "level": ("none", "note", "warning", "error"),
                             "message": "message", "locations": "*location", "relatedLocations": "*location",
                             "codeFlows": "*codeFlow", "occurrenceCount": int, "partialFingerprints": dict}),
    "message": ({"text"}, {"text": str}),
    "location": (set(), {"id": int, "physicalLocation": "physicalLocation", "message": "message"}),
    "physicalLocation": ({"artifactLocation"}, {"artifactLocation": "artifactLocation", "region": "region"}),
    "artifactLocation": ({"uri"}, {"uri": str}),
    "region": ({"startLine"}, {"startLine": int}),
    "codeFlow": ({"threadFlows"}, {"threadFlows": "*threadFlow"}),
    "threadFlow": ({"locations"}, {"id": str, "message": "message", "locations": "*threadFlowLocation"}),
    "threadFlowLocation": (set(), {"location": "location", "executionOrder": int,
                                   "importance": ("important", "essential", "unimportant")}),
}
NOT_EMPTY = {"threadFlows", "locations", "runs"}

# The classes that were generated from the official schema (Debian: python3-sarif-python-om), each with the names of its
# properties and whether it must have them.
OFFICIAL = """
import attr, json, sarif_om
classes = (getattr(sarif_om, name) for name in dir(sarif_om))
print(json.dumps({c.__name__: {f.metadata["schema_property_name"]: f.default is attr.NOTHING for f in attr.fields(c)}
                  for c in classes if isinstance(c, type) and attr.has(c)}))
"""


def broken_rules(value, kind, path="$"):
    """Yields a sentence for each rule that the value breaks."""
    required, known = SARIF[kind]
    for name in required - set(value):
        yield f"{path}: no {name}"
    for name, inner in value.items():
        place = f"{path}.{name}"
        rule = known.get(name)
        if rule is None:
            yield f"{place}: there is no such property of {kind}"
        elif isinstance(rule, type):
            if type(inner) is not rule:
                yield f"{place}: {inner!r} is no {rule.__name__}"
        elif isinstance(rule, tuple):
            if inner not in rule:
                yield f"{place}: {inner!r} is none of {rule}"
        elif rule == "2.1.0":
            if inner != rule:
                yield f"{place}: {inner!r}"
        elif rule.startswith("*"):
            if name in NOT_EMPTY and not inner:
                yield f"{place}: is empty"
            if len({json.dumps(one, sort_keys=True) for one in inner}) != len(inner) and name != "locations":
                yield f"{place}: has the same one twice"
            for i, one in enumerate(inner):
                yield from broken_rules(one, rule[1:], f"{place}[{i}]")
        else:
            yield from broken_rules(inner, rule, place)


class Formats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, *arguments):
        return subprocess.run([MAZURKA, "check", "--sarif=out.sarif", "--junit=out.xml", *arguments],
                              cwd=self.folder, capture_output=True, text=True, timeout=120)

    def test_our_rules_are_the_official_ones(self):
        run = subprocess.run(["/usr/bin/python3", "-c", OFFICIAL], capture_output=True, text=True)
        if "No module named" in run.stderr:
            self.skipTest(run.stderr.splitlines()[-1])
        self.assertEqual(run.stderr, "")
        official = json.loads(run.stdout)
        for kind, (required, known) in SARIF.items():
            properties = official[kind[0].upper() + kind[1:]]
            self.assertLessEqual(set(known), set(properties), kind)
            self.assertLessEqual({name for name in properties if properties[name]}, required, kind)

    def sarif(self, *arguments):
        run = self.check(*arguments)
        log = json.loads((self.folder / "out.sarif").read_text())
        self.assertEqual(list(broken_rules(log, "sarifLog")), [])
        (only,) = log["runs"]
        self.assertEqual(only["invocations"][0]["exitCode"], run.returncode)
        for result in only["results"]:
            rule = only["tool"]["driver"]["rules"][result["ruleIndex"]]
            self.assertEqual(rule["id"], result["ruleId"])
        return only

    def junit(self):
        root = ET.parse(self.folder / "out.xml").getroot()
        self.assertEqual(root.tag, "testsuites")
        (suite,) = root
        cases = suite.findall("testcase")
        for counted, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            self.assertEqual(int(suite.get(counted)), sum(case.find(tag) is not None for case in cases))
        self.assertEqual(int(suite.get("tests")), len(cases))
        return {case.get("name"): case for case in cases}

    def test_a_deadlock(self):
        run = self.sarif("--keep-going", EXAMPLES + "/philosophers_threads", "2")
        (result,) = run["results"]
        self.assertEqual(result["ruleId"], "deadlock")
        place = result["locations"][0]["physicalLocation"]
        file = unquote(urlparse(place["artifactLocation"]["uri"]).path)
        line = pathlib.Path(file).read_text().splitlines()[place["region"]["startLine"] - 1]
        self.assertIn("// mazurka: deadlock", line)
        flows = result["codeFlows"][0]["threadFlows"]
        self.assertEqual([flow["id"] for flow in flows], ["T0.1", "T0.2"])
        order = sorted(one["executionOrder"] for flow in flows for one in flow["locations"])
        self.assertEqual(order, list(range(1, len(order) + 1)))
        self.assertEqual(len(result["relatedLocations"]), 3)
        cases = self.junit()
        self.assertIn("no thread can go on", cases["deadlock"].find("failure").get("message"))
        self.assertIn("mazurka replay", cases["deadlock"].find("failure").text)
        self.assertIsNone(cases["crash"].find("failure"))
        self.assertIsNone(cases["complete"].find("skipped"))

    def test_nothing_found(self):
        run = self.sarif(EXAMPLES + "/philosophers_threads_fixed", "2")
        self.assertEqual(run["results"], [])
        self.assertEqual(run["properties"]["guarantee"], "complete")
        self.assertTrue(all(len(case) == 0 for case in self.junit().values()))

    def test_incomplete(self):
        run = self.sarif("--max-executions=1", EXAMPLES + "/philosophers_threads_fixed", "2")
        levels = [one["level"] for one in run["invocations"][0]["toolExecutionNotifications"]]
        self.assertIn("warning", levels)
        cases = self.junit()
        self.assertIn("--max-executions", cases["complete"].find("skipped").get("message"))
        self.assertIsNotNone(cases["deadlock"].find("skipped"))

    def test_every_example_keeps_the_rules(self):
        for name in ("double_free", "lost_wakeup", "toss_assertion", "lock_order_processes"):
            self.assertEqual(len(self.sarif(EXAMPLES + "/" + name)["results"]), 1, name)
            self.junit()

    def test_strange_names(self):
        self.sarif("sh", "-c", "exit 3", "a b", "<&>\"'", "\x01\x7f")
        self.junit()

    def test_files_that_cannot_be_written(self):
        for option in ("sarif", "junit", "html"):
            run = self.check(f"--{option}=/no/such/file", "true")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("cannot write /no/such/file", run.stderr)


if __name__ == "__main__":
    unittest.main()
