import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { tools } from '../../../src/tools/index.ts';
import { createDesk, type Desk } from './desk.ts';
import { install, type PinnedName } from './install.ts';
import { type LiveServer, startLiveServer } from './live-server.ts';

/** What every client is asked to do, in this order, with one server and one home folder. */
const checks = {
  signIn: 'signs in through the sign-in and the consent page',
  list: 'lists exactly the five tools',
  call: 'calls a tool',
  expiry: 'goes on by itself after its access token has expired',
  restart: 'goes on after the server was restarted',
  revocation: 'is refused after the owner has revoked the access',
} as const;

export type Check = keyof typeof checks;

declare module 'vitest' {
  interface TaskMeta {
    client?: string;
    version?: string;
    check?: Check | 'extra';
  }
}

/** One client at work, whatever it takes to drive it. */
export interface ClientAtWork {
  signIn(): Promise<void>;
  /** Names of the tools that the client shows, without what it puts before them. */
  listTools(): Promise<string[]>;
  /** Searches for `QUERY`; what the client shows of the answer, or of the refusal. */
  search(): Promise<string>;
  /** Sets the client's own clock forward, where it refreshes by that alone and not when it is refused. */
  age?(): void;
  close?(): void;
}

export interface ClientUnderTest {
  readonly name: string;
  readonly package?: PinnedName;
  /** The version, where the client is a dependency of the project. */
  readonly version?: string;
  /** How it tells its user that it may not read any more. */
  readonly refusal: RegExp;
  open(server: LiveServer, desk: Desk): ClientAtWork;
  /** Checks of this client alone. */
  readonly extra?: Record<string, (at: { server: LiveServer; desk: Desk }) => Promise<void>>;
}

export const QUERY = 'lunch';
const toolNames = tools.map((tool) => tool.name).sort();

export function describeClient(client: ClientUnderTest): void {
  describe(client.name, () => {
    let server: LiveServer;
    let desk: Desk;
    let work: ClientAtWork;
    let version = client.version ?? '';
    let missing: string | undefined;
    let isIn = false;

    beforeAll(async () => {
      let bin: string | undefined;
      try {
        if (client.package !== undefined) ({ version, bin } = await install(client.package));
      } catch (error) {
        missing = `could not be installed: ${readReason(error)}`;
        return;
      }
      server = await startLiveServer(`${client.name} ${version}`);
      desk = createDesk(bin);
      work = client.open(server, desk);
    }, 600_000);
    afterAll(async () => {
      work?.close?.();
      await server?.stop();
      desk?.clear();
    });

    const add = (check: Check | 'extra', title: string, act: () => Promise<void>) =>
      it(title, async ({ task, skip }: TestContext) => {
        Object.assign(task.meta, { client: client.name, version, check });
        if (missing !== undefined) skip(missing);
        if (check !== 'signIn' && !isIn) throw new Error('it did not get in');
        try {
          await act();
        } catch (error) {
          throw new Error(`${String(error)}\n\nThe browser: ${desk.readBrowser().join('\n  ')}`, {
            cause: error,
          });
        }
        expect(server.readErrors()).toEqual([]);
      });

    const searchWell = async () => {
      const before = await server.readCalls();
      const shown = await work.search();
      expect(shown).toContain('results');
      const since = (await server.readCalls()).slice(before.length);
      const calls = since.map((call) => call.replace(/^.* (\w+ \w+)$/, '$1'));
      // Some look at once which records can be picked, for whoever types an @.
      expect([['search ok'], ['query_records ok', 'search ok']]).toContainEqual(calls);
    };

    add('signIn', checks.signIn, async () => {
      await work.signIn();
      // The program may be done before the browser has written down what it saw.
      await expect.poll(() => desk.readBrowser().at(-1)).toMatch(/^approve .* 200$/);
      expect(await server.countGrants()).toBe(1);
      isIn = true;
    });
    add('list', checks.list, async () => {
      expect((await work.listTools()).sort()).toEqual(toolNames);
    });
    add('call', checks.call, searchWell);
    for (const [title, act] of Object.entries(client.extra ?? {})) {
      add('extra', title, () => act({ server, desk }));
    }
    add('expiry', checks.expiry, async () => {
      await server.expireTokens();
      if (work.age !== undefined) {
        // Refused before its time it does not refresh; that attempt must not cost it the access.
        await work.search();
        work.age();
      }
      await searchWell();
      expect(await server.countGrants(), 'it asked the owner again').toBe(1);
    });
    add('restart', checks.restart, async () => {
      await server.restart();
      await searchWell();
      expect(await server.countGrants(), 'it asked the owner again').toBe(1);
    });
    add('revocation', checks.revocation, async () => {
      // Who asks anew brings the owner to a page with samples, which the owner reads.
      const readAppCalls = async () =>
        (await server.readCalls()).filter((call) => !call.startsWith('owner '));
      const before = await readAppCalls();
      await server.revokeGrants();
      desk.refuse();
      expect(await work.search()).toMatch(client.refusal);
      expect(await readAppCalls()).toEqual(before);
    });
  });
}

function readReason(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  const lines = (stderr ?? message ?? String(error)).split('\n');
  return (lines.find((line) => line.startsWith('npm error')) ?? lines[0] ?? '').slice(0, 200);
}
