#!/usr/bin/env node
// Runs the command line: compiled in an installed package, from the sources in a clone. There the Node of the clone is used where the one
// that started this file is too old; a package does not bring one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const isClone = existsSync(pathOf('../src/main.ts'));
const main = isClone ? '../src/main.ts' : '../dist/main.js';
// Compiled sources are kept: a start then takes half as long. The variable is for the processes that a server starts.
if (isClone) {
  process.env.NODE_COMPILE_CACHE ??= pathOf('../node_modules/.cache/compile');
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}

function fail(sentence) {
  console.error(`nameglass: ${sentence}`);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) >= 24) {
  process.argv[1] = pathOf(main);
  await import(main);
} else if (isClone) {
  const node = pathOf('../node_modules/node/bin/node');
  if (!existsSync(node)) fail('not installed yet; run npm ci');
  const child = spawn(node, [pathOf(main), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('close', (code) => process.exit(code ?? 130));
} else {
  fail(
    `Node.js 24 or later is needed, and this is ${process.versions.node}: install it from https://nodejs.org, then run this again`,
  );
}
