/**
 * Campaigns among the domains of the simulated world, as collectors would have seen them over two weeks: whether clusters are what each crew runs, how
 * long a search takes, and what it costs with ten times the domains. Once with registrants, once without them, as where registries hide them.
 */
import { findInStory } from './campaigns/find-in-story.ts';
import { storyPopulation } from './campaigns/story-population.ts';
import { type Bench, resultOf } from './harness/benchmark.ts';
import { pauseResult } from './harness/longest-pause.ts';

export const bench: Bench = async ({ sized, directory, note }) => {
  const domains = sized({ tiny: 200, small: 3000, full: 18_000 });
  const days = sized({ tiny: 1, small: 7, full: 14 });
  const shared = { seed: 7, days, eventsPerHour: 10 };
  const lesser = await findInStory(
    await storyPopulation({ ...shared, domains: domains / 10, eventsPerHour: 1 }),
    `${directory}/lesser`,
  );
  const greater = await findInStory(await storyPopulation({ ...shared, domains }), `${directory}/greater`);
  const hidden = await findInStory(
    await storyPopulation({ ...shared, domains: domains / 10, hidesRegistrants: true }),
    `${directory}/hidden`,
  );
  note(`${greater.campaigns} campaigns among ${greater.domains} domains`);
  const { cpuSeconds, memoryBytes, seconds, value: pauseMs } = greater.used;
  const used = { cpuSeconds, memoryBytes };
  const search = `search for campaigns among ${greater.domains.toLocaleString('en')} domains`;
  const perDomain = (found: typeof greater) => found.used.cpuSeconds / found.domains;
  return [
    resultOf({
      work: 'precision of campaigns: pairs of domains of one crew among pairs with a domain of a crew',
      ours: { value: greater.precision, unit: 'of 1' },
      wanted: { ours: { atLeast: 0.95 } },
      ...used,
    }),
    resultOf({
      work: 'recall of campaigns: pairs of domains of a crew that are in one campaign',
      ours: { value: greater.recall, unit: 'of 1' },
      wanted: { ours: { atLeast: 0.8 } },
      ...used,
    }),
    resultOf({
      work: 'precision of campaigns without registrants',
      ours: { value: hidden.precision, unit: 'of 1' },
      wanted: { ours: { atLeast: 0.95 } },
      ...used,
    }),
    resultOf({
      work: 'recall of campaigns without registrants',
      ours: { value: hidden.recall, unit: 'of 1' },
      wanted: { ours: { atLeast: 0.4 } },
      ...used,
    }),
    resultOf({
      work: search,
      ours: { value: seconds, unit: 's' },
      wanted: { ours: { atMost: 10 }, growthAt10x: { atMost: 1.5 } },
      growthAt10x: perDomain(greater) / perDomain(lesser),
      ...used,
    }),
    pauseResult(search, pauseMs, used),
  ];
};
