/** Chrome counts microseconds from 1601. */
export const CHROME_EPOCH_MS = 11_644_473_600_000;
/** Safari counts seconds from 2001. */
const SAFARI_EPOCH_S = 978_307_200;

const CHROME_HOW =
  'link|typed|bookmark|embedded frame|frame link|generated|start page|form|reload|keyword|keyword'.split('|');
const FIREFOX_HOW = '|link|typed|bookmark|embed|redirect|redirect|download|frame link|reload'.split('|');

export interface HistoryKind {
  /** Tables that occur together only in this database. */
  readonly tables: readonly string[];
  readonly browser: string;
  /** Selects id, at (milliseconds), url, title, kind, seconds. Names in brackets are optional columns. */
  readonly visits: string;
  readonly how: readonly string[];
}

export const historyKinds: readonly HistoryKind[] = [
  {
    tables: ['urls', 'visits', 'meta'],
    browser: 'Chrome',
    visits: `select v.id, (v.visit_time / 1000 - ${CHROME_EPOCH_MS}) as at, u.url, u.title, v.transition & 255 as kind,
      [v.visit_duration] / 1000000 as seconds
      from visits v join urls u on u.id = v.url order by v.id`,
    how: CHROME_HOW,
  },
  {
    tables: ['moz_places', 'moz_historyvisits'],
    browser: 'Firefox',
    visits: `select v.id, v.visit_date / 1000 as at, p.url, p.title, v.visit_type as kind, null as seconds
      from moz_historyvisits v join moz_places p on p.id = v.place_id order by v.id`,
    how: FIREFOX_HOW,
  },
  {
    tables: ['history_items', 'history_visits'],
    browser: 'Safari',
    visits: `select v.id, cast((v.visit_time + ${SAFARI_EPOCH_S}) * 1000 as integer) as at, i.url, v.title, null as kind,
      null as seconds
      from history_visits v join history_items i on i.id = v.history_item order by v.id`,
    how: [],
  },
];
