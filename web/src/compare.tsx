// What would have had to go otherwise: the nearest run that passes beside this one.
import { Step } from "./api";
import { colorOf } from "./colors";
import { Dialog } from "./dialogs";
import { model } from "./model";

const kMostRows = 60;

const nameOf = (thread: number) => model.run!.threads.find((one) => one.id === thread)?.name ?? `T${thread}`;

function Cell({ step, number, marked }: { step: Step | undefined; number: number; marked: boolean }) {
  if (!step) return <td />;
  return (
    <td class={marked ? "changed" : ""} title={step.place}>
      <span class="soft">{number + 1}</span>{" "}
      <span class="chip" style={{ "--color": colorOf(step.thread) }}>
        {nameOf(step.thread)}
      </span>
      <code>{step.what}</code>
    </td>
  );
}

export function Compare() {
  const found = model.passing!;
  const { run, length, fork } = found.passing!;
  const close = () => ((model.comparing = false), model.changed());
  const here = new Set(found.differences.flatMap((one) => one.failing));
  const there = new Set(found.differences.flatMap((one) => one.passing));
  const count = Math.min(kMostRows, Math.max(model.run!.length - fork, model.others.length));
  return (
    <Dialog title="What would have to go otherwise" onClose={close} wide>
      <p data-testid="compare" data-fork={fork}>
        {fork === 0 ? "The runs differ from the first step on." : fork === 1 ? "Both runs begin with the same step." : `Both runs begin with the same ${fork} steps.`}{" "}
        {found.differences.length > 0 ? "Where it ends well:" : "Where it ends well, no two dependent steps are the other way round."}
      </p>
      <ul class="differences">
        {found.differences.map((one, i) => (
          <li key={i} data-kind={one.kind}>
            <b>{one.text}</b>; <span class="soft">{one.here}</span>
          </li>
        ))}
      </ul>
      <table class="objects compared">
        <thead>
          <tr>
            <th>this run fails</th>
            <th>this one passes</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: count }, (_, i) => (
            <tr key={i}>
              <Cell step={fork + i < model.run!.length ? model.steps.get(fork + i) : undefined} number={fork + i} marked={here.has(fork + i)} />
              <Cell step={model.others[i]} number={fork + i} marked={there.has(fork + i)} />
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">
        {found.tried === 1 ? "One continuation was tried." : `The nearest of those that passed, of ${found.tried} continuations that were tried.`}
        {length > fork + count && ` The passing run has ${length} steps.`}
      </p>
      <p>
        <button class="primary" id="visit-passing" onClick={() => (close(), void model.goToRun(run, fork))}>
          go to the passing run
        </button>{" "}
        {found.critical && (
          <button onClick={() => (close(), void model.toCritical())}>to the point of no return, step {found.critical}</button>
        )}
      </p>
    </Dialog>
  );
}
