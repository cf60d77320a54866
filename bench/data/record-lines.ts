/**
 * Records of domains as they occur: a few registrars, name servers and certificate issuers have most of them, addresses and
 * holders are shared by some, hashes and hosts by none. The same number always gives the same record.
 */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Half of all domains have the first value, half of the rest the second, and so on; the tail is flat. */
function skewed(number: number, salt: number, values: number): number {
  const random = scatter(number, salt);
  const place = Math.floor(-Math.log2(1 - random));
  return place < 8 ? Math.min(place, values - 1) : 8 + Math.floor(scatter(number, salt + 1) * (values - 8));
}

/** In [0, 1), the same for the same numbers. */
function scatter(number: number, salt: number): number {
  let hash = (number ^ Math.imul(salt, 0x9e37_79b9)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

const words =
  'north river stone cloud paper green light silver market garden bridge summer winter harbor'.split(' ');
const word = (number: number, salt: number) =>
  words[Math.floor(scatter(number, salt) * words.length)] as string;

function day(number: number, salt: number, from: string, days: number): string {
  return new Date(Date.parse(from) + Math.floor(scatter(number, salt) * days) * 86_400_000)
    .toISOString()
    .slice(0, 10);
}

/** Organizations are as many more as domains are, and their numbers have as many digits, so that none is the beginning of another. */
function registered(holder: number, size: number): string {
  const organizations = Math.ceil(size / 20);
  return String(holder % organizations).padStart(String(organizations).length, '0');
}

export function recordOf(number: number, size: number) {
  const name = `${word(number, 1)}-${word(number, 2)}-${number}.com`;
  const registrar = `Registrar ${skewed(number, 10, 400)} LLC`;
  const servers = `dns${skewed(number, 20, Math.max(50, size / 200))}.example`;
  const address = Math.floor(scatter(number, 30) * (size / 8));
  const ip = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`;
  const holder = Math.floor(scatter(number, 40) * (size / 5));
  const person = `${word(holder, 41)} ${word(holder, 42)} ${holder}`;
  const org = `${word(holder, 43)} ${word(holder, 44)} holdings ${registered(holder, size)}`;
  const email = `owner${holder}@mail${holder % 997}.example`;
  const created = day(number, 50, '2015-01-01', 4000);
  const contact = {
    name: person,
    org,
    street: `${holder % 900} Main Street`,
    city: word(holder, 45),
    country: 'us',
    phone: `1555${holder}`,
    email: [email],
  };
  const hash = Array.from({ length: 5 }, (_, part) =>
    Math.floor(scatter(number, 60 + part) * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return {
    domain: name,
    active: scatter(number, 70) < 0.9,
    first_seen: `${created}T12:00:00Z`,
    popularity_rank: scatter(number, 71) < 0.1 ? number + 1 : undefined,
    analytics_v4_codes:
      scatter(number, 72) < 0.3 ? [`g-${Math.floor(scatter(number, 73) * (size / 20)).toString(36)}`] : [],
    parsed_whois: {
      registrant_contact: contact,
      admin_contact: contact,
      technical_contact: contact,
      registrar,
      create_date: created,
      expiration_date: day(number, 51, '2027-01-01', 700),
      registrant_name: person,
      registrant_org: org,
      registrar_status: ['clienttransferprohibited'],
      record: `Domain Name: ${name.toUpperCase()}\nRegistrar: ${registrar}\nRegistrant Name: ${person}\nRegistrant Organization: ${org}\nRegistrant Email: ${email}\nName Server: NS1.${servers}\nName Server: NS2.${servers}\n`,
      fetched: '2026-11-01T00:00:00Z',
    },
    soa_email: [`hostmaster@${servers}`],
    ip: [
      {
        address: ip,
        asn: [64_500 + skewed(number, 80, 300)],
        country_code: ['us', 'de', 'nl', 'fr', 'cn', 'ru', 'gb', 'jp', 'br', 'in'][skewed(number, 81, 10)],
        isp: `Hosting ${skewed(number, 80, 300)}`,
      },
    ],
    mx: [{ host: `mx.${servers}`, domain: servers, ip: [ip], priority: 10 }],
    name_server: ['ns1', 'ns2'].map((host) => ({
      host: `${host}.${servers}`,
      domain: servers,
      ip: ['10.0.0.1'],
    })),
    ssl_info: [
      {
        hash,
        subject: `CN=${name}`,
        alt_names: [name, `www.${name}`],
        common_name: name,
        issuer_common_name: `Issuer ${skewed(number, 90, 20)}`,
        not_before: day(number, 91, '2026-08-01', 90),
        not_after: day(number, 91, '2026-10-30', 90),
        duration: 90,
      },
    ],
    website_title: `Welcome to ${word(number, 95)} ${Math.floor(scatter(number, 96) * 3000)}`,
    server_type: ['nginx', 'apache', 'cloudflare', 'iis'][skewed(number, 97, 4)],
    website_response: 200,
    domain_risk: { risk_score: Math.floor(scatter(number, 98) * 101), components: [] },
  };
}

export async function writeRecords(path: string, size: number): Promise<void> {
  const file = createWriteStream(path);
  for (let number = 0; number < size; number += 1) {
    if (!file.write(`${JSON.stringify(recordOf(number, size))}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
