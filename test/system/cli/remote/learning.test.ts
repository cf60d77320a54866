/** `nameglass monitor precision` and `suggestions` in a pipe and in a pseudo-terminal, compared with golden files. */
import { after, test } from 'node:test';
import { assertGolden, goldenText } from './golden.ts';
import { remoteFixture } from './remote-fixture.ts';

const remote = await remoteFixture({ after });
await remote.monitor('acmebank');
const ids: string[] = [];
for (let at = 0; at < 16; at += 1)
  ids.push(
    await remote.discover(`acmebank-fans-${at}.example`, {
      facts: { nameServers: ['ns1.parking.example', 'ns2.parking.example'] },
    }),
  );
await remote.patch(ids, 'ignored');
await remote.patch([await remote.discover('acmebank-login.example')], 'watched');

/** Ids of suggestions and answers, each replaced by text of the same width. */
async function stable(text: string): Promise<string> {
  const { suggestions, answers } = (await remote.call('GET /v1/intel-detect/suggestions/')).json;
  const own = [
    ...suggestions.map(({ id }: { id: string }) => [id, 'SUGGESTION']),
    ...answers.flatMap(({ id, suggestion_id: of }: { id: string; suggestion_id: string }) => [
      [id, 'ANSWER'],
      [of, 'SUGGESTION'],
    ]),
  ] as [string, string][];
  let shown = text;
  for (const [id, name] of own) shown = shown.replaceAll(id, name.padEnd(id.length, 'X').slice(0, id.length));
  return remote.stable(shown);
}

async function suggestionId(change: string): Promise<string> {
  const { suggestions } = (await remote.call('GET /v1/intel-detect/suggestions/')).json;
  return suggestions.find((one: { change: string }) => one.change === change).id;
}

const readings: Readonly<Record<string, readonly string[]>> = {
  'monitor-precision': ['monitor', 'precision'],
  'monitor-precision-name-server': ['monitor', 'precision', '--by', 'name-server'],
  'monitor-suggestions': ['monitor', 'suggestions'],
  'monitor-suggestions-back-test': ['monitor', 'suggestions', '--back-test'],
};

for (const [name, args] of Object.entries(readings)) {
  test(`in a pipe: ${name}`, async () => {
    assertGolden(`${name}.pipe`, await stable(goldenText(args, await remote.pipe(args))));
  });
  test(`in a terminal: ${name}`, async () => {
    assertGolden(`${name}.terminal`, await stable(goldenText(args, await remote.terminal(args))));
  });
}

test('a suggestion is dismissed, and the answer listed and taken back', async () => {
  const dismiss = ['monitor', 'dismiss', await suggestionId('exclude-text')];
  assertGolden('monitor-dismiss.terminal', await stable(goldenText(dismiss, await remote.terminal(dismiss))));
  const list = ['monitor', 'suggestions', '--answers', '--fields', 'answer,suggestion,created_by,undone_by'];
  assertGolden('monitor-answers.pipe', await stable(goldenText(list, await remote.pipe(list))));
  const { answers } = (await remote.call('GET /v1/intel-detect/suggestions/')).json;
  const back = ['monitor', 'take-back', answers[0].id];
  assertGolden('monitor-take-back.terminal', await stable(goldenText(back, await remote.terminal(back))));
});

test('a suggestion that there is not is refused with its sentence', async () => {
  const args = ['monitor', 'accept', '0000000000000000'];
  assertGolden('monitor-accept-unknown.pipe', await stable(goldenText(args, await remote.pipe(args))));
});
