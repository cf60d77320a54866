/** `nameglass triage` driven by `expect`, a program that we did not write: facets, clusters, notes, tags, people and what belongs together, by keys alone. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { needsPackage } from '../../../harness/debian-package.ts';
import { webSession } from '../../../harness/server/web-session.ts';
import { remoteFixture } from './remote-fixture.ts';

const main = join(import.meta.dirname, '../../../../src/main.ts');

/** Each step is awaited on the screen before the next keys are sent; what does not come within 20 seconds ends it with status 9. */
const steps = `
set timeout 20
set stty_init "rows 40 columns 120"
proc until {wanted} {
  expect {
    -re $wanted {}
    timeout { puts stderr "not shown: $wanted"; exit 9 }
    eof { puts stderr "ended before: $wanted"; exit 9 }
  }
}
spawn -noecho $env(PROGRAM) $env(MAIN) triage
until {acme-c\\.example}
send "C"
until {2 share the name server ns1\\.crew\\.example}
until {The other 1}
send "f"
until {Narrow down}
send "jjjjjjj\\r"
until {ns1\\.crew\\.example +2}
send "j\\r"
until {2 domains · name server ns1\\.crew\\.example}
send "\\033"
until {3 domains}
send "f"
until {Narrow down}
send "jj\\r"
until {Known bad}
send "jj\\r"
until {3 domains · risk High}
send "f"
until {every condition is removed}
send "\\r"
until {The other 1}
send "C"
until {acme-b\\.example}
send "m"
until {Note on acme-a\\.example}
send "Wrote to the registrar\\r"
until {Noted on acme-a\\.example}
send "a"
until {Person .none: nobody. for acme-a\\.example}
send "nobody-known\\r"
until {not a person of the account}
send "a"
until {Person .none: nobody. for acme-a\\.example}
send "$env(PERSON)\\r"
until {Assigned acme-a\\.example to}
send "c"
until {2 domains with the name server ns1\\.crew\\.example: selected}
send "t"
until {Tag for 2 domains}
send "crew\\r"
until {Tagged 2 domains: crew}
send "o"
until {Wrote to the registrar}
send "i"
until {Ignored 2 domains}
send "q"
expect eof
lassign [wait] pid id os status
exit $status
`;

test('clusters, facets, a note, a person, a cluster, a tag and a decision, each by its key', async (t) => {
  if (!needsPackage(t, 'expect', 'expect')) return;
  const fixture = await remoteFixture(t);
  const { name: account } = fixture.user.caller.account;
  const { person } = await webSession(fixture.server, { account, permissions: ['triage'] });
  await fixture.monitor('acme');
  const shared = { name_server: [{ host: 'ns1.crew.example' }] };
  for (const [index, name] of ['a', 'b', 'c'].entries())
    await fixture.discover(`acme-${name}.example`, {
      record: {
        ...(name === 'b' ? {} : shared),
        domain_risk: { risk_score: 90 - index * 10, components: [] },
      },
    });
  const child = spawn('expect', ['-'], {
    env: { ...process.env, ...fixture.env, PROGRAM: process.execPath, MAIN: main, PERSON: person.name },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.after(() => child.kill());
  child.stdin.end(steps);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  assert.equal(code, 0, `${err}\n${out.slice(-3000)}`);
  assert.deepEqual((await fixture.names('ignored')).toSorted(), ['acme-a.example', 'acme-c.example']);
  const { watchlist_domain: domain } = (
    await fixture.call('GET /v1/intel-detect/domain/?domain=acme-a.example')
  ).json;
  const noted = (await fixture.call(`GET /v1/intel-detect/notes/?id=${domain.id}`)).json;
  assert.deepEqual(
    [noted.assignee, ...noted.notes.map((note: { text: string }) => note.text)],
    [person.name, 'Wrote to the registrar'],
  );
  const tags = (await fixture.call('GET /v1/domain-tags/?domain=acme-c.example')).json.response.domains[0]
    .tags;
  assert.deepEqual(
    tags.map(({ label, scope }: { label: string; scope: string }) => [label, scope]),
    [['crew', 'team']],
  );
});
