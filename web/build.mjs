// Bundles the page: `node build.mjs [FOLDER]` writes index.html, app.js, app.css and offline.html there (dist). The bundle is
// committed, so that building Mazurka needs no npm; tests/web/bundle_test.py checks that it is what the sources give.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "dist");
const options = {
  absWorkingDir: here,
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
};

mkdirSync(folder, { recursive: true });
await build({ ...options, entryPoints: { app: "src/main.tsx" } });
copyFileSync(join(here, "src/index.html"), join(folder, "index.html"));

// The page without a server is one file: script and style are in it, and C++ puts the data where it says so.
const { outputFiles } = await build({ ...options, entryPoints: { offline: "src/offline_main.tsx" }, write: false });
const text = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
if (/<\/script|<!--/i.test(text(".js"))) throw new Error("the script would end itself");
const page = readFileSync(join(here, "src/offline.html"), "utf8")
  .replace("/*style*/", () => text(".css"))
  .replace("/*script*/", () => text(".js"));
writeFileSync(join(folder, "offline.html"), page);
