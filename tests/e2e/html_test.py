#!/usr/bin/env python3
"""The page of `mazurka check --html`, in a headless browser: what it shows, and stepping forward and back.

    html_test.py

Says so and stops with 77 where there is no browser.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import browser

MAZURKA, EXAMPLES = os.environ["MAZURKA"], os.environ["MAZURKA_EXAMPLES"]


def page(folder, *arguments):
    file = pathlib.Path(folder, "report.html")
    subprocess.run([MAZURKA, "check", f"--html={file}", f"--schedules={folder}", *arguments],
                   capture_output=True, cwd=folder, timeout=120)
    return file


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def show(self, *arguments, fragment=""):
        self.browser.open("about:blank")
        self.browser.open(page(self.folder.name, *arguments).as_uri() + fragment)

    def where(self):
        return self.browser.ask("document.getElementById('where').textContent")

    def marked(self):
        return self.browser.ask("[...document.querySelectorAll('.step.on')].map(x => x.id).join()")

    def click(self, button):
        self.browser.ask(f"document.getElementById('{button}').click()")

    def line(self):
        return self.browser.ask("(document.querySelector('#source .row.on') || {textContent: ''}).textContent")

    def test_a_deadlock(self):
        self.show(EXAMPLES + "/philosophers_threads", "3")
        self.assertEqual(self.browser.ask("document.getElementById('word').textContent"), "error")
        heads = self.browser.ask("[...document.querySelectorAll('.head')].map(x => x.textContent).join('|')")
        self.assertEqual(heads, "|T0 main|T0.1 philosopher|T0.2 philosopher|T0.3 philosopher")
        self.assertEqual(self.browser.ask("document.querySelectorAll('.step').length"), 3)
        self.assertEqual(self.browser.ask("document.querySelectorAll('.step.critical').length"), 1)
        self.assertEqual(self.browser.ask("document.querySelectorAll('.end').length"), 4)
        self.assertEqual(self.where(), "the end")
        self.assertIn("pthread_mutex_lock", self.line())
        self.assertIn("mazurka replay", self.browser.ask("document.getElementById('replay').textContent"))
        self.assertEqual(self.browser.troubles(), [])

    def test_forward_and_back(self):
        self.show(EXAMPLES + "/double_free")
        self.click("first")
        self.assertEqual((self.where(), self.marked()), ("step 1 of 9", "step0"))
        self.assertIn("pthread_mutex_lock", self.line())
        self.click("next")
        self.assertEqual((self.where(), self.marked()), ("step 2 of 9", "step1"))
        self.assertIn("pthread_mutex_unlock", self.line())
        self.click("back")
        self.assertEqual(self.marked(), "step0")
        self.assertTrue(self.browser.ask("document.getElementById('back').disabled"))
        for _ in range(3):
            self.browser.press("ArrowRight")
        self.assertEqual(self.marked(), "step3")
        self.browser.press("ArrowLeft")
        self.assertEqual(self.marked(), "step2")
        self.browser.press("End")
        self.assertEqual((self.where(), self.marked()), ("the end", ""))
        self.browser.ask("document.getElementById('step8').click()")
        self.assertIn("free(buffer)", self.line())
        self.assertIn("#finding=1&step=9", self.browser.ask("location.hash"))
        self.assertEqual(self.browser.troubles(), [])

    def test_arrows_join_the_steps_of_different_threads(self):
        self.show(EXAMPLES + "/double_free")
        edges = self.browser.ask("[...document.querySelectorAll('svg path[data-from]')]"
                                 ".map(x => x.dataset.from + '-' + x.dataset.to).join()")
        self.assertEqual(edges, "1-2,5-6")
        # Each begins beside the box that it leaves.
        self.assertTrue(self.browser.ask("""
            [...document.querySelectorAll('svg path[data-from]')].every((path) => {
              const box = document.getElementById('step' + path.dataset.from);
              const start = path.getPointAtLength(0);
              return Math.abs(start.y - (box.offsetTop + box.offsetHeight / 2)) < 2;
            })"""))

    def test_a_fragment_names_the_step(self):
        self.show(EXAMPLES + "/double_free", fragment="#finding=1&step=4")
        self.assertEqual((self.where(), self.marked()), ("step 4 of 9", "step3"))

    def test_nothing_found(self):
        self.show(EXAMPLES + "/double_free_fixed")
        self.assertEqual(self.browser.ask("document.getElementById('word').textContent"), "ok")
        self.assertTrue(self.browser.ask("document.getElementById('main').hidden"))
        self.assertEqual(self.browser.troubles(), [])

    def test_names_are_no_markup(self):
        self.show("sh", "-c", "exit 3 # </script><script>alert(1)</script><!-- &amp; \u00e9")
        self.assertIn("</script>", self.browser.ask("document.getElementById('command').textContent"))
        self.assertEqual(self.browser.ask("document.querySelectorAll('script').length"), 1)
        self.assertEqual(self.browser.troubles(), [])

    def test_nothing_is_loaded_from_elsewhere(self):
        text = page(self.folder.name, EXAMPLES + "/double_free").read_text()
        self.assertNotRegex(text, r"(src|href)=|@import|url\((?!#)")


if __name__ == "__main__":
    if browser.find() is None:
        print("there is no browser here: install chromium")
        sys.exit(77)
    unittest.main()
