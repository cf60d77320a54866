/** Every variation that dnstwist generates for fifty domains is found. Its TLD and word dictionaries are short lists. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';
import { needsPackage } from '../../harness/debian-package.ts';

const domains = [
  'adobe.com',
  'allegro.pl',
  'amazon.com',
  'ameli.fr',
  'apple.com',
  'bankia.es',
  'binance.com',
  'booking.com',
  'bpost.be',
  'bybit.com',
  'caixa.es',
  'chase.com',
  'comcast.net',
  'correos.es',
  'discord.com',
  'docusign.com',
  'dropbox.com',
  'ezpass.com',
  'fedex.com',
  'gmail.com',
  'godaddy.com',
  'google.com',
  'halifax.co.uk',
  'hermes.com',
  'icloud.com',
  'inpost.pl',
  'intesa.it',
  'kraken.com',
  'kucoin.com',
  'laposte.fr',
  'lazada.com',
  'ledger.com',
  'lloyds.com',
  'mizuho.jp',
  'monzo.com',
  'natwest.com',
  'netflix.com',
  'nubank.br',
  'opensea.io',
  'optus.au',
  'orange.fr',
  'outlook.com',
  'paypal.com',
  'phantom.app',
  'postnl.nl',
  'revolut.com',
  'roblox.com',
  'shopee.com',
  'spotify.com',
  'twitter.com',
] as const;

const script = `
import sys, dnstwist
for domain in sys.argv[1:]:
    fuzzer = dnstwist.Fuzzer(domain, dictionary=['login', 'secure', 'verify'], tld_dictionary=['net', 'org', 'top', 'co.uk'])
    fuzzer.generate()
    for one in fuzzer.permutations():
        print(one['fuzzer'], domain, one['domain'])
`;

test('for fifty terms every variation of dnstwist is found, in each of its classes', (t) => {
  if (!needsPackage(t, 'dnstwist', 'dnstwist')) return;
  // The system's interpreter, for which the package is installed, not another one in the PATH.
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', script, ...domains], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const lines = stdout.trim().split('\n');
  assert.ok(lines.length > 20_000, stderr);
  const matchers = new Map(
    domains.map((text) => [text as string, new Matcher([{ text, substringVariations: false }])]),
  );
  const counts = new Map<string, { all: number; found: number }>();
  const missed: string[] = [];
  for (const line of lines) {
    const [fuzzer = '', domain = '', name = ''] = line.split(' ');
    const count = counts.get(fuzzer) ?? { all: 0, found: 0 };
    counts.set(fuzzer, count);
    count.all += 1;
    if ((matchers.get(domain)?.match(name).length ?? 0) > 0) count.found += 1;
    else missed.push(line);
  }
  for (const [fuzzer, { all, found }] of counts) t.diagnostic(`${fuzzer}: ${found} of ${all}`);
  assert.deepEqual(missed, []);
});
