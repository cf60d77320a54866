/** Assistant tools over standard input and output, for a client that starts us: one connection, one caller. */
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { PositionCodec } from '../../product/investigate/position.ts';
import { type AssistantNeeds, type Connected, ProtocolServers } from './protocol-server.ts';
import { UnansweredRequests } from './unanswered-requests.ts';

export interface StandardStreams {
  readonly input: Readable;
  /** Carries the protocol and nothing else. */
  readonly output: Writable;
}

/** Resolves when the input has ended and everything that it requested is answered. */
export async function serveStdio(
  needs: AssistantNeeds,
  caller: Connected['caller'],
  { input, output }: StandardStreams,
): Promise<void> {
  const library = await import('@modelcontextprotocol/server');
  const { serveStdio: serve, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const servers = new ProtocolServers({ ...needs, positions: new PositionCodec(needs.linkKey) });
  const unanswered = new UnansweredRequests();
  // The library drops what is not answered when its input ends; `printf … | nameglass mcp` should be answered.
  const passed = new PassThrough();
  class Transport extends StdioServerTransport {
    override async send(
      message: Parameters<InstanceType<typeof StdioServerTransport>['send']>[0],
    ): Promise<void> {
      await super.send(message);
      unanswered.answered(message);
    }
  }
  const connected: Connected = { caller, client: { ip: '127.0.0.1' }, agent: 'standard input' };
  const handle = serve(() => servers.make(library, connected), {
    transport: new Transport(passed, output),
    onerror: (error) => needs.logger.debug({ err: error }, 'message of an assistant refused'),
  });
  input.on('data', (chunk: Buffer) => {
    unanswered.read(chunk);
    passed.write(chunk);
  });
  await finished(input, { writable: false }).catch(() => undefined);
  await unanswered.untilNone(needs.settings.assistant.callSecondsMax * 1000);
  passed.end();
  await handle.close();
}
