/** What the account may still use, so that an assistant can plan instead of running into limits. */
import type { Settings } from '../../../model/settings/settings.ts';
import { type SummaryNeeds, summarize } from '../../../product/account/summary.ts';
import { type QuotaNeeds, rateOf } from '../../../product/pdns/quota.ts';
import { defineTool, type Tool } from '../tool.ts';
import { input } from './inputs.ts';

export type AccountToolNeeds = SummaryNeeds &
  QuotaNeeds & { readonly settings: Pick<Settings, 'limits' | 'pdns' | 'assistant'> };

export function accountTool(needs: AccountToolNeeds): Tool {
  return defineTool({
    name: 'account_usage',
    title: 'Limits and what is left',
    description:
      'The products of your account with their limits and use, the passive DNS quota, and the limits of these tools. Costs nothing.',
    input: input({}),
    products: [],
    permission: 'read',
    call: async (_, { caller }) => {
      const { products } = await summarize(caller, needs);
      const { pdns } = caller.user;
      const rate = pdns ? await rateOf({ ...caller, grant: pdns }, needs) : undefined;
      const { burstRequests, requestsPerSecond } = needs.settings.limits.assistant;
      return {
        data: {
          username: caller.user.username,
          permissions: caller.user.permissions,
          tools: { burst: burstRequests, per_second: requestsPerSecond },
          products: products
            .filter(({ product }) => product.startsWith('intel-'))
            .map(({ product, limits, usage, expirationDate }) => ({
              product,
              used_today: usage.today,
              used_this_month: usage.month,
              per_minute: limits.perMinute,
              ...(limits.perMonth === undefined ? {} : { per_month: limits.perMonth }),
              ...(limits.absolute === undefined ? {} : { in_all: limits.absolute }),
              ...(expirationDate === undefined ? {} : { ends: expirationDate }),
            })),
          passive_dns: rate ? { limit: rate.limit, remaining: rate.remaining } : null,
        },
      };
    },
  });
}
