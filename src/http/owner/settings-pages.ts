import type { SettingsRouteDeps } from '../../../dashboard/settings-routes.tsx';
import type { WriteEvent } from '../../audit/events.ts';
import { AppError } from '../../errors.ts';
import { isLive } from '../../grants/grant.ts';
import { listGrants } from '../../grants/grant-store.ts';
import { quote } from '../../guide/command-name.ts';
import { createThrottle } from '../../limits/throttle.ts';
import { isPassphrase } from '../../owner/passphrase.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { changeTimeZone } from '../../schema-index/edit-catalog.ts';
import type { WriteStore } from '../../store/store.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { checkZone, listZones } from '../../time/zones.ts';
import { describeUpdate } from '../../updates/describe-update.ts';
import type { RouteDeps } from '../route-deps.ts';
import { explainRefusal, replacePassphrase } from './replace-passphrase.ts';

const GUESSES = { max: 10, windowMs: 15 * MINUTE_MS };

export function createSettingsPages(
  deps: RouteDeps,
): Pick<SettingsRouteDeps, 'view' | 'changeZone' | 'changePassphrase' | 'checkUpdates'> {
  const { store, owner, writeEvent, now } = deps;
  const { command } = deps.invocation;
  // Limits guesses by somebody at an unlocked browser.
  const throttle = createThrottle(
    'passphrase changes',
    { perAddress: GUESSES, total: GUESSES },
    store.shared?.attempts,
  );

  let checking: Promise<string | undefined> | undefined;

  return {
    async view(c) {
      const { timeZone, plainZone } = await loadCatalog(store.read);
      const open = await owner.listSessions(c);
      return {
        version: deps.updates?.version ?? null,
        time_zone: timeZone,
        plain_time_zone: plainZone,
        time_zones: listZones(),
        sessions: open.map(({ userAgent, since, lastSeen, here }) => ({
          browser: nameBrowser(userAgent),
          since,
          last_seen: lastSeen,
          here,
        })),
        apps: (await listGrants(store.read)).filter((grant) => isLive(grant, now())).length,
        end_all_command: `${command} grant revoke --all --data ${quote(store.directory)}`,
        data_folder: store.directory,
        backup_command: `${command} backup FOLDER --data ${quote(store.directory)}`,
      };
    },
    changeZone: (zone) => changeZone(store.write, writeEvent, zone, now()),
    async checkUpdates() {
      const { updates } = deps;
      if (updates === undefined)
        throw new AppError('not_found', 'Only the main owner can update this server.');
      // One check at a time, however often the button is pressed.
      checking ??= updates.findNewest().finally(() => {
        checking = undefined;
      });
      return describeUpdate(updates.version, await checking);
    },
    async changePassphrase(c, form) {
      const [current, passphrase] = [form.get('current') ?? '', form.get('passphrase') ?? ''];
      if (passphrase !== form.get('again')) return 'The new passphrases do not match.';
      try {
        const refund = await throttle({ key: 'owner' }, now());
        if (!(await isPassphrase(store.write, current))) {
          await writeEvent({ kind: 'sign_in_failed', detail: 'settings' }, now());
          return 'The current passphrase is wrong.';
        }
        await refund();
        await replacePassphrase(deps, c, passphrase);
        return undefined;
      } catch (error) {
        return explainRefusal(error);
      }
    },
  };
}

/** Changes the owner's time zone, and writes an event if it is a new one. */
async function changeZone(store: WriteStore, writeEvent: WriteEvent, zone: string, at: Date): Promise<void> {
  const checked = checkZone(zone);
  if (await changeTimeZone(store, checked))
    await writeEvent({ kind: 'time_zone_changed', detail: checked }, at);
}

const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const names: Partial<Record<(typeof browsers)[number], string>> = { Edg: 'Edge', OPR: 'Opera' };
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const;

/** Returns a short name for a browser. The header itself is long and unreliable. */
function nameBrowser(userAgent: string | undefined): string {
  const browser = browsers.find((one) => userAgent?.includes(one));
  const system = systems.find((one) => userAgent?.includes(one));
  const name = browser === undefined ? 'A browser' : (names[browser] ?? browser);
  return system === undefined ? name : `${name} on ${system}`;
}
