// What is wrong in this state, in full, above the columns: what happened, why, and of a data race both accesses side by side.
import { useEffect, useState } from "preact/hooks";
import { Access, backend, FindingView } from "./api";
import { colorOf } from "./colors";
import { Excerpt } from "./code";
import { model } from "./model";

const kLinesAround = 2;

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

function AccessCard({ access }: { access: Access }) {
  const { thread, place, stack } = access;
  const file = place?.file ?? "";
  useEffect(() => void model.wantSource(file), [file]);
  const name = model.run!.threads.find((one) => one.id === thread);
  const lines = model.sources.get(file) ?? [];
  const users = stack.filter((frame) => frame.user && frame.function);
  return (
    <div class="access-card" style={{ "--color": colorOf(thread) }}>
      <button class="access" disabled={!place} title="show its source" onClick={() => place && model.showPlace(thread, place)}>
        <i class="dot" style={{ background: colorOf(thread) }} />
        <b>
          {name?.name ?? `T${thread}`} {name?.role}
        </b>{" "}
        {access.access}
        {place && <em>{`${place.file.split("/").pop() || place.module}:${place.line}`}</em>}
      </button>
      <p class="locks">
        <span class={access.locks.length === 0 ? "bad" : ""}>{access.locks.length === 0 ? "no lock held" : "holds " + access.locks.join(", ")}</span>
        {users.length > 1 && <span class="soft"> · {users.slice(0, 6).map((frame) => frame.function).join(" ← ")}</span>}
      </p>
      {place && lines.length > 0 && <Excerpt lines={lines} line={place.line} around={kLinesAround} color={colorOf(thread)} />}
    </div>
  );
}

// Their places only, where there is no room for both.
function Accesses({ finding }: { finding: FindingView }) {
  const accesses = finding.accesses ?? [];
  if (accesses.length === 0) return null;
  return (
    <div class="accesses" data-testid="accesses">
      {accesses.map((access, i) => (
        <AccessCard key={i} access={access} />
      ))}
    </div>
  );
}

function Next({ finding }: { finding: FindingView }) {
  const passing = model.passing;
  return (
    <span class="next">
      {finding.kind === "deadlock" && model.hello!.kind === "program" && (
        <button onClick={() => model.setTab("waits")}>
          who waits for whom <kbd>b</kbd>
        </button>
      )}
      {passing?.critical && (
        <button id="critical" title="the step with which the error became certain: after it, every continuation fails" onClick={() => model.toCritical()}>
          point of no return: step {passing.critical} <kbd>c</kbd>
        </button>
      )}
      {passing?.passing && (
        <button id="compare" title="the nearest run that passes, and what is different there" onClick={() => model.compare()}>
          compare with a passing run <kbd>C</kbd>
        </button>
      )}
      {passing?.doomed && <em class="soft">every schedule fails</em>}
    </span>
  );
}

export function Findings() {
  const [closed, setClosed] = useState(false);
  const findings = model.state!.findings;
  if (findings.length === 0) return null;
  const hasMore = findings.some((finding) => (finding.accesses ?? []).length > 0);
  return (
    <section class="findings" data-testid="findings" aria-label="findings">
      {findings.map((finding, i) => (
        <div key={i} class="finding-row">
          <p data-kind={finding.kind}>
            {hasMore && i === findings.length - 1 && (
              <button class="icon fold" title={closed ? "show both accesses" : "hide the accesses"} aria-expanded={!closed} onClick={() => setClosed(!closed)}>
                {closed ? "▸" : "▾"}
              </button>
            )}
            <b>{finding.kind}</b> {finding.message}
            {finding.why && <span class="why"> {finding.why}.</span>}
            {i === findings.length - 1 && <Next finding={finding} />}
          </p>
          {!closed && <Accesses finding={finding} />}
        </div>
      ))}
    </section>
  );
}

// Of a report: which finding is shown, and how it is run again.
export function Reported() {
  const report = backend.report;
  if (!report) return null;
  const here = model.run ? backend.findings[model.run.run - 1] : undefined;
  return (
    <section class="report" aria-label="verdict">
      <p>
        <b id="word" class={"word " + report.word}>
          {report.word}
        </b>{" "}
        <span id="verdict">{report.verdict}</span>{" "}
        <span class="soft" id="counts">
          {`${counted(report.executions, "execution")}, ${counted(report.transitions, "transition")}, depth ${report.depth}, ${report.seconds.toFixed(2)} s, search ${report.search}`}
        </span>
      </p>
      {report.notes.map((note) => (
        <p key={note} class="soft">
          {note}
        </p>
      ))}
      {backend.findings.length > 1 && (
        <p class="reported">
          {backend.findings.map((finding, i) => (
            <button key={i} class={model.run?.run === i + 1 ? "on" : ""} onClick={() => model.goToFinding(i + 1)}>
              {finding.kind} {i + 1}
            </button>
          ))}
        </p>
      )}
      {here && (
        <p class="soft" id="replay">
          {here.location && <span>at {here.location.split("/").pop()} </span>}
          {here.count > 1 && <span>· in {here.count} executions </span>}
          {here.preemptions !== undefined && <span>· {counted(here.preemptions, "preemption")} </span>}
          {here.replay && <code>{here.replay}</code>} {here.simulate && <code>{here.simulate}</code>}
        </p>
      )}
    </section>
  );
}
