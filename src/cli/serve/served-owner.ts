import { type App, createApp } from '../../app.ts';
import { createAudit } from '../../audit/audit.ts';
import { createEventLog } from '../../audit/events.ts';
import type { Config } from '../../config.ts';
import type { Invocation } from '../../guide/command-name.ts';
import { createServedImports } from '../../http/owner/served-imports.ts';
import { clearUploads } from '../../import/service/upload-folder.ts';
import type { Log } from '../../log.ts';
import { setTimeZone } from '../../schema-index/edit-catalog.ts';
import type { Hint } from '../../text/hint.ts';
import type { UpdateSource } from '../../updates/describe-update.ts';
import { version } from '../../version.ts';
import { createServedAccounts } from './served-accounts.ts';
import type { ServedEngine } from './served-engine.ts';
import { startAuditRetention } from './start-retention.ts';
import { startSharedWork } from './start-shared-work.ts';

/** One owner's app over an open store. */
export interface ServedOwner {
  readonly app: App;
  /** What the owner must know about the store. */
  readonly findings: readonly Hint[];
  /** Starts the background work of the store. */
  startWork(): Promise<void>;
  /** Returns whether an upload waits for the owner or is being imported. Closing would discard it. */
  hasUploads(): boolean;
  /** Ends the background work. The engine stays open. */
  stop(): Promise<void>;
}

export interface OwnerOptions {
  readonly config: Config;
  readonly engine: ServedEngine;
  readonly log: Log;
  readonly invocation: Invocation;
  /** The accepted Host headers. */
  readonly hosts: ReadonlySet<string>;
}

/** Checks the store of an owner and creates the app that serves it. */
export async function prepareOwner({
  config,
  engine,
  log,
  invocation,
  hosts,
}: OwnerOptions): Promise<ServedOwner> {
  const { store } = engine;
  await setTimeZone(store.write, config.timeZone);
  const findings = await engine.examine(createEventLog(store.audit), new Date());
  clearUploads(config.dataDirectory);
  const imports = createServedImports(store, engine.uploads, log);
  const accounts = createServedAccounts(store, engine.syncs, imports, log);
  const app = createApp({
    damaged: engine.damaged,
    store,
    imports,
    accounts: accounts.service,
    ...engine.calls,
    ...(engine.measure === undefined ? {} : { measureProcess: engine.measure }),
    publicUrl: config.publicUrl,
    hosts,
    audit: createAudit(store.audit),
    log,
    now: () => new Date(),
    version,
    invocation,
    callRule: config.callRule,
    zoneIsGiven: config.timeZoneIsGiven,
    ...(config.owner === undefined ? { updates: createUpdates(config) } : {}),
    trustedProxies: config.trustedProxies,
  });
  let stopWork = async () => {};
  return {
    app,
    findings,
    async startWork() {
      const maintenance = startSharedWork(store, log);
      const retention = await startAuditRetention(config, store, log);
      const stopMaintenance = await engine.startMaintenance();
      imports.start();
      accounts.start();
      stopWork = async () => {
        await maintenance.stop();
        await accounts.stop();
        await imports.close();
        await stopMaintenance();
        await retention.stop();
      };
    },
    hasUploads: () => imports.isBusy(),
    stop: () => stopWork(),
  };
}

/** Loads the update check only when the owner uses it. */
function createUpdates({ updateUrl }: Config): UpdateSource {
  return {
    version,
    findNewest: async () => (await import('../../updates/newest-version.ts')).findNewestVersion(updateUrl),
  };
}
