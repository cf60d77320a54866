/** Who is signed in, and what they have chosen. */
import { Type } from 'typebox';
import { permissions, permits } from '../../../model/account/permission.ts';
import { hasCredentials } from '../../../model/person/person.ts';
import type { Preferences } from '../../../model/person/preferences.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { PersonStore } from '../../../store/person/person-store.ts';
import { defineWebOperation, type WebCaller, type WebOperation } from '../web-operation.ts';
import { Me, WirePreferences } from './me-wire.ts';

export interface MeNeeds {
  readonly people: Pick<PersonStore, 'countRecoveryCodes' | 'setPreferences'>;
  readonly settings: Pick<Settings, 'demo' | 'screenshots' | 'mail'>;
  readonly version: string;
}

export function meOperations(needs: MeNeeds): readonly WebOperation[] {
  const getMe = defineWebOperation({
    method: 'GET',
    path: '/me',
    access: 'session',
    summary: 'Who is signed in, with permissions and preferences',
    answer: Me,
    handle: ({ caller, nowMs }) => meOnWire(caller, nowMs, needs),
  });

  const patchMe = defineWebOperation({
    method: 'PATCH',
    path: '/me',
    access: 'session',
    summary: 'Changes preferences; those left out stay',
    body: Type.Object({ preferences: Type.Partial(WirePreferences) }),
    answer: Me,
    handle: async ({ caller, body: { preferences: given }, nowMs }) => {
      const before = caller.person.preferences;
      const preferences: Preferences = {
        theme: given.theme ?? before.theme,
        density: given.density ?? before.density,
        zone: given.zone ?? before.zone,
        singleKeys: given.single_keys ?? before.singleKeys,
        guidedPivotThreshold: given.guided_pivot_threshold ?? before.guidedPivotThreshold,
      };
      const person = await needs.people.setPreferences(caller.person.id, preferences);
      return meOnWire({ ...caller, person }, nowMs, needs);
    },
  });

  return [getMe, patchMe];
}

/** What the app can show only where the server has it. */
function featuresOf({ screenshots, mail }: MeNeeds['settings']): string[] {
  return [...(screenshots.enabled ? ['screenshots'] : []), ...(mail.host === '' ? [] : ['mail'])];
}

export async function meOnWire(caller: WebCaller, nowMs: number, needs: MeNeeds): Promise<Me> {
  const { person, account, user, session } = caller;
  const { preferences, credentials, email } = person;
  const { demo } = needs.settings;
  return {
    person: { name: person.name, ...(email === undefined ? {} : { email }) },
    account: { name: account.name },
    permissions: permissions.filter((permission) => permits(user.permissions, permission)),
    api_owner: user.apiOwner,
    operator: person.operator,
    credentials: {
      password: credentials.hasPassword,
      totp: credentials.hasTotp,
      passkeys: credentials.passkeys,
      recovery_codes: await needs.people.countRecoveryCodes(person.id),
    },
    setup_needed: !demo && !hasCredentials(person),
    signed_in: new Date(session.createdMs).toISOString(),
    preferences: {
      theme: preferences.theme,
      density: preferences.density,
      zone: preferences.zone,
      single_keys: preferences.singleKeys,
      guided_pivot_threshold: preferences.guidedPivotThreshold,
    },
    server: {
      version: needs.version,
      demo,
      time: new Date(nowMs).toISOString(),
      features: featuresOf(needs.settings),
    },
  };
}
