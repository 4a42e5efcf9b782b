// A page without a server: a report, or a run that the simulator has recorded. The address says where to begin, and follows:
// #finding=2&step=3
import { start } from "./app";
import { model } from "./model";
import { recorded, Recording } from "./offline";
import "./style.css";

async function begin(data: Recording) {
  document.title = "Mazurka: " + data.command;
  await start(recorded(data));
  if (!model.run) return;
  const wanted = new URLSearchParams(location.hash.slice(1));
  const finding = Number(wanted.get("finding") ?? 1);
  if (finding > 1) await model.goToFinding(finding);
  if (wanted.has("step")) await model.jump(Number(wanted.get("step")) || 0);
  model.listen(() => {
    const address = `#finding=${model.run!.run}&step=${model.at}`;
    if (location.hash !== address) history.replaceState(null, "", address);
  });
}

void begin(JSON.parse(document.getElementById("data")!.textContent!) as Recording);
