import type { Child } from 'hono/jsx';
import type { DescribedRead, Problem } from '../../src/views/activity/describe-read.ts';
import type { EventLine } from '../../src/views/activity/entries.ts';
import type { ActivityRow } from '../../src/views/activity/latest-reads.ts';
import { Chip, formatCount, Time } from './layout.tsx';
import { appHref } from './links.ts';

/** Reads and events as sentences with collapsible details. */
export function Reads(props: {
  rows: readonly ActivityRow[];
  zone: string;
  /** Whether to name the app. False if all rows are of one app. */
  withApp: boolean;
}) {
  const { rows, zone, withApp } = props;
  return (
    <ul class="read-list">
      {groupRepeats(rows).map(([row, ...before]) => (
        <li>
          <Time at={row.at} zone={zone} />
          {row.type === 'read' ? (
            <Read row={row} before={before as DescribedRead[]} zone={zone} withApp={withApp} />
          ) : (
            <Event row={row} withApp={withApp} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Groups repeated reads with the row before them. */
function groupRepeats(rows: readonly ActivityRow[]): [ActivityRow, ...ActivityRow[]][] {
  const groups: [ActivityRow, ...ActivityRow[]][] = [];
  for (const row of rows) {
    if (row.type === 'read' && row.again) groups.at(-1)?.push(row);
    else groups.push([row]);
  }
  return groups;
}

const problems: Readonly<Record<Problem['kind'], { tone: 'bad' | 'warn'; word: string }>> = {
  refused: { tone: 'bad', word: 'Refused' },
  mistake: { tone: 'warn', word: 'Invalid request' },
  failed: { tone: 'warn', word: 'Failed' },
};

function Read(props: {
  row: DescribedRead;
  before: readonly DescribedRead[];
  zone: string;
  withApp: boolean;
}) {
  const { row, before, zone, withApp } = props;
  const { problem } = row;
  return (
    <details>
      <summary class="sentence">
        {withApp ? nameReader(row) : 'It'} {row.did}
        {before.length > 0 && `, ${before.length + 1} times`}.
        {problem !== null && (
          <>
            {' '}
            <Chip tone={problems[problem.kind].tone}>{problems[problem.kind].word}</Chip>
          </>
        )}
      </summary>
      {[row, ...before].map((one) => (
        <Facts row={one} at={before.length > 0 && <Time at={one.at} zone={zone} />} withApp={withApp} />
      ))}
    </details>
  );
}

function Facts({ row, at, withApp }: { row: DescribedRead; at: Child; withApp: boolean }) {
  const { problem } = row;
  return (
    <dl class="facts">
      {at && <Fact name="When" value={at} />}
      {withApp && row.grant_id !== null && <Fact name="App" value={<AppName row={row} />} />}
      {problem !== null && <Fact name="Why" value={problem.text} />}
      {row.fields.length > 0 && <Fact name="Fields" value={row.fields.join(', ')} />}
      <Fact name="Records returned" value={formatCount(row.records)} />
      {row.touched !== null && <Fact name="Records scanned" value={formatCount(row.touched)} />}
      <Fact name="Tokens" value={formatCount(row.tokens_out)} />
      <Fact name="Took" value={`${row.ms < 10 ? row.ms.toFixed(1) : Math.round(row.ms)} ms`} />
      <Fact name="Tool" value={row.outcome === 'ok' ? row.tool : `${row.tool}: ${row.outcome}`} />
      <Fact name="Request" value={row.request_id} />
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const SOME_APP = 'An app ';
/** Words in the sentence of an event. The name of the connection replaces them. */
const SOME_CONNECTION = 'one connection';
/** The preposition between an event and the app, for events that the owner caused. */
const prepositions: Readonly<Record<string, string>> = {
  approved: 'for',
  denied: 'for',
  revoked: 'for',
  connection_ended: 'of',
  expiry_changed: 'of',
};

/** Writes an event with the app as subject or object. On the page of the app, the subject is "It". */
function Event({ row, withApp }: { row: EventLine; withApp: boolean }) {
  const isNamed = withApp && row.client !== null;
  const byApp = row.text.startsWith(SOME_APP) && (isNamed || !withApp);
  const preposition = isNamed && !byApp && row.text.startsWith('You ') ? prepositions[row.kind] : undefined;
  const { text, detail } = insertDetail(row);
  return (
    <p>
      {byApp && (
        <>
          {isNamed ? <AppName row={row} /> : 'It'} {text.slice(SOME_APP.length)}
        </>
      )}
      {preposition !== undefined && (
        <>
          {text.replace(/\.$/, '')} {preposition} <AppName row={row} />.
        </>
      )}
      {!byApp && preposition === undefined && text} {detail !== null && <span class="muted">{detail}</span>}
      {isNamed && !byApp && preposition === undefined && (
        <span class="muted">
          {' '}
          <AppName row={row} />
        </span>
      )}
    </p>
  );
}

/** Inserts the detail into the sentence. */
function insertDetail({ kind, text, detail }: EventLine): Pick<EventLine, 'text' | 'detail'> {
  if (detail === null) return { text, detail };
  const stem = text.replace(/\.$/, '');
  if (text.includes(SOME_CONNECTION))
    return { text: text.replace(SOME_CONNECTION, () => detail), detail: null };
  if (kind === 'document_fetched') return { text: `${stem} from ${detail}.`, detail: null };
  return detail.startsWith('from ') ? { text: `${stem}, ${detail}.`, detail: null } : { text, detail };
}

/** Returns a name without a link, because a click on the summary opens the details. The details have the link. */
const nameReader = ({ client }: DescribedRead) => (client === 'owner' ? 'You' : client);

function AppName({ row }: { row: DescribedRead | EventLine }) {
  if (row.grant_id !== null && row.client !== null) return <a href={appHref(row.grant_id)}>{row.client}</a>;
  return <>{row.client === 'owner' ? 'You' : (row.client ?? '')}</>;
}
