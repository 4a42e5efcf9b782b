// Bundles the page: `node build.mjs [FOLDER]` writes index.html, app.js and app.css there (dist). The bundle is committed, so that
// building Mazurka needs no npm; tests/web/bundle_test.py checks that it is what the sources give.
import { build } from "esbuild";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "dist");

mkdirSync(folder, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
});
copyFileSync(join(here, "src/index.html"), join(folder, "index.html"));
