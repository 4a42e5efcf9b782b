// What is wrong in this state, in full, above the three columns.
import { FindingView } from "./api";
import { colorOf } from "./colors";
import { model } from "./model";

function Accesses({ finding }: { finding: FindingView }) {
  return (
    <>
      {(finding.accesses ?? []).map(({ thread, what, place }, i) => (
        <button key={i} class="access" disabled={!place} title="show its source" onClick={() => place && model.showPlace(thread, place)}>
          <i class="dot" style={{ background: colorOf(thread) }} /> {what}
          {place && <em>{` ${place.file.split("/").pop() || place.module}:${place.line}`}</em>}
        </button>
      ))}
    </>
  );
}

export function Findings() {
  const findings = model.state!.findings;
  if (findings.length === 0) return null;
  return (
    <section class="findings" data-testid="findings" aria-label="findings">
      {findings.map((finding, i) => (
        <p key={i} data-kind={finding.kind}>
          <b>{finding.kind}</b> {finding.message}
          <Accesses finding={finding} />
          {finding.kind === "deadlock" && model.hello!.kind === "program" && (
            <button class="access" onClick={() => model.setTab("waits")}>
              who waits for whom
            </button>
          )}
        </p>
      ))}
    </section>
  );
}
