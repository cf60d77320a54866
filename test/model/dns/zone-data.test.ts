/** Published zones: every record round-trips exactly, with addresses in their shortest form. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { nameText, parseName } from '../../../src/model/dns/name.ts';
import { parseRdata, rdataText } from '../../../src/model/dns/rdata-text.ts';
import { typeNumber, typeText } from '../../../src/model/dns/rr-type.ts';

const folder = join(import.meta.dirname, '../../../../shared/data/zone');

for (const file of ['root.zone.gz', 'gov.zone.gz']) {
  const path = join(folder, file);
  test(`every record of ${file} round-trips`, {
    skip: existsSync(path) ? false : 'skipped: no shared data',
  }, () => {
    let records = 0;
    for (const line of gunzipSync(readFileSync(path)).toString('latin1').split('\n')) {
      if (line === '' || line.startsWith(';')) continue;
      const [owner = '', , , typeName = '', rdata = ''] = line.split(/\t+/);
      const type = typeNumber(typeName);
      assert.ok(type, line);
      assert.equal(typeText(type), typeName);
      assert.equal(nameText(parseName(owner) ?? new Uint8Array(0)), owner.toLowerCase());
      const wire = parseRdata(type, rdata);
      assert.ok(wire, line);
      const shortest = typeName === 'AAAA' ? new URL(`http://[${rdata}]`).hostname.slice(1, -1) : rdata;
      assert.equal(rdataText(type, wire), shortest);
      records += 1;
    }
    assert.ok(records > 20_000);
  });
}
