/** The browser behind a request, as sign-in sees it. */
import type { FastifyRequest } from 'fastify';
import { containsAddress } from '../../../model/address/address-list.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Client } from '../../../product/people/sign-in.ts';
import { isDirect } from '../../front/direct-client.ts';

const loopback = ['127.0.0.0/8', '::1/128'];

export function clientOf(request: FastifyRequest, { http }: Pick<Settings, 'http'>): Client {
  return {
    address: request.ip,
    agent: request.headers['user-agent'] ?? '',
    isLoopback: isDirect(request, http) && containsAddress(loopback, request.ip),
    before: request.webCaller,
  };
}
