import type { Context, Hono } from 'hono';
import type { UpdateCheck } from '../src/updates/describe-update.ts';
import { addPage } from './add-page.ts';
import { SettingsPage } from './pages/settings.tsx';
import type { Frame } from './parts/layout.tsx';
import { withQuery } from './parts/links.ts';

/** The data of the settings page. */
export interface SettingsView {
  /** The version of the program; null for an owner who cannot update it. */
  readonly version: string | null;
  readonly time_zone: string;
  /** The time zone of stored times without one. */
  readonly plain_time_zone: string;
  readonly time_zones: readonly string[];
  readonly sessions: readonly {
    readonly browser: string;
    readonly since: string;
    readonly last_seen: string;
    /** Whether this browser sent the request. */
    readonly here: boolean;
  }[];
  /** How many apps may read now. */
  readonly apps: number;
  readonly end_all_command: string;
  readonly data_folder: string;
  readonly backup_command: string;
}

export interface SettingsRouteDeps {
  readonly view: (c: Context) => Promise<SettingsView>;
  readonly changeZone: (zone: string) => Promise<void>;
  /** Returns a problem if the passphrase was not changed. */
  readonly changePassphrase: (c: Context, form: URLSearchParams) => Promise<string | undefined>;
  /** Asks for the newest version, which leaves this computer. */
  readonly checkUpdates: () => Promise<UpdateCheck>;
  readonly frame: (c: Context) => Promise<Frame>;
  readonly readForm: (c: Context) => Promise<URLSearchParams>;
}

const PATH = '/dashboard/settings';
const words: Readonly<Record<string, string>> = {
  zone: 'Time zone changed.',
  passphrase: 'Passphrase changed. Other browsers are signed out.',
};

export function addSettingsRoutes(app: Hono, deps: SettingsRouteDeps): void {
  const show = async (view: SettingsView, c: Context, problem?: string, update?: UpdateCheck) => {
    const done = words[c.req.query('done') ?? ''];
    const frame = await deps.frame(c);
    const page = <SettingsPage view={view} frame={frame} done={done} problem={problem} update={update} />;
    return c.html(page, problem === undefined ? 200 : 400);
  };
  addPage(app, PATH, deps.view, (view, c) => show(view, c));
  app.post(`${PATH}/zone`, async (c) => {
    const form = await deps.readForm(c);
    await deps.changeZone(form.get('time_zone') ?? '');
    return c.redirect(withQuery(PATH, { done: 'zone' }), 303);
  });
  app.post(`${PATH}/updates`, async (c) => {
    await deps.readForm(c);
    const update = await deps.checkUpdates();
    return show(await deps.view(c), c, undefined, update);
  });
  app.post(`${PATH}/passphrase`, async (c) => {
    const problem = await deps.changePassphrase(c, await deps.readForm(c));
    if (problem !== undefined) return show(await deps.view(c), c, problem);
    return c.redirect(withQuery(PATH, { done: 'passphrase' }), 303);
  });
}
