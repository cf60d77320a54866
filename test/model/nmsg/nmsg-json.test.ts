import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nmsgJsonReader } from '../../../src/collect/rrset-formats/nmsg-json.ts';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { dedupeLine, newDomainLine, rrsetMembers } from '../../../src/model/nmsg/nmsg-json.ts';
import * as any from '../../harness/arbitraries/rrset-arbitraries.ts';
import { shown } from '../../harness/reference/rrset-reference.ts';

const nowMs = Date.parse('2026-01-28T12:00:00.120Z');
const seconds = Date.parse('2026-01-28T11:59:40Z') / 1000;
const www = {
  owner: any.wire('www.example.com.'),
  type: 1,
  bailiwick: any.wire('example.com.'),
  rdata: [any.rdata(1, '192.0.2.1'), any.rdata(1, '192.0.2.2')],
};

test('the line of a new domain has the members and the order of the sample', () => {
  assert.equal(
    newDomainLine(
      {
        domain: any.wire('example.com.'),
        seenSeconds: seconds,
        members: rrsetMembers({ ...www, rdata: www.rdata.slice(0, 1) }),
      },
      nowMs,
    ),
    '{"time":"2026-01-28 12:00:00.120000000","vname":"SIE","mname":"newdomain","message":{"domain":"example.com.",' +
      '"time_seen":"2026-01-28 11:59:40","bailiwick":"example.com.","rrname":"www.example.com.","rrclass":"IN",' +
      '"rrtype":"A","rdata":["192.0.2.1"],"keys":[],"new_rr":[]}}\n',
  );
});

test('the line of a change says what is new for each rdata', () => {
  const parts = { newDomain: false, newName: false, newType: true, newRrset: true, newRr: [true, false] };
  const domain = any.wire('example.com.');
  const line = newDomainLine({ domain, seenSeconds: seconds, members: rrsetMembers(www), parts }, nowMs);
  const { keys, new_domain, new_rrname, new_rrtype, new_rr, new_rrset } = JSON.parse(line).message;
  assert.deepEqual(
    [keys, new_domain, new_rrname, new_rrtype, new_rr, new_rrset],
    [[], false, false, true, [true, false], true],
  );
});

test('the line of a deduplicated RRset has the order of the sample, without members that passive DNS does not store', () => {
  const sighting = { firstSeconds: seconds, lastSeconds: seconds + 1, count: 7 };
  assert.equal(
    dedupeLine('MERGED', sighting, rrsetMembers(www), nowMs),
    '{"time":"2026-01-28 12:00:00.120000000","vname":"SIE","mname":"dnsdedupe","message":{"type":"MERGED","count":7,' +
      '"time_first":"2026-01-28 11:59:40","time_last":"2026-01-28 11:59:41","bailiwick":"example.com.",' +
      '"rrname":"www.example.com.","rrclass":"IN","rrtype":"A","rdata":["192.0.2.1","192.0.2.2"]}}\n',
  );
});

test('a line is one line of JSON, whatever bytes names and data contain', () => {
  const owner = any.wire('a\\"b\\010\\255.example.com.');
  const members = rrsetMembers({ ...www, owner, type: 16, rdata: [any.rdata(16, '"q\\"\\\\ \\010"')] });
  const line = newDomainLine({ domain: owner, seenSeconds: seconds, members }, nowMs);
  assert.equal(line.indexOf('\n'), line.length - 1);
  assert.equal(JSON.parse(line).message.rrname, 'a\\"b\\010\\255.example.com.');
});

test('an insertion and the merged message after it are read as one sighting', () => {
  fc.assert(
    fc.property(any.observation, fc.boolean(), (observation, isNew) => {
      const sensed: Rrset = { ...observation, origin: 'sensor' };
      const members = rrsetMembers(sensed);
      const lines = [
        ...(isNew ? [dedupeLine('INSERTION', { ...sensed, count: 1 }, members, nowMs)] : []),
        dedupeLine('MERGED', sensed, members, nowMs),
      ];
      const reader = nmsgJsonReader();
      const read = lines.flatMap((line) => {
        const outcome = reader.line(line.trimEnd());
        return outcome.kind === 'observations'
          ? outcome.observations
          : (assert.notEqual(outcome.kind, 'malformed') ?? []);
      });
      const count = read.reduce((sum, one) => sum + one.count, 0);
      assert.equal(count, sensed.count);
      for (const one of read) assert.equal(shown({ ...one, count }), shown({ ...sensed, count }));
    }),
  );
});
