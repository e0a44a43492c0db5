import type { Context } from 'hono';
import type { WriteEvent } from '../audit/events.ts';
import type { CalledAs } from '../guide/command-name.ts';
import type { ImportService } from '../import/service/import-service.ts';
import type { Log } from '../log.ts';
import type { AuthorizationServer } from '../oauth/server.ts';
import type { Admission, Caller } from '../reads/admission.ts';
import type { RunRead } from '../reads/run-read.ts';
import type { Store } from '../store/store.ts';
import type { FindSource } from './caller.ts';
import type { ServeMcp } from './mcp/mcp.ts';
import type { DirectServer } from './mcp/serve-direct.ts';
import type { ReadSamples } from './oauth/choice-reader.ts';
import type { OwnerSession } from './owner/owner-session.ts';

/** What the routes work with. `app.ts` puts it together once, and each route takes what it needs. */
export interface RouteDeps {
  readonly store: Store;
  readonly publicUrl: string;
  readonly owner: OwnerSession;
  readonly server: AuthorizationServer;
  readonly mcp: ServeMcp;
  readonly direct: DirectServer;
  readonly admission: Admission;
  readonly runRead: RunRead;
  readonly readSamples: ReadSamples;
  /** The caller behind a bearer token. Refused tokens are noted for the owner. */
  readonly getCaller: (c: Context) => Promise<Caller>;
  readonly findSource: FindSource;
  readonly writeEvent: WriteEvent;
  readonly imports: ImportService;
  /** Files in which damage was found. */
  readonly damaged: ReadonlySet<string>;
  /** How this program is called on this computer. */
  readonly called: CalledAs;
  /** The time zone was set by whoever started the server: the set-up page does not ask the browser for it. */
  readonly zoneIsGiven: boolean;
  readonly log: Log;
  readonly now: () => Date;
}
