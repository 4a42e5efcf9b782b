// What is shown above the page: the outcome of reordering two steps, and the help.
import { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { backend } from "./api";
import { kKeys } from "./keys";
import { model } from "./model";

export function Dialog({ title, onClose, children, wide }: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div class="veil" onClick={onClose}>
      <div class={"dialog" + (wide ? " wide" : "")} role="dialog" aria-label={title} tabIndex={-1} ref={box} onClick={(event) => event.stopPropagation()}>
        <h2>{title}</h2>
        {children}
        <footer>
          <button onClick={onClose}>
            close <kbd>Esc</kbd>
          </button>
        </footer>
      </div>
    </div>
  );
}

export function SwapDialog() {
  const swap = model.swap!;
  const close = () => ((model.swap = null), model.changed());
  const visit = () => {
    const at = swap.same ? swap.first + 2 : swap.other!.length;
    close();
    void model.goToRun(swap.other!.run, at);
  };
  return (
    <Dialog title={`Steps ${swap.first + 1} and ${swap.first + 2} in the other order`} onClose={close}>
      <p class={swap.same ? "good" : swap.possible ? "bad" : "soft"} data-testid="swap" data-same={swap.same}>
        {swap.why}
      </p>
      {swap.changes.length > 0 && (
        <table class="objects">
          <thead>
            <tr>
              <th />
              <th>as it was</th>
              <th>in the other order</th>
            </tr>
          </thead>
          <tbody>
            {swap.changes.map((change) => (
              <tr key={change.name}>
                <td class="mono">{change.name}</td>
                <td class="mono soft">{change.now}</td>
                <td class="mono value">{change.other}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {swap.possible && swap.other && (
        <p>
          <button class="primary" id="visit-other" onClick={visit}>
            go to the other order
          </button>
        </p>
      )}
    </Dialog>
  );
}

export function Help() {
  return (
    <Dialog title="Keys" onClose={() => ((model.help = false), model.changed())}>
      <table class="keys">
        <tbody>
          {kKeys.filter(([, , live]) => !live || !backend.offline).map(([key, what]) => (
            <tr key={key}>
              <td>
                <kbd>{key}</kbd>
              </td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
