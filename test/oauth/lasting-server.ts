import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { createAudit } from '../../src/audit/audit.ts';
import { installSource } from '../../src/ingest/install-source.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { addConnection } from '../../src/schema-index/edit-catalog.ts';
import type { SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { diarySource } from '../support/diary-source.ts';
import { askForTools } from '../support/mcp-post.ts';
import { openTestStore } from '../support/stores/engines.ts';
import { ORIGIN } from '../support/world.ts';

/** A server by the real clock, with one diary, that can be stopped and started again on the same folder. */
export interface LastingServer {
  /** The store as it is open now. */
  readonly store: SqliteStore;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Whether a call with this token is let in. */
  isLetIn(token: string): Promise<boolean>;
  restart(): Promise<void>;
  close(): void;
}

export async function createLastingServer(
  options: { accessTokenSeconds?: number } = {},
): Promise<LastingServer> {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-test-'));
  const host = new URL(ORIGIN).host;
  const start = async () => {
    const store = await openTestStore(directory);
    const app = createApp({
      ...options,
      store,
      publicUrl: ORIGIN,
      hosts: new Set([host]),
      audit: createAudit(store.audit),
      log: () => {},
      now: () => new Date(),
      version: '0.0.0-test',
    });
    return { store, app };
  };
  let running = await start();
  const { write } = running.store;
  await installSource(write, checkDeclaration(diarySource), new Date());
  await addConnection(
    write,
    { connection_id: 'mine', connector_key: 'diary', display_name: 'My diary' },
    new Date(),
  );

  const request = async (path: string, init: RequestInit = {}) =>
    running.app.request(path, { ...init, headers: { host, ...(init.headers as Record<string, string>) } });
  return {
    get store() {
      return running.store;
    },
    request,
    async isLetIn(token) {
      const status = await askForTools({ request }, token);
      if (status !== 200 && status !== 401) throw new Error(`unexpected status ${status}`);
      return status === 200;
    },
    async restart() {
      running.store.close();
      running = await start();
    },
    close() {
      running.store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
