import type { Draw } from '../../../support/draw.ts';
import {
  type Kind,
  type Land,
  letters,
  postAndLog,
  type Relation,
  type StreamSpec,
} from '../../../support/granted-sources.ts';
import type { Setting } from '../../../support/story-world.ts';
import { HIDDEN_PERSON } from './palette.ts';

/** Fields, streams and connections that no grant names; some are spelt almost like those that grants do name. */
const HIDDEN_FIELDS: Readonly<Record<string, Kind>> = {
  titles: 'string',
  secret: 'text',
  folders: 'string',
  opened_at: 'date-time',
  owner_id: 'string',
  prices: 'number',
};
const HIDDEN_STREAMS = ['diary', 'lettres'];
const HIDDEN_CONNECTIONS = [
  { id: 'aaa_first', connector: 'post', name: 'Hidden post' },
  { id: 'post_wort', connector: 'post', name: 'Hidden post' },
  { id: 'vault', connector: 'vault', name: 'Hidden vault' },
];

/** What accounts call their owner in hidden records alone: more than anyone has, and known before the rest. */
const HIDDEN_SELF = [
  HIDDEN_PERSON,
  `${HIDDEN_PERSON}@club.example`,
  ...Array.from({ length: 150 }, (_, at) => `alias_${at}@club.example`),
];

export const HIDDEN_NAMES = {
  fields: Object.keys(HIDDEN_FIELDS),
  streams: HIDDEN_STREAMS,
  relations: ['diaries', 'diary'],
  connections: HIDDEN_CONNECTIONS.map(({ id }) => id),
};

/**
 * The same sources, with more declared around what the grants name: other fields and streams before and after it, so
 * that what is visible lies in other slots and columns, and more connections, added in any order.
 */
export function twistSetting(draw: Draw, timeZone: string, land: Land = postAndLog): Setting {
  const { specs, connections } = land;
  // Where there is no post, its hidden accounts are of what there is.
  const connector = specs[0]?.connector as string;
  const hidden = HIDDEN_STREAMS.map((name) => ({ ...letters, connector, name, relations: [] }));
  const vault = { ...letters, connector: 'vault', relations: [] };
  return {
    timeZone,
    specs: [
      ...draw.shuffle([...specs.map((spec) => relate(draw, declareMore(draw, spec), connector)), ...hidden]),
      vault,
    ],
    connections: draw.shuffle([
      ...connections.map((one) => ({ ...one, self: [...HIDDEN_SELF, ...(one.self ?? [])] })),
      ...HIDDEN_CONNECTIONS.map((one) => ({
        ...one,
        connector: one.connector === 'vault' ? 'vault' : connector,
      })),
    ]),
  };
}

/** Adds a relation to a hidden stream, before those that are visible. */
function relate(draw: Draw, spec: StreamSpec, connector: string): StreamSpec {
  if (spec.connector !== connector || draw.chance(60)) return spec;
  const [stream] = HIDDEN_STREAMS as [string];
  const pointing = draw.pick(Object.keys(spec.fields).filter((name) => spec.fields[name] === 'string'));
  const relation: Relation = draw.pick([
    { name: 'diaries', stream, foreign_key: 'box_id', cardinality: 'has_many' },
    { name: 'diary', stream, foreign_key: pointing, cardinality: 'has_one' },
  ]);
  return { ...spec, relations: [relation, ...spec.relations] };
}

/** A later declaration of every source, with more hidden fields again. */
export function growSetting(draw: Draw, setting: Setting): Setting {
  return {
    ...setting,
    specs: setting.specs.map((spec) => (spec.connector === 'vault' ? spec : declareMore(draw, spec))),
  };
}

function declareMore(draw: Draw, spec: StreamSpec): StreamSpec {
  const added = Object.fromEntries(
    draw.some(Object.entries(HIDDEN_FIELDS), 45).filter(([name]) => !Object.hasOwn(spec.fields, name)),
  );
  const searched = draw.some(['titles', 'secret'], 70).filter((name) => Object.hasOwn(added, name));
  return {
    ...spec,
    fields: draw.chance(50) ? { ...spec.fields, ...added } : { ...added, ...spec.fields },
    searchable: draw.chance(50) ? [...searched, ...spec.searchable] : [...spec.searchable, ...searched],
  };
}
