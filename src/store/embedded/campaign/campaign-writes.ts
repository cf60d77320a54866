/** Changes of campaigns by people, and what was found of them. Each method is called within a transaction. */
import { type Campaign, campaignsMax, type LinkValue } from '../../../model/campaign/campaign.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import type { CampaignChange, FoundCampaign, MemberChangeOutcome } from '../../detect/campaign-store.ts';
import { type CampaignRow, joinedDetail } from '../../detect/rows/campaign-rows.ts';
import type { Database } from '../database.ts';
import { type EventSubject, Events } from '../detect/events.ts';
import { uniqueIds } from '../detect/unique-ids.ts';
import { CampaignReads } from './campaign-reads.ts';
import { DomainLinks } from './domain-links.ts';

type Subject = EventSubject & { readonly discovered_ms: number };

export class CampaignWrites {
  readonly #newId: () => string;
  readonly #reads: CampaignReads;
  readonly #domainLinks: DomainLinks;
  readonly #events: Events;
  readonly #statements;

  constructor(database: Database) {
    this.#newId = uniqueIds(database, 'campaign');
    this.#reads = new CampaignReads(database);
    this.#domainLinks = new DomainLinks(database);
    this.#events = new Events(database);
    this.#statements = prepareStatements(database);
  }

  create(
    accountId: string,
    { name, domains }: { readonly name: string; readonly domains: readonly string[] },
    { username, atMs }: Actor,
  ): MemberChangeOutcome {
    if ((this.#statements.count.get(accountId) as number) >= campaignsMax) return 'too-many';
    const subjects = this.#subjectsOf(accountId, domains);
    if ('unknownDomains' in subjects) return subjects;
    const id = this.#newId();
    const made = { id, accountId, name, origin: 'made', createdBy: username, atMs };
    const campaign = Number(this.#statements.insert.run(made).lastInsertRowid);
    for (const subject of subjects.found) this.#addByPerson(campaign, subject, atMs);
    return this.#changed(accountId, id);
  }

  update(accountId: string, id: WatchlistId, change: CampaignChange): Campaign | undefined {
    const row = this.#reads.findRow(accountId, id);
    if (!row) return undefined;
    const { name = row.name, note = row.note, state = row.state, followed = row.followed } = change;
    this.#statements.update.run({ number: row.number, name, note, state, followed: Number(followed) });
    return this.#reads.find(accountId, id);
  }

  forget(accountId: string, id: WatchlistId): boolean {
    const row = this.#reads.findRow(accountId, id);
    if (!row) return false;
    this.#statements.forget.run(row.number);
    this.#statements.forgetMembers.run(row.number);
    this.#statements.deleteLinks.run(row.number);
    this.#domainLinks.note(accountId);
    return true;
  }

  changeMembers(
    accountId: string,
    id: WatchlistId,
    { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
    { atMs }: Actor,
  ): MemberChangeOutcome {
    const row = this.#reads.findRow(accountId, id);
    if (!row) return 'unknown-campaign';
    const subjects = this.#subjectsOf(accountId, add);
    if ('unknownDomains' in subjects) return subjects;
    const strange = remove.filter((name) => !this.#statements.isMember.get(row.number, name));
    if (strange.length > 0) return { unknownDomains: strange };
    for (const name of remove) {
      this.#statements.remove.run(row.number, name);
      this.#statements.withdrawEvents.run(accountId, name);
    }
    const known = subjects.found.filter(({ name }) => !this.#statements.isMember.get(row.number, name));
    for (const subject of known) this.#addByPerson(row.number, subject, atMs);
    if (known.length > 0) this.#statements.joined.run(atMs, row.number);
    return this.#changed(accountId, id);
  }

  applyFound(
    accountId: string,
    found: FoundCampaign,
    nowMs: number,
  ): { readonly id: WatchlistId; readonly joined: number } | undefined {
    const grown = found.id === undefined ? undefined : this.#reads.findRow(accountId, found.id);
    if (found.id !== undefined && !grown) return undefined;
    const joining = found.members.flatMap(({ domain, links }) => {
      const subject = this.#statements.joinable.get({ accountId, domain }) as Subject | undefined;
      return subject ? [{ subject, links }] : [];
    });
    if (!grown && joining.length < found.membersMin) return undefined;
    for (const id of found.replaced) this.#statements.deleteForgotten.run(accountId, id);
    const campaign = grown ?? this.#insertFound(accountId, found.name, nowMs);
    const merged = found.merged.reduce((sum, id) => sum + this.#merge(accountId, campaign, id, nowMs), 0);
    for (const { subject, links } of joining) {
      this.#statements.insertMember.run({
        campaign: campaign.number,
        domain: subject.name,
        accountId,
        origin: 'found',
        atMs: nowMs,
        firstSeenMs: subject.discovered_ms,
        links: JSON.stringify(links),
      });
      this.#notify(campaign, subject, links, nowMs);
    }
    if (joining.length + merged > 0) this.#statements.joined.run(nowMs, campaign.number);
    for (const { by, ...link } of found.links)
      this.#statements.putLink.run({ campaign: campaign.number, kind: by, ...link });
    return { id: campaign.id, joined: joining.length + merged };
  }

  #insertFound(accountId: string, name: string, atMs: number): CampaignRow {
    const id = this.#newId();
    this.#statements.insert.run({ id, accountId, name, origin: 'found', createdBy: null, atMs });
    return this.#reads.findRow(accountId, id) as CampaignRow;
  }

  /** The members of the other become members of this one. Who followed the other follows this one. */
  #merge(accountId: string, campaign: CampaignRow, id: WatchlistId, nowMs: number): number {
    const other = this.#reads.findRow(accountId, id);
    if (!other || other.number === campaign.number) return 0;
    const moved = this.#statements.membersOf.all(other.number) as { domain: string; links: string }[];
    const numbers = { from: other.number, to: campaign.number };
    this.#statements.moveMembers.run(numbers);
    this.#statements.moveLinks.run(numbers);
    this.#statements.takeOver.run({ ...numbers, followed: other.followed, note: other.note });
    this.#statements.delete.run(other.number);
    for (const { domain, links } of moved) {
      const subject = this.#statements.subject.get(accountId, domain) as Subject | undefined;
      if (subject) this.#notify(campaign, subject, JSON.parse(links) as LinkValue[], nowMs);
    }
    return moved.length;
  }

  #notify(campaign: CampaignRow, subject: Subject, links: readonly LinkValue[], atMs: number): void {
    if (!campaign.followed || campaign.state !== 'active') return;
    this.#events.append('campaign-joined', subject, atMs, joinedDetail(campaign, links));
  }

  #subjectsOf(
    accountId: string,
    domains: readonly string[],
  ): { readonly found: readonly Subject[] } | { readonly unknownDomains: readonly string[] } {
    const found = domains.map((name) => this.#statements.subject.get(accountId, name) as Subject | undefined);
    const unknownDomains = domains.filter((_, index) => !found[index]);
    return unknownDomains.length > 0 ? { unknownDomains } : { found: found as Subject[] };
  }

  /** It leaves the campaign that it is a member of, and does not come back to it by itself. */
  #addByPerson(campaign: number, { account, name, discovered_ms }: Subject, atMs: number): void {
    this.#statements.removeFromOthers.run(account, name);
    this.#statements.insertMember.run({
      campaign,
      domain: name,
      accountId: account,
      origin: 'added',
      atMs,
      firstSeenMs: discovered_ms,
      links: '[]',
    });
  }

  #changed(accountId: string, id: WatchlistId): MemberChangeOutcome {
    this.#domainLinks.note(accountId);
    const campaign = this.#reads.find(accountId, id);
    return campaign ? { campaign } : 'unknown-campaign';
  }
}

function prepareStatements(database: Database) {
  const subject = `select number, id, account, name, state, discovered_ms from domain
    where account = :accountId and name = :domain and matched = 1`;
  return {
    count: database
      .prepare("select count(*) from campaign where account = ? and state <> 'forgotten'")
      .pluck(),
    insert: database.prepare(
      `insert into campaign (id, account, name, origin, created_by, created_ms, last_joined_ms)
       values (:id, :accountId, :name, :origin, :createdBy, :atMs, :atMs)`,
    ),
    update: database.prepare(
      'update campaign set name = :name, note = :note, state = :state, followed = :followed where number = :number',
    ),
    joined: database.prepare('update campaign set last_joined_ms = max(last_joined_ms, ?) where number = ?'),
    forget: database.prepare("update campaign set state = 'forgotten', followed = 0 where number = ?"),
    forgetMembers: database.prepare(
      "update campaign_member set state = 'forgotten' where campaign = ? and state = 'member'",
    ),
    deleteLinks: database.prepare('delete from campaign_link where campaign = ?'),
    delete: database.prepare('delete from campaign where number = ?'),
    deleteForgotten: database.prepare(
      "delete from campaign where account = ? and id = ? and state = 'forgotten'",
    ),
    subject: database.prepare(
      `select number, id, account, name, state, discovered_ms from domain
       where account = ? and name = ? and matched = 1`,
    ),
    joinable: database.prepare(
      `${subject} and listed = 1 and state <> 'ignored' and not exists (
         select 1 from campaign_member as member
         where member.account = :accountId and member.domain = :domain and member.state in ('member', 'removed'))`,
    ),
    isMember: database
      .prepare("select 1 from campaign_member where campaign = ? and domain = ? and state = 'member'")
      .pluck(),
    insertMember: database.prepare(
      `insert into campaign_member (campaign, domain, account, origin, joined_ms, first_seen_ms, links)
       values (:campaign, :domain, :accountId, :origin, :atMs, :firstSeenMs, :links)
       on conflict (campaign, domain) do update set state = 'member', origin = :origin, joined_ms = :atMs, links = :links`,
    ),
    remove: database.prepare(
      "update campaign_member set state = 'removed' where campaign = ? and domain = ?",
    ),
    // What is not sent yet leaves them out.
    withdrawEvents: database.prepare(
      "update event set withdrawn_by = number where account = ? and kind = 'campaign-joined' and domain = ?",
    ),
    removeFromOthers: database.prepare(
      "update campaign_member set state = 'removed' where account = ? and domain = ? and state = 'member'",
    ),
    membersOf: database.prepare(
      "select domain, links from campaign_member where campaign = ? and state = 'member'",
    ),
    moveMembers: database.prepare(
      'update or ignore campaign_member set campaign = :to where campaign = :from',
    ),
    moveLinks: database.prepare(
      `insert into campaign_link (campaign, kind, value, domains, known, first_ms, last_ms, weight)
       select :to, kind, value, domains, known, first_ms, last_ms, weight from campaign_link where campaign = :from
       on conflict do update set first_ms = min(first_ms, excluded.first_ms), last_ms = max(last_ms, excluded.last_ms)`,
    ),
    takeOver: database.prepare(
      `update campaign set followed = max(followed, :followed),
         note = substr(iif(:note = '', note, iif(note = '', :note, note || char(10) || :note)), 1, 4000)
       where number = :to and :from <> :to`,
    ),
    putLink: database.prepare(
      `insert into campaign_link (campaign, kind, value, domains, known, first_ms, last_ms, weight)
       values (:campaign, :kind, :value, :domains, :known, :firstMs, :lastMs, :weight)
       on conflict do update set domains = max(domains, :domains), known = :known, weight = :weight,
         first_ms = min(first_ms, :firstMs), last_ms = max(last_ms, :lastMs)`,
    ),
  };
}
