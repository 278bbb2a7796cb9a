// Bundles the scripts and style sheets of the report, for mechanisms in the plane and in space, and of the studio, without
// any address in them.
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "../src/mubo/view/report/assets");

// three.js names the XHTML namespace where an HTML page needs none, and points to web pages in its messages.
const withoutAddresses = {
  name: "without addresses",
  setup(build) {
    build.onLoad({ filter: /node_modules\/three\/.*\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8"))
        .replaceAll(
          /document\.createElementNS\(\s*(['"])http:\/\/www\.w3\.org\/1999\/xhtml\1\s*,/g,
          "document.createElement(",
        )
        .replaceAll(/https?:\/\/[^\s'"`)]*/g, "its documentation"),
      loader: "js",
    }));
  },
};

const built = await esbuild.build({
  absWorkingDir: here,
  entryPoints: ["report/plane.ts", "report/space.ts", "report/report.css", "studio/studio.ts", "studio/studio.css"],
  entryNames: "[name]",
  outdir: target,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022", "chrome109", "firefox115", "safari16"],
  charset: "utf8",
  legalComments: "none",
  write: false,
  plugins: [withoutAddresses],
});
await mkdir(target, { recursive: true });
const licence = `/*! three.js\n${await readFile(join(here, "node_modules/three/LICENSE"), "utf8")}*/\n`;
for (const { path, text } of built.outputFiles) {
  const file = { path, text: /(space|studio)\.js$/.test(path) ? licence + text : text };
  // CodeMirror draws its marks as images, which name the namespace of SVG; the studio is served, and asks for nothing else
  const own = path.endsWith("studio.js") ? file.text.replaceAll("http://www.w3.org/2000/svg", "") : file.text;
  if (/https?:\/\//.test(own)) throw new Error(`${file.path} holds an address: ${own.match(/.{40}https?:\/\/.{60}/)}`);
  if (/<\/script/i.test(file.text)) throw new Error(`${file.path} would end the script element it is put into`);
  await writeFile(file.path, file.text);
  console.log(`${file.path.slice(target.length + 1).padEnd(12)} ${(file.text.length / 1024).toFixed(0)} kB`);
}
