/** API keys: administrators list, create, change, test and delete them; the API owner resets them. */
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fieldProblem } from '../../../model/problem.ts';
import {
  type AdministerNeeds,
  changeKey,
  createKey,
  type KeyRequest,
  removeKey,
  resetKey,
} from '../../../product/account/administer.ts';
import {
  describeKey,
  describeKeys,
  type KeyListNeeds,
  type ListedKey,
} from '../../../product/account/key-list.ts';
import { defineWebOperation, type WebCaller, type WebOperation } from '../web-operation.ts';
import { KeyAnswer, KeyChangeBody, KeysAnswer, KeyTestAnswer, NewKeyBody, type WireKey } from './key-wire.ts';

export type KeyOperationNeeds = AdministerNeeds &
  KeyListNeeds & {
    readonly accounts: AdministerNeeds['accounts'] & KeyListNeeds['accounts'];
    readonly ownUrl: () => string;
  };

const Username = Type.Object({ username: Type.String({ maxLength: 64 }) });

export function keyOperations(needs: KeyOperationNeeds): readonly WebOperation[] {
  const onWire = async (caller: WebCaller, username: string, nowMs: number) =>
    keyOnWire(await describeKey(caller, username, needs), nowMs);

  const getKeys = defineWebOperation({
    method: 'GET',
    path: '/keys',
    access: 'admin',
    summary: 'The API keys of the account',
    answer: KeysAnswer,
    handle: async ({ caller, request, nowMs }) => {
      const { keys, grantable } = await describeKeys(caller, needs);
      return {
        keys: keys.map((key) => keyOnWire(key, nowMs)),
        owner: grantable.owner?.user.username ?? null,
        grantable: {
          products: [...grantable.products],
          passive_dns: grantable.hasPdns,
          channels: grantable.channels,
        },
        your_address: request.ip,
        api_url: needs.ownUrl(),
      };
    },
  });

  const postKey = defineWebOperation({
    method: 'POST',
    path: '/keys',
    access: 'admin',
    summary: 'Creates a key; it is shown only in the answer',
    body: NewKeyBody,
    answer: KeyAnswer,
    handle: async ({ caller, body, nowMs }) => {
      const { username, permissions = ['read'] } = body;
      const { expiresMs, ...grants } = readGrants(body, nowMs);
      const request: KeyRequest = { username, permissions, ...grants, expiresMs: expiresMs ?? undefined };
      const { apiKey, batchKey } = await createKey(caller, request, needs);
      return { key: await onWire(caller, username, nowMs), api_key: apiKey, ...batchOnWire(batchKey) };
    },
  });

  const patchKey = defineWebOperation({
    method: 'PATCH',
    path: '/keys/:username',
    access: 'admin',
    summary: 'Changes what a key may do; members left out stay. A batch key that is added is shown once',
    params: Username,
    body: KeyChangeBody,
    answer: KeyAnswer,
    handle: async ({ caller, params: { username }, body, nowMs }) => {
      const change = { permissions: body.permissions, ...readGrants(body, nowMs) };
      const { batchKey } = await changeKey(caller, username, change, needs);
      return { key: await onWire(caller, username, nowMs), ...batchOnWire(batchKey) };
    },
  });

  const deleteKey = defineWebOperation({
    method: 'DELETE',
    path: '/keys/:username',
    access: 'admin',
    summary: 'Deletes an API user with all its keys',
    params: Username,
    answer: Type.Void(),
    handle: ({ caller, params: { username } }) => removeKey(caller, username, needs),
  });

  const postReset = defineWebOperation({
    method: 'POST',
    path: '/keys/:username/reset',
    access: 'admin',
    summary: 'Replaces a key, for the API owner alone; the old one is dead at once',
    params: Username,
    body: Type.Object({ confirm: Type.String({ description: 'the username once more' }) }),
    answer: KeyAnswer,
    handle: async ({ caller, params: { username }, body: { confirm }, nowMs }) => {
      if (confirm !== username)
        throw fieldProblem('invalid-parameters', 'confirm', `must be ${username}, to confirm the reset`);
      const { apiKey } = await resetKey(caller, username, needs);
      return { key: await onWire(caller, username, nowMs), api_key: apiKey };
    },
  });

  return [getKeys, postKey, patchKey, deleteKey, postReset, testOperation()];
}

/** The whole way of a request with that key from this browser's address, without its cookie. */
function testOperation(): WebOperation {
  return defineWebOperation({
    method: 'POST',
    path: '/keys/test',
    access: 'admin',
    summary: 'Calls GET /v1/account/ with a key, as the browser would without its cookie',
    body: Type.Object({ api_key: Type.String({ minLength: 1, maxLength: 256 }) }),
    answer: KeyTestAnswer,
    handle: async ({ body: { api_key: key }, request }) => {
      const begunMs = performance.now();
      const { statusCode: status, body } = await callAccount(key, request);
      return { status, body, milliseconds: Math.round(performance.now() - begunMs) };
    },
  });
}

function callAccount(key: string, { server, ip }: FastifyRequest) {
  if (!/^[\x21-\x7e]+$/.test(key))
    throw fieldProblem('invalid-parameters', 'api_key', 'must be printable ASCII without spaces');
  return server.inject({
    method: 'GET',
    url: '/v1/account/',
    headers: { 'x-api-key': key, host: 'localhost' },
    remoteAddress: ip,
  });
}

function readGrants(body: KeyChangeBody, nowMs: number) {
  const { addresses, products, passive_dns: hasPdns, channels, expires } = body;
  const expiresMs = expires === undefined || expires === null ? expires : readExpiry(expires, nowMs);
  return { addresses, products, hasPdns, channels, expiresMs };
}

function readExpiry(text: string, nowMs: number): number {
  const expiresMs = /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(expiresMs))
    throw fieldProblem('invalid-parameters', 'expires', 'must be a time such as 2027-01-01T00:00:00Z');
  if (expiresMs <= nowMs) throw fieldProblem('invalid-parameters', 'expires', 'must be in the future');
  return expiresMs;
}

function batchOnWire(batchKey: string | undefined) {
  return batchKey === undefined ? {} : { batch_key: batchKey };
}

function keyOnWire({ caller: { user }, prefix, last, days }: ListedKey, nowMs: number): WireKey {
  const { keyExpiresMs, pdns } = user;
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    username: user.username,
    prefix: prefix ?? null,
    permissions: [...user.permissions],
    products: user.products ? [...user.products] : null,
    expires: keyExpiresMs === undefined ? null : at(keyExpiresMs),
    expired: keyExpiresMs !== undefined && nowMs >= keyExpiresMs,
    addresses: [...(user.keyAddresses ?? [])],
    passive_dns: pdns === undefined ? 'none' : pdns.countedWith === undefined ? 'own' : 'shared',
    channels: user.hasBatchKey ? user.channels : null,
    api_owner: user.apiOwner,
    created: at(user.createdMs),
    created_by: user.createdBy ?? null,
    last_used: last.atMs === undefined ? null : { at: at(last.atMs), address: last.address ?? '' },
    last_refused: last.refused
      ? { at: at(last.refused.atMs), address: last.refused.address, why: last.refused.why }
      : null,
    days: [...days],
  };
}
