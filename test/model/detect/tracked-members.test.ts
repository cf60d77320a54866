import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTrackedChange } from '../../../src/model/detect/tracked-members.ts';

const changes: readonly (readonly [what: string, member: string, before: unknown, after: unknown])[] = [
  ['another address', 'ip', [{ address: '192.0.2.1' }], [{ address: '192.0.2.2' }]],
  ['no address any more', 'ip', [{ address: '192.0.2.1' }], undefined],
  ['another name server', 'name_server', [{ host: 'a.net' }], [{ host: 'b.net' }]],
  ['a first mail server', 'mx', undefined, [{ host: 'a.net', priority: 10 }]],
  ['another priority', 'mx', [{ host: 'a.net', priority: 10 }], [{ host: 'a.net', priority: 20 }]],
  ['another registrar', 'parsed_whois', { registrar: 'One' }, { registrar: 'Two' }],
  ['another expiry date', 'expiration_date', '2026-01-01', '2027-01-01'],
  ['no longer in DNS', 'active', true, false],
];

const others: typeof changes = [
  [
    'the same addresses in another order',
    'ip',
    [{ address: 'a' }, { address: 'b' }],
    [{ address: 'b' }, { address: 'a' }],
  ],
  [
    'another location of the same address',
    'ip',
    [{ address: 'a', isp: 'One' }],
    [{ address: 'a', isp: 'Two' }],
  ],
  [
    'another address of the name server',
    'name_server',
    [{ host: 'a', ip: ['1'] }],
    [{ host: 'a', ip: ['2'] }],
  ],
  [
    'the WHOIS text of another minute',
    'parsed_whois',
    { registrar: 'One', record: 'at 10:00' },
    { registrar: 'One', record: 'at 10:01', fetched: 'now' },
  ],
  ['another score', 'domain_risk', { risk_score: 1 }, { risk_score: 2 }],
  ['another title', 'website_title', 'One', 'Two'],
  ['another certificate', 'ssl_info', [{ hash: 'a' }], [{ hash: 'b' }]],
  ['another rank', 'popularity_rank', 1, 2],
];

for (const [what, member, before, after] of changes) {
  test(`DOM-35 a change: ${what}`, () => assert.equal(isTrackedChange(member, before, after), true));
}

for (const [what, member, before, after] of others) {
  test(`DOM-35 no change: ${what}`, () => assert.equal(isTrackedChange(member, before, after), false));
}
