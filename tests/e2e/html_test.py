#!/usr/bin/env python3
"""The page of `mazurka check --html`, in a headless browser: what it shows, and stepping forward and back.

    html_test.py

Says so and stops with 77 where there is no browser.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import browser

MAZURKA, EXAMPLES = os.environ["MAZURKA"], os.environ["MAZURKA_EXAMPLES"]


SPEAKS = """
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&m);
    printf("round %d\\n", i);
    fflush(stdout);
    pthread_mutex_unlock(&m);
  }
  assert(0);
}
"""
TWO_BUGS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first;
static void* work(void* number) {
  pthread_mutex_lock(&m);
  if (first == 0) first = number != NULL ? 1 : 2;
  pthread_mutex_unlock(&m);
  return NULL;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(&thread);
  pthread_join(thread, NULL);
  assert(first == 1);
  abort();
}
"""


def page(folder, *arguments):
    file = pathlib.Path(folder, "report.html")
    subprocess.run([MAZURKA, "check", f"--html={file}", f"--schedules={folder}", *arguments],
                   capture_output=True, cwd=folder, timeout=120)
    return file


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = browser.Browser(1280, 800)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def show(self, *arguments, fragment=""):
        self.browser.open("about:blank")
        self.browser.open(page(self.folder.name, *arguments).as_uri() + fragment)

    def build(self, text, *flags):
        source = pathlib.Path(self.folder.name, "program.c")
        source.write_text(text)
        subprocess.run(["cc", "-g", *flags, source, "-o", source.with_suffix(""), "-pthread"], check=True)
        return str(source.with_suffix(""))

    def text(self, selector):
        return self.browser.ask(f"(document.querySelector({json.dumps(selector)}) || {{textContent: ''}}).textContent")

    def texts(self, selector):
        return self.browser.ask(f"[...document.querySelectorAll({json.dumps(selector)})].map(x => x.textContent)")

    def count(self, selector):
        return self.browser.ask(f"document.querySelectorAll({json.dumps(selector)}).length")

    def where(self):
        return self.browser.ask("[document.getElementById('at').value, document.querySelector('main').dataset.length].join(' of ')")

    def marked(self):
        return self.browser.ask("[...document.querySelectorAll('.step.current')].map(x => x.dataset.step).join()")

    def click(self, selector):
        self.browser.ask(f"document.querySelector({json.dumps(selector)}).click()")

    def line(self):
        return self.text(".source .line.marked")

    def is_seen(self, selector):
        """Within the window, and within what scrolls around it."""
        return self.browser.ask(f"""(() => {{
            const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
            return box.top >= 0 && box.bottom <= innerHeight && hit !== null && hit.closest({json.dumps(selector)}) !== null;
        }})()""")

    def test_a_deadlock(self):
        self.show(EXAMPLES + "/philosophers_threads", "3")
        self.assertEqual(self.text("#word"), "error")
        self.assertEqual(self.texts(".heads .head"), ["", "T0 main", "T0.1 philosopher", "T0.2 philosopher", "T0.3 philosopher"])
        self.assertEqual(self.count(".step:not(.ghost)"), 3)
        self.assertEqual(self.count(".step.critical"), 1)
        self.assertEqual(self.texts(".no-return"), ["point of no return"])
        self.assertEqual(self.count(".step.ghost"), 4)
        self.assertEqual(self.where(), "3 of 3")
        self.assertIn("pthread_mutex_lock", self.line())
        self.assertIn("mazurka replay", self.text("#replay"))
        self.assertRegex(self.text('[data-testid="findings"]'), r"no thread can go on.*T0\.1 philosopher holds table\[0\]")
        # The cycle is drawn, and who owns the locks is said.
        self.assertEqual(self.count(".wait.cycle"), 3)
        self.assertEqual(self.count(".waiter.cycle"), 3)
        self.browser.press("o")
        self.assertEqual(sorted(self.texts(".objects .value")), ["held by T0.1", "held by T0.2", "held by T0.3"])
        self.browser.press("h")
        self.assertEqual(self.texts(".card .status"), ["blocked"] * 4)
        self.assertEqual(self.count(".card .choice"), 0)  # nobody is there to take them
        self.assertEqual(self.browser.troubles(), [])

    def test_the_nearest_passing_run(self):
        self.show(EXAMPLES + "/philosophers_threads", "2")
        self.browser.press("c")
        self.assertEqual(self.where(), "2 of 2")
        self.browser.press("C")
        self.assertRegex(self.text(".differences li"), r"^T0\.\d 'unlock table\[\d\]' before T0\.\d 'lock table\[\d\]' .*; here T0\.\d has not come to that$")
        self.click("#visit-passing")
        self.assertEqual(self.browser.ask("document.querySelector('main').dataset.length"), "10")
        self.browser.press("End")
        self.assertEqual(self.text('[data-testid="verdict-line"]'), "ended")
        self.assertEqual(self.browser.troubles(), [])

    def test_forward_and_back(self):
        self.show(EXAMPLES + "/double_free")
        self.click("#first")
        self.assertEqual((self.where(), self.marked()), ("0 of 9", ""))
        self.assertIn("pthread_mutex_lock", self.line())
        self.click("#forward")
        self.assertEqual((self.where(), self.marked()), ("1 of 9", "1"))
        self.assertIn("pthread_mutex_unlock", self.line())
        self.click("#back")
        self.assertEqual(self.where(), "0 of 9")
        self.assertTrue(self.browser.ask("document.getElementById('back').disabled"))
        for _ in range(3):
            self.browser.press("ArrowRight")
        self.assertEqual(self.marked(), "3")
        self.browser.press("ArrowLeft")
        self.assertEqual(self.marked(), "2")
        self.browser.press("End")
        self.assertEqual((self.where(), self.marked()), ("9 of 9", "9"))
        self.assertIn("free(buffer)", self.line())
        self.click('[data-step="4"]')
        self.assertIn("#finding=1&step=4", self.browser.ask("location.hash"))
        self.assertEqual(self.browser.troubles(), [])

    def test_arrows_join_the_steps_of_different_threads(self):
        self.show(EXAMPLES + "/double_free")
        # Each begins below the box that it leaves, and ends above the one that it leads to.
        arrows = self.browser.ask("""
            [...document.querySelectorAll('.canvas svg path.arrow')].map((path) => {
              const svg = path.ownerSVGElement.getBoundingClientRect();
              const box = path.ownerSVGElement.viewBox.baseVal;
              const seen = (point) => [svg.left + point.x, svg.top + point.y - box.y];
              const near = ([x, y]) => [...document.querySelectorAll('.step[data-step]')].find((step) => {
                const at = step.getBoundingClientRect();
                return x >= at.left && x <= at.right && y >= at.top - 8 && y <= at.bottom + 8;
              }).dataset.step;
              return near(seen(path.getPointAtLength(0))) + '-' + near(seen(path.getPointAtLength(path.getTotalLength())));
            }).sort().join()""")
        self.assertEqual(arrows, "2-3,6-7")

    def test_a_fragment_names_the_step(self):
        self.show(EXAMPLES + "/double_free", fragment="#finding=1&step=4")
        self.assertEqual((self.where(), self.marked()), ("4 of 9", "4"))

    def test_both_accesses_of_a_race_side_by_side(self):
        self.show(EXAMPLES + "/double_checked_locking")
        self.assertEqual(self.count(".access-card"), 2)
        tops = self.browser.ask("[...document.querySelectorAll('.access-card')].map(x => Math.round(x.getBoundingClientRect().top)).join()").split(",")
        self.assertEqual(tops[0], tops[1])
        self.assertEqual(self.texts(".access-card .locks > :first-child"), ["holds mutex", "no lock held"])
        self.assertIn("get_settings ← main", self.text(".access-card .locks"))
        self.assertEqual([re.sub(r"^\d+ *| *//.*", "", text) for text in self.texts(".access-card .line.marked")],
                         ["settings = new Settings;", "if (settings == nullptr) {"])
        self.click(".access-card:nth-child(2) .access")
        self.assertIn("if (settings == nullptr)", self.line())
        self.click(".fold")
        self.assertEqual(self.count(".access-card"), 0)
        self.assertEqual(self.browser.troubles(), [])

    def test_source_has_colours(self):
        self.show(EXAMPLES + "/double_checked_locking")
        colours = self.browser.ask("""[...new Set(['keyword', 'comment', 'directive', 'typename', 'call', 'number'].map(
            (kind) => getComputedStyle(document.querySelector('.source .token.' + kind)).color))].length""")
        self.assertEqual(colours, 6)

    def test_a_long_schedule_keeps_the_step_and_the_controls_in_sight(self):
        self.show(self.build(SPEAKS, "-DROUNDS=60"))
        self.assertEqual(self.where(), "121 of 121")
        for key in ("Home", "End", "PageUp", "PageUp", "PageUp", "ArrowLeft"):
            self.browser.press(key)
            self.browser.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))", wait=True)
            if key != "Home":
                self.assertTrue(self.is_seen(".step.current"), key)
            self.assertTrue(self.is_seen("#forward") and self.is_seen("#at"), key)

    def test_five_threads_fit(self):
        self.show(EXAMPLES + "/philosophers_threads", "4")
        self.assertEqual(self.count(".heads .head"), 6)
        self.assertEqual(self.browser.ask("innerWidth"), 1280)
        self.assertTrue(self.browser.ask("(() => { const area = document.querySelector('.picture'); return area.scrollWidth <= area.clientWidth; })()"))
        # And what they do can be read.
        self.assertTrue(self.browser.ask("[...document.querySelectorAll('.step')].every((box) => box.scrollWidth <= box.clientWidth)"))
        self.assertTrue(self.browser.ask("document.documentElement.scrollWidth <= innerWidth"))

    def test_output_until_the_step(self):
        self.show(EXAMPLES + "/toss_assertion")
        self.browser.press("u")
        at_end = self.text(".panel")
        self.browser.press("Home")
        self.browser.press("u")
        self.assertEqual(self.text(".panel"), "the program has written nothing yet")
        self.assertIn("tosses so far", at_end)
        self.show(self.build(SPEAKS, "-DROUNDS=3"))
        self.browser.press("u")
        self.assertRegex(self.text(".output"), r"^round 0\nround 1\nround 2\n")
        self.browser.press("Home")
        self.browser.press("ArrowRight")
        self.assertEqual(self.text(".output"), "round 0\n")

    def test_several_findings(self):
        self.show("--keep-going", self.build(TWO_BUGS))
        kinds = self.texts(".reported button")
        self.assertEqual(sorted(kind.split()[0] for kind in kinds), ["assertion", "crash"])
        for key, shown in (("]", 1), ("]", 0), ("[", 1)):
            self.browser.press(key)
            self.assertEqual(self.text(".reported button.on"), kinds[shown])
            self.assertIn(kinds[shown].split()[0], self.text('[data-testid="findings"]'))
        self.assertIn("#finding=2", self.browser.ask("location.hash"))
        self.assertEqual(self.browser.troubles(), [])

    def test_nothing_found(self):
        self.show(EXAMPLES + "/double_free_fixed")
        self.assertEqual(self.text("#word"), "ok")
        self.assertEqual(self.count("main"), 0)
        self.assertEqual(self.browser.troubles(), [])

    def test_names_are_no_markup(self):
        self.show("sh", "-c", "exit 3 # </script><script>alert(1)</script><!-- &amp; \u00e9")
        self.assertIn("</script>", self.text("#command"))
        self.assertEqual(self.count("script"), 2)  # the data, and what shows it
        self.assertEqual(self.browser.troubles(), [])

    def test_nothing_is_loaded_from_elsewhere(self):
        text = page(self.folder.name, EXAMPLES + "/double_free").read_text()
        markup = re.sub(r"<(script|style)\b[^>]*>.*?</\1>", "", text, flags=re.DOTALL)
        self.assertNotRegex(markup, r"(src|href)=|@import")
        self.assertNotRegex(re.search("<style>(.*?)</style>", text, re.DOTALL).group(1), r"@import|url\((?!#)")
        self.show(EXAMPLES + "/double_free")
        self.assertEqual(self.browser.ask("performance.getEntriesByType('resource').length"), 0)


if __name__ == "__main__":
    if browser.find() is None:
        print("there is no browser here: install chromium")
        sys.exit(77)
    unittest.main()
