-- Every discovered domain fires these triggers, and few accounts have a list that depends on more than what is blocked: whether one does is asked before
-- anything else, in an index of these alone. A domain is never added without a match, so one trigger notes both.
create index blocklist_selection_wide on blocklist_selection (account) where wide = 1;

drop trigger blocklist_domain_added;
drop trigger blocklist_domain_changed;
drop trigger blocklist_match_added;
drop trigger blocklist_match_changed;

create trigger blocklist_domain_changed after update of state, listed, risk_score on domain
when (old.state is not new.state or old.listed is not new.listed or old.risk_score is not new.risk_score)
  and exists (select 1 from blocklist_selection where account = new.account and wide = 1) begin
  insert into blocklist_pending select new.account, new.name
    where not exists (select 1 from blocklist_pending where account = new.account and name = new.name);
end;

create trigger blocklist_match_added after insert on monitor_match
when exists (select 1 from blocklist_selection where wide = 1) begin
  insert into blocklist_pending select account, name from domain where number = new.domain
    and exists (select 1 from blocklist_selection where account = domain.account and wide = 1)
    and not exists (select 1 from blocklist_pending where account = domain.account and name = domain.name);
end;

create trigger blocklist_match_changed after update of named on monitor_match
when old.named is not new.named and exists (select 1 from blocklist_selection where wide = 1) begin
  insert into blocklist_pending select account, name from domain where number = new.domain
    and exists (select 1 from blocklist_selection where account = domain.account and wide = 1)
    and not exists (select 1 from blocklist_pending where account = domain.account and name = domain.name);
end;
