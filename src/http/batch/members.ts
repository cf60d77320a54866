/** Parses and validates the members of a request body. Errors name the member and what was received. */
import type { FastifyRequest } from 'fastify';
import { findJsonExcess } from '../../model/json-bounds.ts';
import { parseMinute } from '../../model/minute.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { ChannelSpan } from '../../product/batch/channel-data.ts';
import { emptyBody } from '../raw-body.ts';

export type Members = Readonly<Record<string, unknown>>;

/** An empty body is an object without members, so that a key sent elsewhere is reported as missing. */
export function readMembers(request: FastifyRequest): Members {
  const body = Buffer.isBuffer(request.body) ? request.body : emptyBody;
  if (body.length === 0) return {};
  const noObject = fault('body', 'be a JSON object');
  const text = body.toString('utf8');
  const excess = findJsonExcess(text);
  if (excess !== undefined) throw fault('body', `be smaller: it ${excess}`);
  let members: unknown;
  try {
    members = JSON.parse(text);
  } catch {
    throw noObject;
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members)) throw noObject;
  return members as Members;
}

/** The distinct channels in request order. */
export function readChannels({ channels }: Members, channelMax: number): number[] {
  if (!Array.isArray(channels)) throw fault('channels', `be an array of integers ${butReceived(channels)}`);
  if (channels.length === 0) throw fault('channels', 'hold at least one channel');
  return [...new Set(channels.map((channel) => readChannel('channels', channel, channelMax)))];
}

export function readSpan(members: Members, channelMax: number): ChannelSpan {
  const channel = readChannel('channel', members['channel'], channelMax);
  const fromMinute = readTime('start_time', members);
  const toMinute = readTime('end_time', members);
  if (toMinute < fromMinute) throw fault('end_time', 'not be before start_time');
  return { channel, fromMinute, toMinute };
}

function readChannel(name: string, value: unknown, channelMax: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw fault(name, `${name === 'channels' ? 'hold integers' : 'be an integer'} ${butReceived(value)}`);
  }
  if (value < 1 || value > channelMax) throw fault(name, `be from 1 to ${channelMax} but received ${value}`);
  return value;
}

function readTime(name: string, members: Members): number {
  const value = members[name];
  if (typeof value !== 'string') throw fault(name, `be a string ${butReceived(value)}`);
  const minute = parseMinute(value);
  if (minute === 'malformed') throw fault(name, 'have the form YYYY-MM-DD HH:MM:SS');
  if (minute === 'invalid') throw fault(name, 'be a time that exists');
  return minute;
}

function fault(name: string, should: string) {
  return fieldProblem('invalid-parameters', name, `should ${should}`);
}

function butReceived(value: unknown): string {
  return `but received ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a fraction';
  return `a ${typeof value}`;
}
