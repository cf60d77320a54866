/** Syslog messages: every field is read back as it was, by parsers written from the specifications, whatever third parties wrote. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { boundedText } from '../../../../src/model/detect/alert/bounded-value.ts';
import type { AlertMessage } from '../../../../src/model/detect/alert/message.ts';
import type { SyslogFormat } from '../../../../src/model/detect/alert/receiver.ts';
import { writeSyslog } from '../../../../src/model/detect/alert/syslog/syslog-message.ts';
import { findSyslogTarget, isSyslogPort } from '../../../../src/model/detect/alert/syslog/target.ts';
import { hostileMessage } from './hostile-events.ts';

const runs = { numRuns: 60 };

/** RFC 6587, 3.4.1: `LENGTH SP MESSAGE`, one after another. */
function frames(bytes: Buffer): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const length = Number(bytes.subarray(at, space).toString('latin1'));
    assert.ok(Number.isInteger(length) && length > 0, 'a length');
    found.push(bytes.subarray(space + 1, space + 1 + length).toString('utf8'));
    at = space + 1 + length;
  }
  return found;
}

/** RFC 5424, 6: header, one structured data element, and a message in UTF-8. */
function parse(frame: string) {
  const found =
    /^<(\d{1,3})>1 (\S+) (\S+) (\S+) (\S+) (\S+) \[(\S+)((?: [!#-<>-~]+="(?:[^"\\\]]|\\["\\\]])*")*)\] (.*)$/su.exec(
      frame,
    );
  assert.ok(found, frame);
  const [, priority, time, host, app, process, id, element, written = '', message = ''] = found;
  const pairs = [...written.matchAll(/ ([^=]+)="((?:[^"\\\]]|\\["\\\]])*)"/gu)];
  const data = Object.fromEntries(
    pairs.map(([, name, value]) => [name, value?.replaceAll(/\\(["\\\]])/g, '$1')]),
  );
  // The mark is there exactly where it is needed.
  const isMarked = message.startsWith('\ufeff');
  assert.equal(isMarked, !/^[ -~]*$/.test(message), message);
  const header = { priority: Number(priority), time, host, app, process, id };
  return { ...header, element, data, message: isMarked ? message.slice(1) : message };
}

/** Seven header fields between bars, then pairs; a value ends before the next key. */
function parseCef(text: string) {
  const [all = '', ...head] =
    /^((?:[^\\|]|\\.)*)\|((?:[^\\|]|\\.)*)\|((?:[^\\|]|\\.)*)\|((?:[^\\|]|\\.)*)\|((?:[^\\|]|\\.)*)\|((?:[^\\|]|\\.)*)\|((?:[^\\|]|\\.)*)\|/su.exec(
      text,
    ) ?? [];
  const extension = text.slice(all.length);
  const pairs = [...extension.matchAll(/(\w+)=((?:[^\\=]|\\.)*?)(?= \w+=|$)/gsu)];
  const fields = Object.fromEntries(pairs.map(([, key, value]) => [key, value?.replaceAll(/\\(.)/g, '$1')]));
  return { head, fields };
}

const write = (format: SyslogFormat, message: AlertMessage) =>
  frames(Buffer.concat(writeSyslog(format, message, 'names.example')));

test('each event is one message with its header and its ids, whatever is in it', () => {
  fc.assert(
    fc.property(hostileMessage, fc.constantFrom('cef', 'ecs'), (message, format) => {
      const found = write(format, message).map(parse);
      assert.deepEqual(
        found.map(({ time, host, app, process, id, element, data }) => [
          time,
          host,
          app,
          process,
          id,
          element,
          data,
        ]),
        message.events.map(({ id, kind, atMs, domainId }) => [
          new Date(atMs).toISOString(),
          'names.example',
          'nameglass',
          '-',
          kind,
          'nameglass@32473',
          {
            event_id: String(id),
            domain_id: boundedText(domainId, 128),
            subscription_id: message.subscriptionId,
            delivery_id: message.deliveryId,
          },
        ]),
      );
      for (const { priority } of found) assert.ok([132, 133].includes(priority));
    }),
    runs,
  );
});

test('no message is longer than 8 KiB or has characters that are not seen', () => {
  fc.assert(
    fc.property(hostileMessage, fc.constantFrom('cef', 'ecs'), (message, format) => {
      for (const frame of write(format, message)) {
        assert.ok(Buffer.byteLength(frame) <= 8192, String(Buffer.byteLength(frame)));
        assert.doesNotMatch(frame.replace('\ufeff', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }
    }),
    runs,
  );
});

test('the fields of CEF are those of the event: none is forged, and none ends early', () => {
  const keys = /^(?:rt|externalId|dhost|destinationDnsDomain|cs[123](?:Label)?|cn1(?:Label)?|msg)$/;
  fc.assert(
    fc.property(hostileMessage, (message) => {
      write('cef', message).forEach((frame, at) => {
        const event = message.events[at];
        const { head, fields } = parseCef(parse(frame).message);
        assert.deepEqual(head.slice(0, 5), ['CEF:0', 'Nameglass', 'Nameglass', '1', event?.kind]);
        assert.match(head[6] ?? '', /^(?:\d|10)$/);
        for (const key of Object.keys(fields)) assert.match(key, keys);
        assert.equal(fields['rt'], String(event?.atMs));
        assert.equal(fields['externalId'], String(event?.id));
        assert.equal(fields['dhost'], boundedText(event?.domain ?? '', 400));
        assert.equal(fields['cs2'], boundedText(event?.domainId ?? '', 400));
      });
    }),
    runs,
  );
});

test('the body of ECS is JSON in ASCII with the fields of the schema', () => {
  fc.assert(
    fc.property(hostileMessage, (message) => {
      write('ecs', message).forEach((frame, at) => {
        const { id, kind, atMs, domain } = message.events[at] as AlertMessage['events'][number];
        const { message: text } = parse(frame);
        assert.match(text, /^[ -~]*$/);
        const body = JSON.parse(text);
        assert.deepEqual(
          [
            body['@timestamp'],
            body.event.action,
            body.event.id,
            body.threat.indicator.name,
            body.nameglass.id,
          ],
          [new Date(atMs).toISOString(), kind, `kT7bQ2mXzA.${id}`, boundedText(domain, 300), id],
        );
      });
    }),
    runs,
  );
});

test('a test is one message, without an event', () => {
  const message = { ...fc.sample(hostileMessage, 1)[0], events: [] } as unknown as AlertMessage;
  for (const format of ['cef', 'ecs'] as const) {
    const [only, ...others] = write(format, message).map(parse);
    assert.deepEqual([only?.id, only?.priority, others], ['test', 134, []]);
  }
});

test('a text is cut at a whole character, and the cut is seen', () => {
  assert.equal(boundedText('äääää', 9), 'äää…');
  assert.equal(boundedText(' a\r\n\u0000b ', 9), 'a b');
  assert.equal(boundedText('x'.repeat(1e6), 9), 'xxxxxx…');
});

test('the target of syslog is a scheme, a host and a port', () => {
  assert.deepEqual(
    [
      'tls://siem.example:6514',
      'TCP://Siem.Example',
      'tls://[2001:DB8::1]:601/',
      'tcp://0x7f.1:514',
      'udp://siem.example',
      'tls://u@siem.example',
      'tls://siem.example/path',
      'tls://siem.example:0',
      'tls://siem.example:65536',
    ].map(findSyslogTarget),
    [
      { isSecure: true, host: 'siem.example', port: 6514 },
      { isSecure: false, host: 'siem.example', port: 514 },
      { isSecure: true, host: '2001:db8::1', port: 601 },
      { isSecure: false, host: '127.0.0.1', port: 514 },
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ],
  );
  assert.deepEqual([25, 514, 601, 1023, 6514].map(isSyslogPort), [false, true, true, false, true]);
});
