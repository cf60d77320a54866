/**
 * A resolver whose users live in the world: they visit popular sites, try new ones, and fall for those of crews. What it
 * learns from name servers it reports over dnstap. It is simulated: its answers are those of the world's DNS, and it accepts no queries.
 */
import { parseName } from '../../../src/model/dns/name.ts';
import { parseRdata } from '../../../src/model/dns/rdata-text.ts';
import { type Mnemonic, typeOf } from '../../../src/model/dns/rr-type.ts';
import type { WorldClock } from '../../clock.ts';
import { minuteMs, secondMs } from '../../story/life.ts';
import { Random } from '../../story/random.ts';
import type { WorldEvent, WorldView } from '../../world-domain.ts';
import { answerQuery } from '../dns/answer-query.ts';
import { writeQuery } from '../dns/message-writer.ts';
import type { WorldNames } from '../dns/world-names.ts';
import { serviceAddress, type WorldServer } from '../world-server.ts';
import { dnstapFrame } from './dnstap-frame.ts';
import { FrameStreamWriter } from './frame-stream-writer.ts';

export interface ResolverNeeds {
  readonly view: WorldView;
  readonly clock: WorldClock;
  readonly names: WorldNames;
  /** The most popular first. */
  readonly popular: readonly string[];
  readonly seed: number;
  readonly socketPath: string;
}

const visitEveryMs = 3 * secondMs;
/** Above this many queued frames ordinary queries pause; new domains are still reported. */
const waitingMax = 1000;
const mistypedShare = 0.04;
const extraTypes: readonly Mnemonic[] = ['NS', 'MX', 'AAAA', 'TXT', 'SOA'];
const serverAddress = parseRdata(typeOf('A'), serviceAddress) as Uint8Array;

export function startResolver(needs: ResolverNeeds): Promise<WorldServer> {
  const { view, clock, popular } = needs;
  const random = new Random(`resolver/${needs.seed}`);
  const writer = new FrameStreamWriter(needs.socketPath);
  let reported = 0;
  let messageId = 0;

  const resolve = (name: string, type: Mnemonic) => {
    messageId = (messageId + 1) & 0xffff;
    const message = answerQuery(writeQuery(messageId, name, typeOf(type)), 'tcp', needs.names);
    const zone = parseName(needs.names.zoneOf(name));
    if (!message || !zone) return;
    reported += 1;
    writer.write(dnstapFrame({ zone, serverAddress, atMs: clock.now(), message }));
  };
  const visit = (name: string) => {
    resolve(name, 'A');
    if (random.chance(0.6)) resolve(`www.${name}`, 'A');
    for (const type of extraTypes) if (random.chance(0.15)) resolve(name, type);
    const mail = view.find(name)?.mailServers[0];
    if (mail && random.chance(0.1)) resolve(mail.host, 'AAAA');
  };
  const surf = () => {
    clock.schedule(clock.now() + visitEveryMs, surf);
    if (writer.waiting > waitingMax || popular.length === 0) return;
    const name = random.pickSkewed(popular);
    visit(random.chance(mistypedShare) ? name.slice(1) : name);
  };
  const onEvent = ({ kind, domain }: WorldEvent) => {
    if (kind !== 'hosted' && kind !== 'armed' && kind !== 'moved') return;
    const soonMs = random.between(2, 20) * secondMs;
    for (const afterMs of [soonMs, soonMs + random.between(1, 30) * minuteMs]) {
      clock.schedule(clock.now() + afterMs, () => visit(domain));
    }
    clock.schedule(clock.now() + soonMs, () => resolve(domain, 'NS'));
  };
  const unfollow = view.follow(onEvent);
  clock.schedule(clock.now() + visitEveryMs, surf);
  return Promise.resolve({
    hosts: {},
    settings: {},
    requests: () => ({ dnstap: reported }),
    close: () => {
      unfollow();
      return writer.close();
    },
  });
}
