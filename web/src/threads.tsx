// The threads of the state, with what each stands before; a click lets one go on.
import { Fragment } from "preact";
import { backend, Choice, ThreadView } from "./api";
import { colorOf } from "./colors";
import { model } from "./model";

const kStatus: Record<ThreadView["status"], string> = {
  enabled: "can go on",
  blocked: "blocked",
  asleep: "asleep",
  bound: "at its bound",
  exit: "at exit",
  killed: "killed",
  failed: "failed",
  running: "runs on",
};

function ChoiceButton({ choice, number }: { choice: Choice; number: number }) {
  return (
    <button class="choice" data-choice={`${choice.thread}:${choice.outcome}`} onClick={() => model.take_choice(choice)}>
      {number < 9 && <kbd>{number + 1}</kbd>}
      <span>{choice.text}</span>
    </button>
  );
}

function Card({ thread, choices }: { thread: ThreadView; choices: Choice[] }) {
  const frame = thread.stack[0];
  const isShown = model.shown() === thread.id;
  return (
    <section
      class={"card " + thread.status + (isShown ? " shown" : "") + (model.state!.cycle.includes(thread.id) ? " cycle" : "")}
      style={{ "--color": colorOf(thread.id) }}
      data-thread={thread.name}
      data-status={thread.status}
    >
      <header>
        <button class="title" title="show its source" onClick={() => model.select(thread.id)}>
          <i class="dot" style={{ background: colorOf(thread.id) }} />
          <b>{thread.name}</b> {thread.role}
        </button>
        <span class="status">{kStatus[thread.status]}</span>
      </header>
      {thread.choices.length > 0 && !backend.offline ? (
        thread.choices.map((choice) => {
          const all = choices.findIndex((one) => one.thread === thread.id && one.outcome === choice.outcome);
          return <ChoiceButton key={choice.outcome} choice={choices[all]} number={all} />;
        })
      ) : (
        <p class="operation">{thread.operation}</p>
      )}
      {thread.why && <p class="why">{thread.why}</p>}
      {(thread.signals ?? []).map((signal) => (
        <p key={signal} class="signal">
          {signal}
        </p>
      ))}
      {frame && frame.file && (
        <footer>
          <button class="place" onClick={() => model.select(thread.id)}>
            <span>
              <i>{frame.file.split("/").pop()}</i>:{frame.line}
            </span>{" "}
            <em>{frame.function}</em>
          </button>
          {!backend.offline && (
            <button class="run-to" title="run to its next operation" onClick={() => model.runTo({ thread: thread.id })}>
              ⇥
            </button>
          )}
        </footer>
      )}
    </section>
  );
}

// The threads of a process stand together, in the order of their processes' first ones.
function byProcess(threads: ThreadView[]): ThreadView[] {
  const order = [...new Set(threads.map((thread) => thread.process))];
  return order.flatMap((process) => threads.filter((thread) => thread.process === process));
}

export function Threads() {
  return (
    <aside class="threads" aria-label="threads">
      <Cards />
    </aside>
  );
}

export function Cards() {
  const choices = model.choices();
  const state = { ...model.state!, threads: byProcess(model.state!.threads) };
  const processes = new Set(state.threads.map((thread) => thread.process));
  return (
    <>
      {state.choices && (
        <section class="card actions">
          <header>
            <b>Actions</b>
            <span class="status">{choices.length === 0 ? "none" : `${choices.length} can happen`}</span>
          </header>
          {choices.map((choice, i) => (
            <ChoiceButton key={i} choice={choice} number={i} />
          ))}
        </section>
      )}
      {state.threads.map((thread, i) => (
        <Fragment key={thread.id}>
          {processes.size > 1 && state.threads.findIndex((one) => one.process === thread.process) === i && (
            <h2 class="process">process {thread.process}</h2>
          )}
          <Card thread={thread} choices={choices} />
        </Fragment>
      ))}
      {state.tester && <Tester />}
    </>
  );
}

function Tester() {
  const tester = model.state!.tester!;
  return (
    <section class="card tester" data-testid="tester">
      <header>
        <b>tester {tester.name}</b>
        <span class="status">{tester.events.length === 1 ? "1 event" : `${tester.events.length} events`}</span>
      </header>
      {tester.states.length === 0 && <p class="operation">does not follow any more</p>}
      {tester.states.map((state) => (
        <p key={state.name} class={"operation" + (state.reject ? " reject" : "")}>
          {state.name}
          {state.reject && " (reject: must not be reached)"}
          {state.deadlock && " (must not stop here)"}
          {state.livelock && " (must not go on here without events)"}
          {state.infinite && " (must not come here without end)"}
        </p>
      ))}
      {tester.events.length > 0 && <p class="why">{tester.events.slice(-12).join(" → ")}</p>}
    </section>
  );
}
