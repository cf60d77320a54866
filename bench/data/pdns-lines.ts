/**
 * Passive DNS observations as COF lines, with the skew of the real thing: few domains have many names, few addresses and
 * name servers serve many domains, counts and spans of time have long tails. The same number gives the same lines.
 */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const suffixes = ['com', 'com', 'com', 'com', 'net', 'org', 'de', 'co.uk', 'info', 'top', 'xyz', 'io'];
const hostLabels = [
  'www',
  'mail',
  'ns1',
  'ns2',
  'api',
  'cdn',
  'img',
  'm',
  'blog',
  'shop',
  'dev',
  'static',
  'vpn',
];
const epoch = Date.UTC(2020, 0) / 1000;
const chunkCharacters = 1 << 20;

/** xorshift: quick, and the same everywhere. */
function chance(): () => number {
  let state = 2_463_534_242;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

export async function writeLines(file: string, count: number): Promise<void> {
  const output = createWriteStream(file);
  let text = '';
  for (const line of linesOf(count)) {
    text += `${line}\n`;
    if (text.length < chunkCharacters) continue;
    if (!output.write(text)) await once(output, 'drain');
    text = '';
  }
  output.end(text);
  await once(output, 'finish');
}

function* linesOf(count: number): Generator<string> {
  const random = chance();
  const below = (limit: number) => Math.floor(random() * limit);
  /** Small numbers are far more common than large ones. */
  const skewed = (limit: number) => Math.floor(limit ** random()) - 1;
  const word = (least: number, most: number) =>
    Array.from({ length: least + below(most - least) }, () => String.fromCharCode(97 + below(26))).join('');
  const pick = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item;

  const domains = Array.from(
    { length: Math.max(1000, count >>> 3) },
    () => `${word(4, 13)}.${pick(suffixes, below(suffixes.length))}`,
  );
  const providers = Array.from({ length: 2000 }, () => word(5, 12));
  const address = () => `${1 + skewed(220)}.${below(256)}.${skewed(256)}.${below(256)}`;
  const provider = () => pick(providers, skewed(providers.length));

  type Kind = readonly [share: number, type: string, apex: boolean, rdata: () => string[]];
  const commonest: Kind = [0.55, 'A', false, () => Array.from({ length: 1 + skewed(5) }, address)];
  const kinds: readonly Kind[] = [
    commonest,
    [0.1, 'AAAA', false, () => [`2001:db8:${below(65_536).toString(16)}::${below(65_536).toString(16)}`]],
    [0.1, 'CNAME', false, () => [`${word(4, 12)}.edge${skewed(50)}.example.net.`]],
    [0.1, 'NS', true, () => [provider()].flatMap((of) => [`ns1.${of}.net.`, `ns2.${of}.net.`])],
    [0.05, 'MX', true, () => [`10 mail.${provider()}.com.`]],
    [0.05, 'TXT', true, () => [`"v=spf1 include:${provider()}.com ip4:${address()} -all"`]],
    [
      0.05,
      'SOA',
      true,
      () => [provider()].map((of) => `ns1.${of}.net. host.${of}.net. ${below(2 ** 31)} 7200 3600 1209600 60`),
    ],
  ];

  for (let line = 0; line < count; line += 1) {
    let share = random();
    const [, type, apex, rdata] = kinds.find(([of]) => (share -= of) < 0) ?? commonest;
    const domain = pick(domains, random() < 0.6 ? below(domains.length) : skewed(domains.length) + 1);
    const host =
      random() < 0.7 ? pick(hostLabels, skewed(hostLabels.length) + 1) : `${word(3, 8)}${below(1000)}`;
    const first = epoch + below(150_000_000);
    yield JSON.stringify({
      count: 1 + skewed(100_000),
      time_first: first,
      time_last: first + Math.floor(random() * random() * 40_000_000),
      rrname: apex ? `${domain}.` : `${host}.${domain}.`,
      rrtype: type,
      bailiwick: `${domain}.`,
      rdata: rdata(),
    });
  }
}
