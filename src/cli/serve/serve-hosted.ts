import { type Config, configOf } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { HostedOwner } from '../../store/owners/owner-list.ts';
import { formatHint } from '../../text/hint.ts';
import { invocation } from '../run/how-started.ts';
import { type OpenApp, OwnerApps } from './owner-apps.ts';
import type { MainEngine } from './served-engine.ts';
import { prepareOwner } from './served-owner.ts';

/** Serves the other owners of a deployment with the shared parts of the main owner's engine. */
export function serveHosted(config: Config, engine: MainEngine, log: Log): OwnerApps {
  const checked = new Set<string>();
  return new OwnerApps({
    findByHosts: (hosts) => engine.owners.findByHosts(hosts),
    maxApps: engine.maxApps,
    idleMs: engine.idleMs,
    open(owner) {
      // Checks read whole files, so they run once for each owner and not each time that an app is opened.
      const isFirst = !checked.has(owner.name);
      checked.add(owner.name);
      return openOwner(config, engine, owner, log, isFirst);
    },
    onError: ({ name }, error) =>
      log('owner not served', { owner: name, error: error instanceof Error ? error.stack : String(error) }),
  });
}

async function openOwner(
  mainConfig: Config,
  mainEngine: MainEngine,
  owner: HostedOwner,
  log: Log,
  isFirst: boolean,
): Promise<OpenApp> {
  const config = configOf(mainConfig, owner);
  const ownerLog: Log = (event, details) => log(event, { owner: owner.name, ...details });
  const engine = await mainEngine.openHosted(config, ownerLog, isFirst);
  try {
    const served = await prepareOwner({
      config: { ...config, timeZoneIsGiven: false },
      engine,
      log: ownerLog,
      invocation: { ...invocation, owner: owner.name, port: config.port },
      hosts: new Set([new URL(config.publicUrl).host]),
    });
    for (const sentence of served.findings) ownerLog('warning', { message: formatHint(sentence) });
    await served.startWork();
    const stopChecks = isFirst ? engine.startChecks() : () => {};
    return {
      fetch: (request, bindings) => served.app.fetch(request, bindings),
      isBusy: () => served.hasUploads(),
      async close() {
        stopChecks();
        await served.stop();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw engine.explain(error);
  }
}
