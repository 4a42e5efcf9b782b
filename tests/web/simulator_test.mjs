// The simulator in a real browser: clicks and keys as a user's, on the examples. With a folder for PICTURES it also makes those
// of the documentation.
//   node simulator_test.mjs TOOLS CHROMIUM MAZURKA EXAMPLES PROGRAMS [PICTURES]
// ONLY=word runs only the tests with that in their names, MAZURKA_SIM_TIMES=1 prints what a step took.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [tools, chromium, mazurka, examples, programs, pictures] = process.argv.slice(2);
const sources = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium: engine } = createRequire(resolve(tools, "package.json"))("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "mazurka-sim-"));
const servers = [];

function simulate(...words) {
  const server = spawn(mazurka, ["sim", "--no-open", ...words], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  servers.push(server);
  return new Promise((done, fail) => {
    let text = "";
    server.stdout.on("data", (data) => {
      text += data;
      const found = /http:\S+/.exec(text);
      if (found && text.includes("\n")) done(found[0]);
    });
    server.on("exit", (code) => fail(new Error(`mazurka sim ended with ${code}`)));
  });
}

const browser = await engine.launch({ executablePath: chromium, args: ["--no-sandbox", "--headless=new", "--disable-gpu", "--disable-dev-shm-usage"] });
// Of the test that runs: a window of its own, since what is behind another window is not drawn.
const windows = new AsyncLocalStorage();

class Page {
  static async open(address) {
    const page = new Page();
    page.page = await windows.getStore().newPage();
    page.errors = [];
    page.page.on("pageerror", (error) => page.errors.push(String(error)));
    page.page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:")) page.errors.push("asked " + url);
    });
    await page.page.goto(address);
    await page.page.waitForSelector("main[data-at]");
    return page;
  }
  where() {
    return this.page.$eval("main", (main) => ({ at: Number(main.dataset.at), length: Number(main.dataset.length), run: Number(main.dataset.run) }));
  }
  // Until the move has arrived.
  async at(at, length) {
    await this.page.waitForSelector(`main[data-at="${at}"]${length === undefined ? "" : `[data-length="${length}"]`}[data-busy="false"]`);
  }
  async choose(thread) {
    const { at } = await this.where();
    await this.page.click(`.card[data-thread="${thread}"] .choice`);
    await this.at(at + 1);
  }
  status(thread) {
    return this.page.getAttribute(`.card[data-thread="${thread}"]`, "data-status");
  }
  async key(key) {
    await this.page.keyboard.press(key);
  }
  // Not while an answer is under way: the page is drawn anew when it comes, which may take away what was typed.
  async goTo(step, length) {
    await this.page.waitForSelector('main[data-busy="false"]');
    await this.key("#");
    await this.page.waitForFunction(() => document.activeElement?.id === "at");
    await this.page.keyboard.type(String(step));
    await this.key("Enter");
    await this.at(step, length);
  }
  findings() {
    return this.page.$$eval('[data-testid="findings"] p', (all) => all.map((one) => one.textContent));
  }
  end() {
    return this.page.getAttribute('[data-testid="verdict-line"]', "data-end");
  }
  // How long the last move took until it was drawn.
  shown() {
    return this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(window.mazurka.milliseconds)))));
  }
  value(object) {
    return this.page.textContent(`tr[data-object="${object}"] .value`);
  }
  async picture(name) {
    if (pictures) await this.page.screenshot({ path: join(pictures, name) });
  }
  async close() {
    assert.deepEqual(this.errors, []);
    await this.page.close();
  }
}

function tell(what, times) {
  if (process.env.MAZURKA_SIM_TIMES) console.log(`${what}: shown after ${times.map((time) => time.toFixed(0)).join(", ")} ms`);
}

const tests = {
  async "philosophers are stepped to the deadlock, back, and to a clean end"() {
    const page = await Page.open(await simulate("--", join(examples, "philosophers_threads"), "2"));
    assert.deepEqual(await page.where(), { at: 0, length: 0, run: 1 });
    assert.equal(await page.status("T0"), "blocked");  // it joins
    await page.choose("T0.1");
    assert.match(await page.value("table[0]"), /held by T0\.1/);
    await page.choose("T0.2");
    assert.equal(await page.end(), "deadlock");
    assert.match((await page.findings())[0], /^deadlock no thread can go on: .*T0\.2 at lock table\[0\]/);
    assert.equal(await page.status("T0.1"), "blocked");
    assert.match(await page.page.textContent('.card[data-thread="T0.1"] .why'), /held by T0\.2/);
    assert.equal(await page.page.locator(".card.cycle").count(), 2);
    assert.equal(await page.page.locator(".gutter .preempts").count(), 1);  // T0.1 could have gone on
    await page.picture("simulator-deadlock.png");
    await page.page.click('[data-testid="findings"] button');  // who waits for whom
    assert.equal(await page.page.locator(".wait.cycle").count(), 2);
    assert.deepEqual((await page.page.$$eval(".waiter", (all) => all.map((one) => one.dataset.thread))).sort(), ["T0", "T0.1", "T0.2"]);
    assert.deepEqual((await page.page.$$eval(".wait text", (all) => all.map((one) => one.textContent))).sort(), ["", "table[0]", "table[1]"]);
    await page.picture("simulator-waits.png");

    await page.page.click("#back");
    await page.at(1, 2);
    await page.page.click("#back");
    await page.at(0, 2);
    assert.equal(await page.end(), "open");
    const times = [];
    for (let steps = 0; (await page.page.locator(".choice").count()) > 0; ++steps) {
      assert(steps < 100);
      const { at } = await page.where();
      await page.page.locator(".card .choice").first().click();
      await page.at(at + 1);
      times.push(await page.shown());
    }
    tell("philosophers", times);
    assert.equal(await page.end(), "finished");
    assert.deepEqual(await page.page.$$eval(".card", (cards) => cards.map((card) => card.dataset.status)), ["exit", "exit", "exit"]);
    await page.close();
  },

  async "a finding is opened from check"() {
    let report = "";
    try {
      execFileSync(mazurka, ["check", "--", join(examples, "philosophers_threads"), "3"], { cwd: folder });
    } catch (error) {
      report = String(error.stdout);
    }
    const command = /simulate: mazurka sim (.*)/.exec(report);
    assert(command, report);
    const page = await Page.open(await simulate(...command[1].trim().split(" ")));
    const { at, length } = await page.where();
    assert(at === length && length > 0);
    assert.equal(await page.end(), "deadlock");
    await page.key("Home");
    await page.at(0, length);
    await page.close();
  },

  async "the browser is led to the page by a file"() {
    const opener = join(folder, "xdg-open");
    writeFileSync(opener, '#!/bin/sh\necho "$1" > "$0.new"\nmv "$0.new" "$0.asked"\n', { mode: 0o755 });
    const server = spawn(mazurka, ["sim", "--", join(examples, "philosophers_threads"), "2"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DISPLAY: ":77", PATH: `${folder}:${process.env.PATH}` },
    });
    servers.push(server);
    while (!existsSync(opener + ".asked")) await new Promise((wait) => setTimeout(wait, 20));
    const page = await windows.getStore().newPage();
    await page.goto("file://" + readFileSync(opener + ".asked", "utf8").trim());
    await page.waitForSelector("main[data-at]");
    await page.close();
  },

  async "independent steps are reordered and nothing changes; dependent ones lead elsewhere"() {
    const page = await Page.open(await simulate("--", join(examples, "philosophers_threads"), "2"));
    await page.choose("T0.1");
    await page.choose("T0.2");
    await page.key("s");
    const same = page.page.locator('[data-testid="swap"]');
    assert.equal(await same.getAttribute("data-same"), "true");
    assert.match(await same.textContent(), /independent/);
    await page.page.click("#visit-other");
    await page.at(2, 2);
    assert.match(await page.page.textContent('.step[data-step="1"]'), /table\[1\]/);
    await page.key("Home");
    await page.at(0, 2);
    await page.choose("T0.1");
    await page.choose("T0.1");
    await page.key("s");
    assert.match(await same.textContent(), /a thread has its own order/);
    await page.key("Escape");
    await page.close();

    const other = await Page.open(await simulate("--", join(examples, "lost_update")));
    for (const thread of ["T0.1", "T0.1", "T0.2"]) await other.choose(thread);
    assert.equal(await other.page.locator(".arrow").count(), 1);  // from the store to the load
    await other.key("s");
    assert.equal(await other.page.getAttribute('[data-testid="swap"]', "data-same"), "false");
    assert.match(await other.page.textContent('[data-testid="swap"]'), /dependent/);
    assert.match(await other.page.textContent('[role="dialog"] tbody'), /T0\.2.*= 2.*= 1/);
    await other.picture("simulator-reorder.png");
    await other.page.click("#visit-other");
    await other.at(3, 3);
    assert.match(await other.page.textContent('.card[data-thread="T0.2"] .choice'), /= 1/);
    await other.close();
  },

  async "the search from here knows what can still go wrong"() {
    const page = await Page.open(await simulate("--", join(examples, "philosophers_threads"), "2"));
    await page.key("F");
    const verdict = page.page.locator('[data-testid="verdict"]');
    assert.match(await verdict.textContent(), /1 finding/);
    await page.picture("simulator-search.png");
    await page.page.click(".finding");
    await page.page.waitForSelector('[data-testid="verdict-line"][data-end="deadlock"]');
    await page.key("Home");
    await page.page.waitForSelector('main[data-at="0"]');
    await page.choose("T0.1");
    await page.choose("T0.1");  // it has both forks: no deadlock any more
    await page.key("F");
    await page.page.waitForFunction(() => /nothing can go wrong/.test(document.querySelector('[data-testid="verdict"]')?.textContent ?? ""));
    await page.close();
  },

  async "two philosophers have 17 states and 18 transitions"() {
    const page = await Page.open(await simulate("--", join(examples, "philosophers_processes"), "2"));
    await page.key("g");
    const caption = page.page.locator(".graph .caption");
    assert.equal(await caption.getAttribute("data-states"), "17");
    assert.equal(await caption.getAttribute("data-transitions"), "18");
    assert.equal(await page.page.locator('.node[data-kind="deadlock"]').count(), 1);
    await page.page.click('.node[data-kind="deadlock"]');
    await page.page.waitForSelector('[data-testid="verdict-line"][data-end="deadlock"]');
    await page.page.waitForSelector(".node.here.deadlock");
    await page.picture("simulator-states.png");
    await page.close();
  },

  async "variables show what the program's memory holds, and what changed"() {
    const page = await Page.open(await simulate("--", join(programs, "sim_values")));
    await page.key("v");
    await page.page.waitForSelector('tr[data-variable="bank::balance"]');
    await page.key("w");
    await page.page.keyboard.type("list->next->value");
    await page.key("Enter");
    await page.page.waitForFunction(() => document.querySelector('tr[data-variable="list->next->value"] .value')?.textContent === "2");
    await page.key("Escape");
    await page.choose("T0.1");
    await page.page.waitForSelector('tr.changed[data-variable="bank::balance"]');
    assert.equal(await page.page.textContent('tr[data-variable="bank::balance"] .value'), "98");
    assert.equal(await page.page.locator('tr.changed[data-variable="depth"]').count(), 0);
    await page.close();
  },

  async "a crash is shown where it happened, a data race where its accesses are"() {
    const page = await Page.open(await simulate("--", join(programs, "sim_misbehaving"), "crash"));
    await page.key("e");
    await page.page.waitForSelector('.card[data-thread="T0.1"][data-status="failed"]');
    assert.match((await page.findings())[0], /^crash T0\.1 crashed: signal 11/);
    await page.page.waitForSelector('.line.marked:has-text("NULL = 1")');
    await page.close();

    const race = await Page.open(await simulate("--", join(examples, "double_checked_locking")));
    await race.key("e");
    await race.page.waitForSelector('[data-testid="findings"] p[data-kind="race"]');
    const accesses = race.page.locator('[data-testid="findings"] .access');
    assert.equal(await accesses.count(), 2);
    await accesses.nth(0).click();
    await race.page.waitForSelector('.line.marked:has-text("settings = new Settings")');
    await accesses.nth(1).click();
    await race.page.waitForSelector('.line.marked:has-text("if (settings == nullptr)")');
    await race.picture("simulator-race.png");
    await race.close();
  },

  async "processes are told apart, and signals and data are shown"() {
    const page = await Page.open(await simulate("--", join(programs, "sim_signals")));
    assert.match(await page.page.textContent('[aria-label="threads"]'), /handle SIGUSR1/);
    for (const thread of ["T0", "T0", "T0.1"]) await page.choose(thread);
    assert.deepEqual(await page.page.$$eval(".process", (all) => all.map((one) => one.textContent)), ["process T0", "process T0.1"]);
    assert.deepEqual(await page.page.$$eval('.card[data-thread="T0"] .signal', (all) => all.map((one) => one.textContent)), [
      "SIGUSR2 is pending, from T0.1",
      "blocks SIGUSR2",
      "handles SIGUSR1",
    ]);
    await page.close();
    const pipe = await Page.open(await simulate("--", join(programs, "sim_queue")));
    assert.match(await pipe.page.textContent('.card[data-thread="T0.1"] .why'), /it is empty; T0 main could write to it/);
    await pipe.choose("T0");
    assert.equal(await pipe.value("pipe 1"), '6 bytes: "hello\\n"');
    await pipe.close();
  },

  async "a timeline of ten thousand steps draws only what is seen"() {
    const page = await Page.open(await simulate("--depth=200000", "--", join(programs, "sim_long_run"), "4", "2600"));
    await page.key("e");
    await page.page.waitForSelector('[data-testid="verdict-line"][data-end="finished"]');
    const { length } = await page.where();
    assert(length > 10000);
    assert((await page.page.locator(".step").count()) < 150);
    await page.goTo(10001, length);  // nobody has the lock there
    await page.key("Escape");
    await page.page.waitForSelector('.step.current[data-step="10001"]');
    const times = [];
    for (let i = 0; i < 5; ++i) {
      await page.page.locator(".card .choice").last().click();
      await page.at(10002 + i, 10002 + i);
      times.push(await page.shown());
    }
    tell("at step 10000, forward", times);
    await page.key("ArrowLeft");
    await page.at(10005, 10006);
    tell("at step 10000, back", [await page.shown()]);
    await page.close();
  },

  async "a hundred thousand steps are no more to draw"() {
    const page = await Page.open(await simulate("--depth=200000", "--", join(programs, "sim_long_run"), "2", "25000"));
    await page.key("r");
    await page.page.waitForSelector('[data-testid="verdict-line"][data-end="finished"]');
    assert.equal((await page.where()).length, 100002);
    await page.goTo(50000, 100002);
    await page.page.waitForSelector('.step.current[data-step="50000"]');
    assert((await page.page.locator(".step").count()) < 150);
    tell("to the middle of 100000 steps", [await page.shown()]);
    await page.close();
  },

  async "a hundred threads have their columns and cards"() {
    const page = await Page.open(await simulate("--", join(programs, "sim_long_run"), "100", "1"));
    assert.equal(await page.page.locator(".card").count(), 101);
    assert.equal(await page.page.locator(".heads .head").count(), 102);
    await page.key("9");
    await page.at(1, 1);
    await page.close();
  },

  async "networks are simulated by the same page"() {
    const lts = resolve(sources, "examples/lts/mutex");
    const page = await Page.open(await simulate(join(lts, "mutex.net"), "--tester", join(lts, "exclusion.tester")));
    await page.page.waitForSelector('[data-testid="tester"]');
    for (let at = 1; at <= 4; ++at) {
      await page.key("1");
      await page.at(at, at);
    }
    await page.page.waitForSelector(".node.here");
    await page.picture("simulator-network.png");
    await page.key("ArrowLeft");
    await page.at(3, 4);
    await page.close();
  },

  async "every move can be made from the keyboard"() {
    const page = await Page.open(await simulate("--", join(examples, "philosophers_threads"), "2"));
    const shown = () => page.page.textContent(".stack b");
    await page.key("n");
    const first = await shown();
    await page.key("p");
    assert.notEqual(await shown(), first);
    await page.key("j");
    await page.at(1, 1);
    await page.key("k");
    await page.at(0, 1);
    await page.key("x");  // to the next operation of the thread that is shown
    await page.page.waitForFunction(() => Number(document.querySelector("main").dataset.length) > 1);
    await page.key("Home");
    await page.page.waitForSelector('main[data-at="0"]');
    await page.key("l");  // to a line
    await page.page.keyboard.type("18");
    await page.key("Enter");
    await page.page.waitForFunction(() => Number(document.querySelector("main").dataset.at) > 0);
    assert.match(await page.page.textContent(".card.enabled .place"), /philosophers_threads\.c:1[5-8]/);
    await page.key("Escape");
    await page.key("Home");
    await page.page.waitForSelector('main[data-at="0"]');
    await page.key("o");  // to the next operation on an object: the button is in the order of the tab key
    await page.page.focus('tr[data-object="table[1]"] .run-to');
    await page.key("Enter");
    await page.page.waitForFunction(() => Number(document.querySelector("main").dataset.at) > 0);
    await page.key("PageDown");
    await page.key("End");
    const { length } = await page.where();
    await page.at(length, length);
    await page.key("PageUp");
    await page.at(Math.max(0, length - 10), length);
    await page.key("u");
    await page.page.waitForSelector(".panel .empty");
    await page.key("b");
    await page.page.waitForSelector('[data-testid="waits"]');
    await page.key("g");  // a state of the graph
    await page.page.waitForSelector(".node.deadlock");
    await page.page.focus(".node.deadlock");
    await page.key("Enter");
    await page.page.waitForSelector('[data-testid="verdict-line"][data-end="deadlock"]');
    await page.key("t");
    await page.page.waitForSelector('[data-testid="picture"]');
    await page.close();
  },

  async "the point of no return is marked, and a passing run shows what would have to go otherwise"() {
    const page = await Page.open(await simulate("--", join(examples, "lost_wakeup")));
    for (const thread of ["T0", "T0", "T0", "T0.1", "T0.1"]) await page.choose(thread);
    await page.page.waitForSelector('.step.critical[data-step="3"]');
    assert.equal(await page.page.textContent(".no-return"), "point of no return");
    // It opens on the thread that waits in vain, although T0.1 need not be who moved last.
    assert.match(await page.page.textContent(".stack b"), /T0\.1/);
    assert.match(await page.page.textContent('.card[data-thread="T0.1"] .why'), /^will never be woken: the last notify was step 3/);
    await page.key("c");
    await page.at(3, 5);
    await page.key("End");
    await page.at(5, 5);
    await page.key("C");
    await page.page.waitForSelector('[data-testid="compare"]');
    assert.match(await page.page.textContent(".differences"), /T0\.1 'condition wait arrived.*before T0 'signal arrived.*here it comes later/);
    await page.picture("simulator-compare.png");
    await page.page.click("#visit-passing");
    await page.page.waitForSelector('main[data-at="2"]');
    await page.key("End");
    await page.page.waitForSelector('[data-testid="verdict-line"][data-end="finished"]');
    await page.key("c");
    assert.match(await page.page.textContent('[role="alert"]'), /nothing is wrong with this run/);
    await page.close();
  },

  async "structures and containers are opened, and this is in the frame that is shown"() {
    const page = await Page.open(await simulate("--", join(programs, "sim_containers")));
    await page.key("v");
    await page.page.waitForSelector('tr[data-variable="this"]');
    const row = (...path) => `tr[data-path="${path.join("\x1f")}"]`;
    const scope = "shop::Store::work#0";
    assert.equal(await page.page.locator(row(scope, "this", "orders_")).count(), 0);
    await page.page.click(row(scope, "this") + " .open");
    await page.page.click(row(scope, "this", "orders_") + " .open");
    await page.page.click(row(scope, "this", "orders_", "[7]") + " .open");
    await page.page.waitForSelector(row(scope, "this", "orders_", "[7]", "item"));
    assert.equal(await page.page.textContent(row(scope, "this", "orders_", "[7]", "item") + " .value"), '"tea"');
    assert.match(await page.page.textContent(row(scope, "this", "shared_") + " .value"), /\(2 owners\)$/);
    assert.equal(await page.page.locator(row(scope, "this", "served_") + " button.open").count(), 0);
    await page.page.$eval(".panel", (panel) => (panel.scrollTop = 0));
    await page.picture("simulator-variables.png");
    await page.choose("T0.1");  // what is open stays open, and what has changed is marked
    await page.choose("T0.1");
    await page.page.click('.card[data-thread="T0"] .title');
    await page.page.waitForSelector('tr[data-variable="this"]');
    assert.equal(await page.page.textContent(row(scope, "this", "served_") + " .value"), "42");
    // Another frame: its variables come first.
    await page.page.click('.stack button:has-text("main")');
    await page.page.waitForFunction(() => /main/.test(document.querySelector(".variables tbody:not(.dim) th")?.textContent ?? ""));
    await page.close();
  },

  async "five threads fit 1280 pixels, and nothing is cut off"() {
    const page = await Page.open(await simulate("--", join(examples, "philosophers_threads"), "4"));
    for (const thread of ["T0.1", "T0.2", "T0.3", "T0.4"]) await page.choose(thread);
    await page.page.waitForSelector("#compare");
    const cut = await page.page.$$eval(".step, .head, .card .status, .card .title, .tabs button, .chip, .next button", (all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).map((one) => one.className + ": " + one.textContent),
    );
    assert.deepEqual(cut, []);
    assert(await page.page.$eval(".picture", (area) => area.scrollWidth <= area.clientWidth));
    assert(await page.page.$$eval(".tabs", (all) => all.every((one) => one.scrollWidth <= one.clientWidth)));
    await page.key("b");
    // What is written in a box of the wait-for graph is within it.
    assert(await page.page.$$eval(".waiter", (all) => all.every((one) => one.querySelector("text").getBBox().width < one.querySelector("rect").getBBox().width)));
    await page.close();
  },

  async "the graph fits, and is zoomed"() {
    const page = await Page.open(await simulate("--", join(examples, "philosophers_threads"), "3"));
    await page.key("g");
    await page.page.waitForSelector(".node.deadlock");
    const fits = () => page.page.$eval(".graph", (area) => area.scrollWidth <= area.clientWidth && area.scrollHeight <= area.clientHeight + 1);
    assert(await fits());
    const zoom = () => page.page.$eval(".graph", (area) => Number(area.dataset.zoom));
    const before = await zoom();
    assert(before < 1);
    for (let i = 0; i < 4; ++i) await page.key("+");
    assert.equal((await zoom()).toFixed(3), (before * 1.25 ** 4).toFixed(3));
    assert(!(await fits()));
    await page.key("-");
    assert.equal((await zoom()).toFixed(3), (before * 1.25 ** 3).toFixed(3));
    await page.key("0");
    assert(await fits());
    await page.close();
  },

  async "a line is opened in the editor"() {
    const editor = join(folder, "editor");
    writeFileSync(editor, '#!/bin/sh\necho "$1" > "$0.new"\nmv "$0.new" "$0.asked"\n', { mode: 0o755 });
    const asked = async () => {
      while (!existsSync(editor + ".asked")) await new Promise((wait) => setTimeout(wait, 20));
      const text = readFileSync(editor + ".asked", "utf8").trim();
      rmSync(editor + ".asked");
      return text;
    };
    const page = await Page.open(await simulate(`--editor=${editor} {file}:{line}`, "--", join(examples, "philosophers_threads"), "2"));
    await page.page.click('.line:has-text("int main") code');
    assert.match(await asked(), /^\/.*philosophers_threads\.c:22$/);
    await page.key("E");
    assert.match(await asked(), /philosophers_threads\.c:\d+$/);
    await page.close();
  },

  async "a run is kept as one page that needs no program"() {
    const page = await Page.open(await simulate("--", join(programs, "sim_values")));
    for (const thread of ["T0.1", "T0.1", "T0.1"]) await page.choose(thread);
    const download = page.page.waitForEvent("download");
    await page.page.click("#export");
    const file = join(folder, "kept.html");
    await (await download).saveAs(file);
    await page.close();
    const kept = await windows.getStore().newPage();
    const troubles = [];
    kept.on("pageerror", (error) => troubles.push(String(error)));
    await kept.goto("file://" + file);
    await kept.waitForSelector('main.offline[data-at="3"][data-length="3"]');
    await kept.keyboard.press("v");
    await kept.waitForSelector('tr[data-variable="bank::balance"]');
    await kept.keyboard.press("Home");
    await kept.waitForSelector('main[data-at="0"]');
    await kept.keyboard.press("ArrowRight");
    await kept.waitForSelector('main[data-at="1"]');
    await kept.waitForSelector('tr.changed[data-variable="bank::balance"]');
    assert.equal(await kept.textContent('tr[data-variable="bank::balance"] .value'), "98");
    assert.match(await kept.textContent(".source .line.marked"), /pthread_mutex_unlock/);
    assert.equal(await kept.locator("#to-end, #save, .run-to, button.choice").count(), 0);
    await kept.keyboard.press("e");  // what takes a program does nothing
    assert.equal(await kept.locator('[role="alert"]').count(), 0);
    assert.deepEqual(troubles, []);
    await kept.close();
  },

  async "two tabs do not disturb each other, schedules are saved and loaded"() {
    const address = await simulate("--", join(examples, "philosophers_threads"), "2");
    const page = await Page.open(address);
    const second = await Page.open(address);
    await page.key("2");
    await page.at(1, 1);
    await page.key("1");
    await page.at(2, 2);
    assert.deepEqual((await second.where()).at, 0);
    await second.key("e");
    await second.page.waitForSelector('[data-testid="verdict-line"][data-end="finished"]');
    await page.key("ArrowLeft");
    await page.at(1, 2);
    await page.key("ArrowRight");
    await page.at(2, 2);
    assert.equal(await page.end(), "deadlock");
    const download = page.page.waitForEvent("download");
    await page.key("Control+s");
    const file = join(folder, "saved.schedule");
    await (await download).saveAs(file);
    assert.match(readFileSync(file, "utf8"), /^mazurka schedule 1\n/);
    assert.equal(run(["replay", file]), 1);  // the deadlock shows again
    await second.page.setInputFiles('input[type="file"]', file);
    await second.page.waitForSelector('[data-testid="verdict-line"][data-end="deadlock"]');
    writeFileSync(join(folder, "bad.schedule"), "nonsense\n");
    await second.page.setInputFiles('input[type="file"]', join(folder, "bad.schedule"));
    assert.match(await second.page.textContent('[role="alert"]'), /the schedule:1/);
    await second.close();
    await page.key("?");
    await page.page.waitForSelector('[role="dialog"]');
    await page.key("Escape");
    await page.key("d");
    assert.equal(await page.page.getAttribute("html", "data-theme"), "dark");
    await page.picture("simulator-dark.png");
    await page.close();
  },
};

function run(words) {
  try {
    execFileSync(mazurka, words, { cwd: folder, stdio: "ignore" });
    return 0;
  } catch (error) {
    return error.status;
  }
}

let failed = 0;
async function runTest(name, test) {
  const window = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
  window.setDefaultTimeout(60000);
  const began = performance.now();
  try {
    await windows.run(window, test);
    console.log(`ok: ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
  await window.close();
}

// Each has its own server and pages, and waits more than it works. Times are those of one that is alone.
const together = process.env.MAZURKA_SIM_TIMES ? 1 : 3;
const waiting = Object.entries(tests).filter(([name]) => name.includes(process.env.ONLY ?? ""));
async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) await runTest(...next);
}
await Promise.all(Array.from({ length: together }, work));
await browser.close();
for (const server of servers) {
  server.removeAllListeners("exit");
  server.kill();
}
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
