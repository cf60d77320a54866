import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeLinks } from '../../../src/http/batch/range-links.ts';
import { blocklistLinks } from '../../../src/http/files/blocklist-links.ts';
import { fileLinks } from '../../../src/http/files/file-links.ts';
import { screenshotLinks } from '../../../src/http/files/screenshot-links.ts';
import { SignedLinks } from '../../../src/http/links/signed-links.ts';
import { Problem } from '../../../src/model/problem.ts';

const origin = 'https://names.example:8443';
const options = { baseUrl: () => origin, mountPrefix: '/dt', linkKey: Buffer.alloc(32, 7) };
const nowMs = Date.parse('2026-03-04T10:00:00Z');
const anHour = { nowMs, lifetimeSeconds: 3600 };

const toFiles = new SignedLinks(fileLinks, options);
const toBlocklists = new SignedLinks(blocklistLinks, options);
const toScreenshots = new SignedLinks(screenshotLinks, options);
const toRanges = new SignedLinks(rangeLinks, options);

const file = 'nod/2026-02-20/nod-20260220.0000-0100.json.gz';
const blocklist = { accountId: 'a1', edition: 3, selection: 'blocked', format: 'hosts' } as const;
const screenshot = { domain: 'acme.example', capturedMs: nowMs, url: 'https://acme.example/?a=1' };
const range = { channel: 212, fromMinute: 29_512_320, toMinute: 29_512_321 };

interface Case {
  readonly kind: string;
  readonly made: string;
  /** As made by the first release: links that clients have stored must stay valid. */
  readonly expected: string;
  readonly target: unknown;
  readonly open: (url: string, atMs?: number) => unknown;
}

const cases: readonly Case[] = [
  {
    kind: 'file',
    made: toFiles.make(file, anHour),
    expected: `/dt/files/${file}?Expires=1772622000&Signature=9M8g3B817eBwSW_KmvNV2BE9tZqHugg4v_qNiNUbsyw`,
    target: file,
    open: (url, atMs = nowMs) => toFiles.getTarget(url, atMs),
  },
  {
    kind: 'blocklist',
    made: toBlocklists.make(blocklist),
    expected: '/dt/blocklists/a1/3/blocked.hosts?Signature=nwpBsOX82fvq7k7nXMHogEbbnOlULR6FPvs9eWFf-YQ',
    target: blocklist,
    open: (url, atMs = nowMs) => toBlocklists.getTarget(url, atMs),
  },
  {
    kind: 'screenshot',
    made: toScreenshots.make(screenshot),
    expected:
      '/dt/screenshot_image?domain=acme.example&ts=2026-03-04T10%3A00%3A00.000Z&rurl=https%3A%2F%2Facme.example%2F%3Fa%3D1' +
      '&token=5ae6f191d4395ec89f502e912b9a2bf847fafa15b738d1e488314d6c2faa39a6',
    target: screenshot,
    open: (url, atMs = nowMs) => toScreenshots.getTarget(url, atMs),
  },
  {
    kind: 'range',
    made: toRanges.make(range, anHour),
    expected:
      '/dt/range/ch212/20260210.1600.20260210.1601?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=NGB570B51F6850FC7A%2F20260304%2Flocal%2Fs3%2Faws4_request&X-Amz-Date=20260304T100000Z' +
      '&X-Amz-Expires=3600&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=9d001ec3ef2bc04598c95664d008bc531d9527e6bc953ca3d789310822966464',
    target: range,
    open: (url, atMs = nowMs) => toRanges.getTarget(url, atMs),
  },
];

const rejectedWith = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

for (const { kind, made, expected, target, open } of cases) {
  const path = made.slice(origin.length);

  test(`a ${kind} link has its documented form and opens its target`, () => {
    assert.equal(made, origin + expected);
    assert.deepEqual(open(path), target);
  });

  test(`a ${kind} link with any character of its signature changed is rejected`, () => {
    for (let at = path.length - 1; path[at] !== '='; at -= 1) {
      const altered = path.slice(0, at) + (path[at] === 'a' ? 'b' : 'a') + path.slice(at + 1);
      assert.throws(() => open(altered), rejectedWith('credentials-invalid'), altered);
    }
    assert.throws(() => open(path.split('?')[0] as string), rejectedWith('credentials-invalid'));
  });

  const expires = kind === 'file' || kind === 'range';
  test(`a ${kind} link ${expires ? 'expires at the end of its lifetime' : 'does not expire'}`, () => {
    const endMs = nowMs + 3_600_000;
    assert.deepEqual(open(path, endMs - 1), target);
    if (expires) assert.throws(() => open(path, endMs), rejectedWith('credentials-expired'));
    else assert.deepEqual(open(path, endMs * 2), target);
  });
}

test('a link of one kind does not open another kind', () => {
  const [signature] = /Signature=.*/.exec(toBlocklists.make(blocklist)) ?? [];
  const asFile = `/dt/files/x?Expires=1772622000&${signature}`;
  assert.throws(() => toFiles.getTarget(asFile, nowMs), rejectedWith('credentials-invalid'));
});

test('a screenshot link accepts its parameters in any order and others beside them', () => {
  const parameters = [...new URL(toScreenshots.make(screenshot)).searchParams].toReversed();
  const query = new URLSearchParams([['resize_width', '100'], ...parameters]).toString();
  assert.deepEqual(toScreenshots.getTarget(`/screenshot_image?${query}`, nowMs), screenshot);
});
