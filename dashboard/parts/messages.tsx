import type { Entry } from '../../src/views/reading/entries.ts';
import { Chip } from './layout.tsx';
import { recordHref } from './links.ts';
import { dayOf, LongText, When } from './value.tsx';

interface EntriesProps {
  readonly entries: readonly Entry[];
  readonly zone: string;
  readonly as: string | undefined;
}

/** Messages, grouped by day. */
export function Messages({ entries, zone, as }: EntriesProps) {
  return (
    <ol class="messages">
      {entries.map((entry, i) => {
        const day = entry.time === null ? undefined : dayOf(entry.time, zone);
        const previousTime = entries[i - 1]?.time;
        const isNewDay =
          previousTime === undefined || previousTime === null || dayOf(previousTime, zone) !== day;
        return (
          <>
            {day !== undefined && isNewDay && <li class="day">{day}</li>}
            <Message entry={entry} zone={zone} as={as} />
          </>
        );
      })}
    </ol>
  );
}

function Message({ entry, zone, as }: { entry: Entry; zone: string; as: string | undefined }) {
  const { id, who, mine, time, text, cut, aside: isHidden, attachments } = entry;
  const body = text === null ? <p class="muted">No text.</p> : <LongText text={text} />;
  return (
    <li class={mine ? 'message mine' : 'message'}>
      <p class="message-author">
        <b>{who ?? 'Unknown'}</b>{' '}
        <a class="muted small" href={recordHref(id, as)}>
          {time === null ? 'Open' : <When at={time} zone={zone} show="clock" />}
        </a>
      </p>
      {isHidden ? (
        <details class="more">
          <summary>Hidden in the original app</summary>
          {body}
        </details>
      ) : (
        body
      )}
      {cut && (
        <p class="small">
          <a href={recordHref(id, as)}>Read full text</a>
        </p>
      )}
      {attachments.length > 0 && (
        <p class="row small">
          {attachments.map((name) => (
            <Chip>{name}</Chip>
          ))}
        </p>
      )}
    </li>
  );
}

/** List of records with author and time. */
export function EntryList({ entries, zone, as }: EntriesProps) {
  return (
    <ul class="lines">
      {entries.map(({ id, name, who, time }) => (
        <li class="spread">
          <span class="long">
            {who !== null && <b>{who} </b>}
            <a href={recordHref(id, as)}>{name}</a>
          </span>
          {time !== null && (
            <span class="muted small nowrap">
              <When at={time} zone={zone} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
