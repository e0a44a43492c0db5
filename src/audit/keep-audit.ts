import { setTimeout as sleep } from 'node:timers/promises';
import type { SqliteStore } from '../store/sqlite/open-store.ts';
import { getEventLog } from './events.ts';
import { findCut, writeHead } from './head.ts';
import { createPruner, type KeepRules, makeShrinkable, type Spared } from './prune.ts';

export interface KeepDeps {
  readonly store: SqliteStore;
  readonly rules: KeepRules;
  readonly readSpared: () => Promise<Spared>;
  readonly dayOf: (at: string) => string;
  readonly now: () => Date;
  /** Something could not be done now and will be tried again. */
  readonly onTrouble: (error: unknown) => void;
}

export interface AuditKeeper {
  /** Writes down what is still to be, before the store is closed. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 10_000;
const NOTE_HEAD_EVERY_MS = 60_000;
/** Between two steps, so that answers come first. */
const REST_MS = 20;

/**
 * Looks after the audit while the server runs: it stays within its limits, floods that were counted are written
 * down, and how far it has come is noted in the store. Nothing of it happens while an answer is made.
 */
export function keepAudit(deps: KeepDeps): AuditKeeper {
  const { store, rules, now } = deps;
  const log = getEventLog(store.audit);
  const pruner = createPruner(store.audit, deps.dayOf);
  let isStopped = false;
  let headDue = 0;
  let looking: Promise<void> | undefined;

  const noteHead = async () => {
    const cut = findCut(store, now());
    if (cut !== undefined) await log.write({ kind: 'audit_cut', detail: cut }, now());
    return writeHead(store, now());
  };
  const look = async () => {
    await log.flush(now(), 'due');
    const spared = await deps.readSpared();
    while (!isStopped && pruner.step(rules, spared, now())) await sleep(REST_MS);
    if (!isStopped && performance.now() >= headDue && (await noteHead()))
      headDue = performance.now() + NOTE_HEAD_EVERY_MS;
  };
  const lookAgain = () => {
    looking ??= look()
      .catch(deps.onTrouble)
      .finally(() => {
        looking = undefined;
      });
  };

  const begin = async () => {
    await noteHead();
    makeShrinkable(store.audit.raw);
  };
  looking = begin()
    .catch(deps.onTrouble)
    .finally(() => {
      looking = undefined;
      lookAgain();
    });
  const timer = setInterval(lookAgain, LOOK_EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      isStopped = true;
      await looking;
      try {
        await log.flush(now(), 'all');
        await noteHead();
      } catch (error) {
        deps.onTrouble(error);
      }
    },
  };
}
