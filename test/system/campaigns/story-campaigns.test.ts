/** Campaigns in the simulated world: what each crew runs is one campaign, and nothing else is in it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInStory } from '../../../bench/campaigns/find-in-story.ts';
import { storyPopulation } from '../../../bench/campaigns/story-population.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

test('the domains of each crew of the simulated world are found as one campaign over several days', async (t) => {
  const population = await storyPopulation({ seed: 11, domains: 300, days: 5, eventsPerHour: 6 });
  const { precision, recall } = await findInStory(population, temporaryDirectory(t));
  assert.ok(precision >= 0.95, `precision ${precision}`);
  assert.ok(recall >= 0.8, `recall ${recall}`);
});

test('where registries hide registrants, what is found of a crew is of one crew', async (t) => {
  const options = { seed: 11, domains: 300, days: 5, eventsPerHour: 6, hidesRegistrants: true };
  const { precision, recall } = await findInStory(await storyPopulation(options), temporaryDirectory(t));
  assert.ok(precision >= 0.95, `precision ${precision}`);
  assert.ok(recall >= 0.4, `recall ${recall}`);
});
