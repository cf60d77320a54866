/** What the README and the ten-minute tours say to paste into a shell is pasted, in their order, beside one demonstration. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { hasPackage } from '../../harness/debian-package.ts';
import { nameglass, type Served, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const root = join(import.meta.dirname, '../../..');
const pages = [
  'README.md',
  'docs/how-to/try-passive-dns.md',
  'docs/how-to/try-a-monitor.md',
  'docs/how-to/sign-requests.md',
];

/** The programs of blocks, and the packages that have those that are not always installed. */
const packages = { curl: 'curl', openssl: 'openssl', dnsdbq: 'dnsdbq' };

/** `npx nameglass` from the sources. What runs until Ctrl-C is interrupted after a while, which is no failure. */
const npx = `#!/bin/sh
shift
if [ "$1" = tail ]; then
  timeout --signal INT 10 '${process.execPath}' '${root}/src/main.ts' "$@"
  code=$?
  [ $code = 124 ] || [ $code = 130 ] || exit $code
else
  exec '${process.execPath}' '${root}/src/main.ts' "$@"
fi
`;

interface Block {
  readonly line: number;
  readonly text: string;
}

/** The blocks of a page that are shell commands. */
function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map((found) => ({
    line: text.slice(0, found.index).split('\n').length + 1,
    text: found[1] as string,
  }));
}

async function printed(served: Served, what: RegExp): Promise<string> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const found = what.exec(served.output().out)?.[1];
    if (found !== undefined) return found;
    await pause(50);
  }
  return assert.fail(`${what} was not printed: ${served.output().out}`);
}

/** A domain that the demonstration has found; soon one with other letters than those of ASCII, which a URL has to encode. */
async function foundDomain({ url }: Served, key: string): Promise<string> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const answer = await fetch(`${url}/v1/intel-detect/domains/new/?preview=1`, {
      headers: { 'x-api-key': key },
    });
    assert.equal(answer.status, 200);
    const { watchlist_domains: domains } = (await answer.json()) as {
      watchlist_domains: { domain: string }[];
    };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
    const encoded = domains.find(({ domain }) => /[^\x00-\x7f]/.test(domain));
    const found = attempt < 10 ? encoded : (encoded ?? domains[0]);
    if (found) return found.domain;
    await pause(2000);
  }
  return assert.fail('the demonstration found no lookalike');
}

test('every shell block of the README and the tours works as it is pasted', {
  timeout: 600_000,
}, async (t) => {
  const missing = Object.entries(packages).filter(([command, name]) => !hasPackage(name, command));
  if (missing.length > 0 && !process.env['CI']) return t.skip(`skipped: no ${missing.join(', ')}`);

  const directory = temporaryDirectory(t);
  const served = await serve(t, ['--demo', '--data', join(directory, 'data')]);
  const key = await printed(served, /API key +(\S+)/);
  const domain = await foundDomain(served, key);
  const programs = join(directory, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'npx'), npx, { mode: 0o755 });
  writeFileSync(join(directory, 'names.txt'), 'secure-acmebank.top\nexample.com\n');
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}`, HOME: directory };

  const paste = ({ text }: Block) =>
    new Promise<{ error: unknown; out: string; err: string }>((resolve) => {
      const script = text
        .replaceAll('http://127.0.0.1:8080', served.url)
        .replaceAll('PASTE_YOUR_KEY', key)
        .replaceAll('PASTE_A_DOMAIN', domain)
        // A failing answer is a failing command, and every command of a block counts.
        .replaceAll(/^curl /gm, 'curl --fail-with-body --silent --show-error ');
      execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: directory, env }, (error, out, err) =>
        resolve({ error, out, err }),
      );
    });

  for (const page of pages) {
    for (const block of blocksOf(page)) {
      await t.test(`${page}, line ${block.line}`, async () => {
        const { error, out, err } = await paste(block);
        assert.equal(error, null, `${block.text}\n${out}\n${err}`);
        assert.notEqual(out, '', block.text);
        assert.ok(!/<!doctype html>|Query status: ERROR/i.test(out + err), out + err);
      });
    }
  }

  await t.test('risk --stored beside the demonstration gives the score of the server', async () => {
    const ofServer = async () => {
      const url = `${served.url}/v1/risk/?domain=${encodeURIComponent(domain)}`;
      const answer = await fetch(url, { headers: { 'x-api-key': key } });
      return ((await answer.json()) as { response: { risk_score: number } }).response.risk_score;
    };
    const stored = async () => {
      const { out } = await nameglass(['risk', domain, '--stored', '--data', join(directory, 'data')]);
      return (JSON.parse(out) as { risk_score: number }).risk_score;
    };
    // The domain lives on: only a score that is the same before and after can be compared.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const [before, found, after] = [await ofServer(), await stored(), await ofServer()];
      if (before !== after) continue;
      assert.equal(found, before);
      return;
    }
    assert.fail('the score changed all the time');
  });
});
