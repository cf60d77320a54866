/** Checks of stored data by `nameglass doctor`, each for a limited time. */
import { existsSync } from 'node:fs';
import type { Settings } from '../../model/settings/settings.ts';
import type { Damage } from '../../store/damage.ts';
import type { Stores } from '../../stores.ts';
import type { CliNeeds } from '../needs.ts';
import { lineOf } from '../verify/verify-data.ts';
import { type Finding, finding } from './finding.ts';

/** For each check. */
const withinMs = 10_000;
const damagesShown = 3;

export async function databaseFindings(settings: Settings, needs: CliNeeds): Promise<Finding[]> {
  const check = 'the databases are intact';
  if (!existsSync(settings.data)) return [];
  const { damages, unchecked } = await needs.verifyDatabases(settings, { how: 'quick', withinMs });
  if (damages.length > 0) return [finding(check, false, 'fail', damageAdvice(damages))];
  if (unchecked.length === 0) return [finding(check, true, 'fail', '')];
  const advice = `no time for ${unchecked.join(' ')}; nameglass verify databases takes the time`;
  return [{ check, state: 'ok', advice }];
}

/** Reads stored files for a while. A large installation takes longer than anyone waits: then `verify` is for the rest. */
export async function dataFindings(stores: Stores): Promise<Finding[]> {
  const checks = {
    streams: 'feeds and channels are intact',
    rrsets: 'passive DNS files are intact',
    archives: 'archives are intact',
    images: 'screenshots are intact',
  } as const;
  const findings: Finding[] = [];
  for (const [kind, check] of Object.entries(checks) as [keyof typeof checks, string][]) {
    const damages: Damage[] = [];
    const until = performance.now() + withinMs;
    const onProgress = (done: number, all: number) => {
      if (performance.now() > until) throw new OutOfTime(done / all);
    };
    let advice = '';
    try {
      for await (const damage of stores[kind].verify(onProgress)) damages.push(damage);
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      advice = `${Math.floor(error.part * 100)} % were read; nameglass verify ${kind} reads all`;
    }
    findings.push(
      damages.length > 0
        ? finding(check, false, 'fail', damageAdvice(damages))
        : { check, state: 'ok', advice },
    );
  }
  return findings;
}

class OutOfTime extends Error {
  readonly part: number;

  constructor(part: number) {
    super('the time for a check is over');
    this.part = part;
  }
}

function damageAdvice(damages: readonly Damage[]): string {
  const more = damages.length > damagesShown ? `; and ${damages.length - damagesShown} more` : '';
  return `${damages.slice(0, damagesShown).map(lineOf).join('; ')}${more}: see docs/troubleshooting.md`;
}
