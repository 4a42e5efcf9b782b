// Lines of C and C++ in colours: no parser, only what a reader's eye holds on to.
import { useMemo } from "preact/hooks";

const kKeywords =
  "alignas|alignof|asm|auto|bool|break|case|catch|char|char8_t|char16_t|char32_t|class|concept|const|consteval|constexpr|constinit|const_cast|continue|co_await|co_return|co_yield|decltype|default|delete|do|double|dynamic_cast|else|enum|explicit|export|extern|false|final|float|for|friend|goto|if|inline|int|long|mutable|namespace|new|noexcept|nullptr|NULL|operator|override|private|protected|public|register|reinterpret_cast|requires|restrict|return|short|signed|sizeof|static|static_assert|static_cast|struct|switch|template|this|thread_local|throw|true|try|typedef|typeid|typename|union|unsigned|using|virtual|void|volatile|wchar_t|while|_Atomic|_Bool|_Noreturn|_Static_assert|_Thread_local";
const kTokens = new RegExp(
  [
    String.raw`(?<comment>//.*$|/\*.*?(?:\*/|$))`,
    String.raw`(?<string>(?:u8|[uUL])?R"([^()\\ ]{0,16})\(.*?\)\2"|(?:u8|[uUL])?"(?:[^"\\]|\\.)*"|(?<![\da-fA-F])(?:u8|[uUL])?'(?:[^'\\]|\\.)*')`,
    String.raw`(?<directive>^\s*#\s*\w+(?:\s*<[^>]*>)?)`,
    String.raw`(?<keyword>\b(?:${kKeywords})\b)`,
    String.raw`(?<number>\b(?:0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*(?:\.\d*)?(?:[eE][+-]?\d+)?)[uUlLfFzZ]*\b)`,
    String.raw`(?<typename>\b[A-Z]\w*(?=\s*(?:[&*<{]|::|\s[a-z_]\w*\s*[=;({,)]))|\b(?:std|size_t|ssize_t|u?int(?:8|16|32|64|ptr)_t|pthread_\w+_t|sem_t)\b|(?<=\bstd::)[a-z]\w*(?!\w*\s*\())`,
    String.raw`(?<call>\b[A-Za-z_]\w*(?=\s*\())`,
  ].join("|"),
  "g",
);

interface Token {
  kind: string; // empty: nothing special
  text: string;
}

// Whether a line begins within a comment of several lines, and whether it ends in one.
export function tokens(text: string, inComment: boolean): { all: Token[]; inComment: boolean } {
  const all: Token[] = [];
  let end = 0;
  if (inComment) {
    const close = text.indexOf("*/");
    if (close < 0) return { all: [{ kind: "comment", text }], inComment: true };
    end = close + 2;
    all.push({ kind: "comment", text: text.slice(0, end) });
  }
  let open = false;
  const rest = text.slice(end);
  let at = 0;
  for (const match of rest.matchAll(kTokens)) {
    if (match.index > at) all.push({ kind: "", text: rest.slice(at, match.index) });
    const kind = Object.entries(match.groups!).find(([, found]) => found !== undefined)![0];
    all.push({ kind, text: match[0] });
    at = match.index + match[0].length;
    open = kind === "comment" && match[0].startsWith("/*") && !(match[0].length > 3 && match[0].endsWith("*/"));
  }
  if (at < rest.length) all.push({ kind: "", text: rest.slice(at) });
  return { all, inComment: open };
}

// Which lines begin within a comment.
export function commented(lines: (string | undefined)[]): boolean[] {
  const begins: boolean[] = [];
  let inComment = false;
  for (let i = 0; i < lines.length; ++i) {
    const text = lines[i];
    begins.push(text !== undefined && inComment);
    inComment = text !== undefined && (inComment || text.includes("/*")) && tokens(text, inComment).inComment;
  }
  return begins;
}

export function Line({ text, inComment = false, onOpen }: { text: string; inComment?: boolean; onOpen?: () => void }) {
  const parts = tokens(text, inComment).all.map(({ kind, text }) => (kind ? <span class={"token " + kind}>{text}</span> : text));
  return onOpen ? (
    <code class="opens" title="open it in the editor" onClick={onOpen}>
      {parts}
    </code>
  ) : (
    <code>{parts}</code>
  );
}

// Some lines around one of them.
export function Excerpt({ lines, line, around, color }: { lines: (string | undefined)[]; line: number; around: number; color: string }) {
  const within = useMemo(() => commented(lines), [lines]);
  const first = Math.max(1, line - around);
  const shown = lines.slice(first - 1, line + around);
  return (
    <div class="excerpt">
      {shown.map((text, i) => (
        <div key={i} class={"line" + (first + i === line ? " marked" : "")} style={first + i === line ? { "--color": color } : {}}>
          <span class="line-number">{first + i}</span>
          <Line text={text ?? ""} inComment={within[first + i - 1]} />
        </div>
      ))}
    </div>
  );
}
