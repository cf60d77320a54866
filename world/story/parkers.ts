/**
 * Parkers hold hundreds of names on one address and one pair of name servers, with advertisements on them. Some of the names resemble brands: they
 * harm nobody, unless one is sold to a crew.
 */
import type { Person, Registrar } from '../world-domain.ts';
import type { Brand } from './brands.ts';
import { type Crew, copiedSite } from './crews.ts';
import { armed, dayMs, dropped, hosted, hourMs, type Life, minuteMs, type Step, takenDown } from './life.ts';
import { parkingNetwork, siteAddressesOf } from './networks.ts';
import { parkingOperator } from './operators.ts';
import { newSoughtName, soughtThings } from './ordinary-names.ts';
import { newPerson } from './people.ts';
import type { Random } from './random.ts';
import { registrars } from './registrars.ts';
import { registration } from './registration.ts';
import { topLevelDomains, topLevelOf } from './top-level-domains.ts';

export interface Parker {
  readonly registrar: Registrar;
  readonly registrant: Person;
  readonly address: string;
  readonly adCode: string;
}

export function newParker(random: Random, index: number): Parker {
  return {
    registrar: random.pick(registrars),
    registrant: newPerson(random),
    address: siteAddressesOf(parkingNetwork)[index] as string,
    adCode: `pub-${random.between(1, 9)}${random.digits(15)}`,
  };
}

export function parkedDomain(
  parker: Parker,
  random: Random,
  registeredMs: number,
  isTaken: (name: string) => boolean,
): Life {
  return parkedLife(parker, newSoughtName(random, isTaken), registeredMs);
}

function parkedLife(parker: Parker, name: string, registeredMs: number): Life {
  const domain = registration({
    name,
    actor: 'parker',
    registeredMs,
    registrar: parker.registrar,
    registrant: parker.registrant,
    nameServers: parkingOperator.hosts.map((host) => host.name),
    soaEmail: `dns@${parkingOperator.domain}`,
  });
  const site = {
    kind: 'parked',
    title: `${name} is for sale`,
    server: 'ParkServe/2',
    redirectTo: undefined,
    trackers: { ad_tracker_code: [parker.adCode] },
    brand: undefined,
  } as const;
  return { domain, steps: [hosted(minuteMs, { addresses: [parker.address], site })] };
}

const soldShare = 0.04;
const triesMax = 20;

/** What people mistype or search for. No crew thinks of these names (`lookalike-names.ts`), so nobody takes one that a crew would have taken. */
const mistakes: readonly ((word: string, random: Random) => string)[] = [
  (word, random) => `${word}-${random.pick(soughtThings)}`,
  (word, random) => `${word}${random.pick(soughtThings)}`,
  (word) => `www${word}`,
  (word) => `${word}s`,
  function nextKey(word, random) {
    const at = random.between(1, word.length - 2);
    return `${word.slice(0, at)}${besideOnKeyboard(word[at] as string, random)}${word.slice(at + 1)}`;
  },
];

const keyboardRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

function besideOnKeyboard(letter: string, random: Random): string {
  const row = keyboardRows.find((keys) => keys.includes(letter)) as string;
  const at = row.indexOf(letter);
  return random.pick([row[at - 1] ?? [], row[at + 1] ?? []].flat());
}

/** A parked lookalike; undefined where no name is left. */
export function findParkedLookalike(
  parker: Parker,
  { brand, buyer }: { readonly brand: Brand; readonly buyer: Crew },
  random: Random,
  { registeredMs, isTaken }: { readonly registeredMs: number; readonly isTaken: (name: string) => boolean },
): Life | undefined {
  const elsewhere = topLevelDomains.filter((each) => each !== topLevelOf(brand.domain));
  for (let tries = 0; tries < triesMax; tries += 1) {
    const name = `${random.pick(mistakes)(brand.word, random)}.${random.pick(elsewhere)}`;
    if (isTaken(name)) continue;
    const life = parkedLife(parker, name, registeredMs);
    return random.chance(soldShare)
      ? { ...life, steps: [...life.steps, ...soldTo(buyer, brand, random)] }
      : life;
  }
  return undefined;
}

/** It has the name servers and the persona of the crew then, and soon its page. */
function soldTo(crew: Crew, brand: Brand, random: Random): readonly Step[] {
  const soldMs = random.between(2, 10) * dayMs;
  const addresses = [random.pick(crew.homes.flat())];
  const downMs = soldMs + random.between(4, 48) * hourMs;
  return [
    {
      kind: 'moved',
      afterMs: soldMs,
      change: (domain, atMs) => ({
        ...domain,
        actor: 'crew',
        registrant: crew.persona,
        nameServers: crew.hosts.map((host) => host.name),
        soaEmail: `admin@${crew.domain}`,
        addresses,
        changedMs: atMs,
      }),
    },
    armed(soldMs + hourMs, copiedSite(crew, brand)),
    takenDown(downMs),
    dropped(downMs + random.between(3, 12) * dayMs),
  ];
}
