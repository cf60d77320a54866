/** docs/benchmarks.md, written by `npm run bench -- all`. */
import type { BenchmarkRun, Run } from './run-file.ts';
import { markdownTable, shownBytes } from './table.ts';

export function benchmarksPage({ date, size, command, machine, warnings, benchmarks }: Run): string {
  const { processor, cores, memoryBytes, node, kernel, commit } = machine;
  const lines = [
    '# Benchmarks',
    '',
    '<!-- Written by `npm run bench -- all`; do not edit. -->',
    '',
    'How to read the tables, and how to add a benchmark: [bench/README.md](../bench/README.md).',
    '',
    '| | |',
    '|---|---|',
    `| date | ${date} |`,
    `| commit | ${commit} |`,
    `| command | \`${command}\` |`,
    `| size | ${size} |`,
    `| processor | ${processor}, ${cores} cores |`,
    `| memory | ${shownBytes(memoryBytes)} |`,
    `| Node.js | ${node} |`,
    `| kernel | ${kernel} |`,
    ...warnings.map((warning) => `| warning | ${warning} |`),
    ...benchmarks.flatMap((benchmark) => ['', `## ${benchmark.name}`, '', sectionOf(benchmark, size)]),
  ];
  return `${lines.join('\n')}\n`;
}

function sectionOf({ results, skipped, failed }: BenchmarkRun, size: Run['size']): string {
  if (skipped !== undefined) return `Skipped: ${skipped}`;
  if (failed !== undefined) return `Failed: ${failed}`;
  return markdownTable(results, size);
}
