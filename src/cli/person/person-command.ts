/** `nameglass person`: the people who use the web UI. */
import { type Command, InvalidArgumentError } from 'commander';
import { type Permission, permissions } from '../../model/account/permission.ts';
import { isMailAddress } from '../../model/mail-address.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import { addPerson, createPrintedLink } from '../../product/people/operate-people.ts';
import type { FoundPerson, PersonStore } from '../../store/person/person-store.ts';
import { collect, readPermission } from '../argument-readers.ts';
import { commandName } from '../command-name.ts';
import { printSelection, type SelectionOptions, withSelection } from '../listing/selected-columns.ts';
import type { CliNeeds } from '../needs.ts';
import { counted, print, printJson, printTable } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { operator, withStores } from '../with-stores.ts';

const help = `
Examples:
  nameglass person add alice --permissions triage,escalate --email alice@example.com
  nameglass person update alice --permissions admin
  nameglass person operator alice
  nameglass signin alice
`;

const listMax = 100_000;
const permissionList = `${permissions.join(', ')} (read by default)`;

interface PersonOptions {
  readonly account?: string;
  readonly email?: string;
  readonly permissions?: readonly Permission[];
  readonly json?: boolean;
}

export function addPersonCommand(program: Command, needs: CliNeeds): void {
  const person = program.command('person').addHelpText('after', help);
  addAdd(person, needs);
  addList(person, needs);
  addUpdate(person, needs);
  addOperator(person, needs);
  addSignout(person, needs);
  addRemove(person, needs);
}

function addAdd(person: Command, needs: CliNeeds): void {
  withSettings(person.command('add').description('add a person, and print a link that signs in once'))
    .argument('<name>', 'name to sign in with')
    .option('--account <name>', 'account of the person; the only one by default')
    .option('--permissions <list...>', permissionList, collect(readPermission))
    .option('--email <address>', 'e-mail address', readEmail)
    .option('--port <number>', 'port that the server was started with (http.port)')
    .option('--json', 'print JSON')
    .action((name: string, options: PersonOptions) =>
      withStores(options, needs, async (stores, settings) => {
        const given = { ...stores, clock: needs.clock };
        const { account, email, permissions: held = ['read'] } = options;
        const peopleMax = settings.limits.usersPerAccountMax;
        const found = await addPerson({ name, account, email, permissions: held, peopleMax }, given);
        const url = await createPrintedLink(found, settings, given);
        if (options.json) printJson({ ...describe(found), url });
        else {
          print(`Added ${name} to account ${found.account.name}.`);
          print(`Open ${url}  (signs in ${name}; works once, 10 minutes)`);
        }
      }),
    );
}

function addList(person: Command, needs: CliNeeds): void {
  withSelection(withSettings(person.command('list').description('list the people who use the web UI')))
    .option('--account <name>', 'only the people of this account')
    .action((options: PersonOptions & SelectionOptions) =>
      withStores(options, needs, async ({ people, accounts }) => {
        const account =
          options.account === undefined ? undefined : await accounts.findAccount(options.account);
        if (options.account !== undefined && !account)
          throw new Problem('not-found', `there is no account ${options.account}`);
        const found = await people.listPeople({
          limit: listMax,
          ...(account ? { accountId: account.id } : {}),
        });
        if (await printSelection(found.map(describe), options, needs)) return;
        if (options.json) printJson(found.map(describe));
        else if (found.length === 0) print(`No people. Add one: ${commandName} person add NAME`);
        else
          printTable(
            ['NAME', 'ACCOUNT', 'PERMISSIONS', 'SIGNS IN WITH', 'OPERATOR', 'E-MAIL'],
            found.map((one) => [
              one.person.name,
              one.account.name,
              one.person.permissions.join(','),
              signsInWith(one),
              one.person.operator ? 'yes' : '',
              one.person.email,
            ]),
          );
      }),
    );
}

function addUpdate(person: Command, needs: CliNeeds): void {
  withSettings(
    person.command('update').description('change a person; options that are not given stay unchanged'),
  )
    .argument('<name>', 'name of the person')
    .option('--permissions <list...>', permissions.join(', '), collect(readPermission))
    .option('--email <address>', 'e-mail address, or none', readEmail)
    .action((name: string, options: PersonOptions) =>
      withStores(options, needs, async ({ people }) => {
        const { email, permissions: held } = options;
        if (email === undefined && held === undefined)
          throw fieldProblem(
            'invalid-parameters',
            'person update',
            'nothing to change; --help lists the options',
          );
        const { person: before } = await getPerson(name, people);
        const change = { permissions: held, email: email === 'none' ? null : email };
        await people.updatePerson(before.id, change, operator(needs));
        print(`Updated ${before.name}.`);
      }),
    );
}

function addOperator(person: Command, needs: CliNeeds): void {
  withSettings(
    person
      .command('operator')
      .description('let a person see the health of the whole server, in all accounts'),
  )
    .argument('<name>', 'name of the person')
    .option('--remove', 'end it')
    .action((name: string, options: { readonly remove?: boolean }) =>
      withStores(options, needs, async ({ people }) => {
        const { person: found } = await getPerson(name, people);
        const isOperator = options.remove !== true;
        await people.updatePerson(found.id, { operator: isOperator }, operator(needs));
        print(
          `${found.name} is ${isOperator ? 'an operator of this server now' : 'no operator of this server'}.`,
        );
      }),
    );
}

function addSignout(person: Command, needs: CliNeeds): void {
  withSettings(person.command('signout').description('end all sessions of a person'))
    .argument('<name>', 'name of the person')
    .action((name: string, options) =>
      withStores(options, needs, async ({ people, sessions }) => {
        const { person: found } = await getPerson(name, people);
        const ended = await sessions.endSessions(found.id, undefined, operator(needs));
        print(`Ended ${counted(ended, 'session')} of ${found.name}.`);
      }),
    );
}

function addRemove(person: Command, needs: CliNeeds): void {
  withSettings(person.command('remove').description('remove a person permanently; all sessions end at once'))
    .argument('<name>', 'name of the person')
    .action((name: string, options) =>
      withStores(options, needs, async ({ people }) => {
        const { person: found } = await getPerson(name, people);
        await people.removePerson(found.id, operator(needs));
        print(`Removed ${found.name}.`);
      }),
    );
}

async function getPerson(name: string, people: Pick<PersonStore, 'findPerson'>): Promise<FoundPerson> {
  const found = await people.findPerson(name);
  if (!found) throw new Problem('not-found', `there is no person ${name}; nameglass person list shows all`);
  return found;
}

function describe({ person, account, apiOwner }: FoundPerson) {
  const { id, name, email = null, permissions: held, createdMs, credentials } = person;
  return {
    id,
    name,
    account: account.name,
    email,
    permissions: held,
    api_owner: apiOwner,
    operator: person.operator,
    disabled: person.disabledMs === undefined ? null : new Date(person.disabledMs).toISOString(),
    created: new Date(createdMs).toISOString(),
    password: credentials.hasPassword,
    totp: credentials.hasTotp,
    passkeys: credentials.passkeys,
  };
}

function signsInWith({ person: { credentials, disabledMs } }: FoundPerson): string {
  if (disabledMs !== undefined) return 'nothing: disabled';
  const { hasPassword, hasTotp, passkeys } = credentials;
  const password = hasPassword ? [hasTotp ? 'password and code' : 'password'] : [];
  const keys = passkeys > 0 ? [counted(passkeys, 'passkey')] : [];
  return [...password, ...keys].join(', ') || 'a link only';
}

function readEmail(text: string): string {
  if (text === 'none' || isMailAddress(text)) return text;
  throw new InvalidArgumentError('Expected an address such as name@example.com.');
}
