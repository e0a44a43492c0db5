import type { AccountService } from '../accounts/account-service.ts';
import type { WriteEvent } from '../audit/events.ts';
import type { ErrorCode } from '../errors.ts';
import type { Invocation } from '../guide/command-name.ts';
import type { ImportService } from '../import/service/import-service.ts';
import type { Log } from '../log.ts';
import type { Sample } from '../metrics/format-metrics.ts';
import type { AuthorizationServer } from '../oauth/server.ts';
import type { Admission, Caller } from '../reads/admission.ts';
import type { RunRead } from '../reads/run-read.ts';
import type { Store } from '../store/store.ts';
import type { UpdateSource } from '../updates/describe-update.ts';
import type { RequestHead } from './guard.ts';
import type { DirectServer } from './mcp/direct-call.ts';
import type { ServeMcp } from './mcp/mcp.ts';
import type { ReadSamples } from './oauth/choice-reader.ts';
import type { OwnerSession } from './owner/owner-session.ts';
import type { FindSource } from './source-address.ts';

/** The dependencies of all routes. `app.ts` creates them once. */
export interface BaseRouteDeps {
  readonly store: Store;
  readonly publicUrl: string;
  /** Loads the protocol library, once. */
  readonly loadMcp: () => Promise<ServeMcp>;
  readonly direct: DirectServer;
  readonly admission: Admission;
  readonly runRead: RunRead;
  /** Returns the caller by its bearer token. A refused token is written to the event log. */
  readonly getCaller: (c: RequestHead) => Promise<Caller>;
  readonly findSource: FindSource;
  readonly writeEvent: WriteEvent;
  /** Counts a request that is answered with an error. */
  readonly noteRefused: (code: ErrorCode) => void;
  /** The present metrics of this app and, for the main owner, of the process. */
  readonly listMetrics: () => Promise<readonly Sample[]>;
  /** Damaged files. */
  readonly damaged: ReadonlySet<string>;
  /** How this program is started on this computer. */
  readonly invocation: Invocation;
  readonly log: Log;
  readonly now: () => Date;
}

/** The dependencies of the routes that are loaded late. */
export interface RouteDeps extends BaseRouteDeps {
  readonly owner: OwnerSession;
  readonly server: AuthorizationServer;
  readonly readSamples: ReadSamples;
  readonly imports: ImportService;
  /** Absent for an owner who cannot update this server. */
  readonly updates?: UpdateSource | undefined;
  /** Absent if this server syncs no accounts. */
  readonly accounts?: AccountService | undefined;
  /** The time zone was set at the start, so the setup page does not ask the browser for it. */
  readonly zoneIsGiven: boolean;
}
