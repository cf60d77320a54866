/** `nameglass quota`: the limits of each product and of passive DNS, and what is left of them. */
import type { Command } from 'commander';
import { NameglassError } from '../../client/nameglass-error.ts';
import type { Column } from '../listing/column.ts';
import { member } from '../listing/column.ts';
import type { CliNeeds } from '../needs.ts';
import { type Remote, remoteAction, withRemote } from './remote-command.ts';

interface Product {
  readonly id: string;
  readonly per_minute_limit: string | null;
  readonly per_hour_limit: string | null;
  readonly per_month_limit: string | null;
  readonly absolute_limit: string | null;
  readonly usage: { readonly today: string; readonly month: string };
  readonly expiration_date: string | null;
}

interface Rate {
  readonly limit: number | 'unlimited';
  readonly remaining: number | 'n/a';
  readonly reset: number | 'n/a';
  readonly expires?: number;
}

interface Row {
  readonly product: string;
  readonly today: number | null;
  readonly month: number | null;
  readonly limits: string;
  /** Of the quota, where there is one. */
  readonly left: number | null;
  readonly until: string | null;
}

const columns: readonly Column<Row>[] = [
  member('product'),
  member('today', { right: true }),
  member('month', { right: true }),
  member('limits'),
  member('left', { right: true, colour: (left) => (left === 0 ? 'red' : undefined) }),
  member('until'),
];

export function addQuota(program: Command, needs: CliNeeds): void {
  withRemote(program.command('quota')).action(remoteAction(needs, quota));
}

async function quota({ client, listing }: Remote): Promise<void> {
  const { response } = await client.json<{ response: { products: readonly Product[] } }>('/v1/account/');
  const output = listing(columns);
  for (const product of response.products) await output.add(rowOf(product));
  const rate = await findRate(client);
  if (rate) await output.add(pdnsRow(rate));
  await output.end();
}

function rowOf(product: Product): Row {
  const {
    per_minute_limit: minute,
    per_hour_limit: hour,
    per_month_limit: month,
    absolute_limit: total,
  } = product;
  const limits = [
    minute && `${minute}/min`,
    hour && `${hour}/h`,
    month && `${month}/month`,
    total && `${total} in all`,
  ];
  return {
    product: product.id,
    today: Number(product.usage.today),
    month: Number(product.usage.month),
    limits: limits.filter(Boolean).join(', ') || 'none',
    left: month === null ? null : Math.max(0, Number(month) - Number(product.usage.month)),
    until: product.expiration_date,
  };
}

/** Undefined for a key that may not use passive DNS. */
async function findRate(client: Remote['client']): Promise<Rate | undefined> {
  try {
    return (await client.json<{ rate: Rate }>('/pdns/v2/rate_limit')).rate;
  } catch (error) {
    if (error instanceof NameglassError && error.code === 'permission') return undefined;
    throw error;
  }
}

function pdnsRow({ limit, remaining, reset, expires }: Rate): Row {
  const until = expires ?? (reset === 'n/a' ? undefined : reset);
  return {
    product: 'pdns',
    today: null,
    month: null,
    limits: limit === 'unlimited' ? 'unlimited' : `${limit} lookups`,
    left: remaining === 'n/a' ? null : remaining,
    until: until === undefined ? null : new Date(until * 1000).toISOString(),
  };
}
