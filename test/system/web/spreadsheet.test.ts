/** An exported CSV in LibreOffice Calc: hostile values stay texts. A file that is not protected shows that Calc would calculate them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportFormats } from '../../../src/product/export/write-export.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const context = {
  account: { id: 'a', name: 'A' },
  subject: '',
  nowMs: 0,
  defanged: false,
  marking: 'amber',
} as const;
const hostile = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1;1)',
  '=HYPERLINK("http://evil.example";"x")',
  '\t=1+1',
  '\r=1+1',
];
/** Commas, quotes, UTF-8; formulas are evaluated where Calc has a choice. */
const reading = 'Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1,true';

test('Calc makes no formula of an exported value', { timeout: 300_000 }, (t) => {
  if (!needsPackage(t, 'libreoffice-calc-nogui', 'soffice')) return;
  const directory = temporaryDirectory(t);
  const writer = exportFormats.csv.open(context);
  const rows = hostile.map((text, index) =>
    writer.domain({
      record: { domain: `d${index}.example`, registrar: text, website_title: text },
      tags: [text],
    }),
  );
  const files = {
    exported: writer.begin + rows.join(''),
    unprotected: hostile.map((text) => `"${text.replaceAll('"', '""')}"\n`).join(''),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, `${name}.csv`), text);
  execFileSync(
    'soffice',
    [
      `-env:UserInstallation=file://${directory}/profile`,
      '--headless',
      `--infilter=${reading}`,
      '--convert-to',
      'fods',
      '--outdir',
      directory,
      ...Object.keys(files).map((name) => join(directory, `${name}.csv`)),
    ],
    { stdio: 'ignore', env: { ...process.env, HOME: directory } },
  );
  const formulas = (name: string) =>
    readFileSync(join(directory, `${name}.fods`), 'utf8').match(/table:formula="[^"]*"/g) ?? [];
  assert.ok(formulas('unprotected').length > 0);
  assert.deepEqual(formulas('exported'), []);
  const cells = readFileSync(join(directory, 'exported.fods'), 'utf8');
  assert.ok(cells.includes("<text:p>'=1+1</text:p>") || cells.includes('<text:p>&apos;=1+1</text:p>'));
});
