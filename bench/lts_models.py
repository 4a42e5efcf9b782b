"""The models of lts_bench.py, each as a network for Mazurka and in Promela for SPIN."""

import dataclasses
import pathlib
import subprocess
import sys

PHILOSOPHERS = pathlib.Path(__file__).parents[1] / "examples" / "lts" / "philosophers.py"

# Nothing is illegal, so that all states are visited.
REACHABILITY_TESTER = "tester reachability\ninitial q\n"


@dataclasses.dataclass
class Model:
    name: str
    network: pathlib.Path
    tester: str
    promela: str
    liveness: bool


def live_tester(again, never):
    """Illegal: `again` infinitely often, and from some time on no `never`."""
    return f"""tester live
visible "{again}" "{never}"
initial q
q -"{again}"-> q
q -"{never}"-> q
q -"{again}"-> w
w -"{again}"-> w
infinite w
"""


def never_claim(first, second, never):
    """The same for SPIN, which sees states and not actions: `first` and `second`, which follow each
    other only over `never`, infinitely often, and from some time on no `never`."""
    return f"""
never {{
T0: if
  :: (true) -> goto T0
  :: !({never}) -> goto S0
  fi;
S0: if
  :: !({never}) && ({first}) -> goto S1
  :: !({never}) -> goto S0
  fi;
S1: if
  :: !({never}) && ({second}) -> goto accept_S2
  :: !({never}) -> goto S1
  fi;
accept_S2: if
  :: !({never}) -> goto S0
  fi
}}
"""


def philosophers(n, folder, loop, liveness):
    command = [sys.executable, PHILOSOPHERS, str(n), folder]
    subprocess.run(command + (["--loop"] if loop else []), check=True)
    body = """think: atomic { fork[_pid] == 0 -> fork[_pid] = 1 };
hold: atomic { fork[(_pid + 1) % N] == 0 -> fork[(_pid + 1) % N] = 1 };
eat: fork[_pid] = 0;
put: fork[(_pid + 1) % N] = 0"""
    if loop:
        body = f"do :: {body} od"
    promela = f"#define N {n}\nbit fork[N];\nactive [N] proctype P() {{\n{body}\n}}\n"
    tester = REACHABILITY_TESTER
    if liveness:
        promela += never_claim("P[0]@think", "P[0]@eat", "P[0]@put")
        tester = live_tester("p0 takes fork0", "p0 puts fork0")
    name = f"{'looping ' if loop else ''}philosophers {n}"
    return Model(name, folder / "philosophers.net", tester, promela, liveness)


def counters(k, folder, liveness):
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for i in range(k):
        labels = {7: f"c{i} half", 15: f"c{i} wraps"}
        edges = [f'({s}, "{labels.get(s, f"c{i} steps")}", {(s + 1) % 16})' for s in range(16)]
        (folder / f"c{i}.aut").write_text("des (0, 16, 16)\n" + "\n".join(edges) + "\n")
        lines.append(f'process c{i} = "c{i}.aut"\n')
    (folder / "counters.net").write_text("".join(lines))
    promela = (
        f"#define K {k}\nbyte c[K];\nactive [K] proctype P() {{\n"
        "do :: c[_pid] = (c[_pid] + 1) % 16 od\n}\n"
    )
    tester = REACHABILITY_TESTER
    if liveness:
        promela += never_claim("c[0] == 15", "c[0] == 0", "c[0] == 8")
        tester = live_tester("c0 wraps", "c0 half")
    return Model(f"{k} counters mod 16", folder / "counters.net", tester, promela, liveness)


def all_models(folder):
    for n in (9, 10, 11):
        yield philosophers(n, folder / f"philosophers{n}", loop=False, liveness=False)
    yield philosophers(12, folder / "looping12", loop=True, liveness=False)
    yield counters(5, folder / "counters5", liveness=False)
    yield philosophers(12, folder / "live12", loop=True, liveness=True)
    yield counters(5, folder / "live_counters5", liveness=True)
