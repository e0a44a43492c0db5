import { readdirSync, readFileSync } from 'node:fs';
import { groups } from '../src/cli/table/commands.ts';
import { type Command, folderOptions, type Option } from '../src/cli/table/option.ts';
import { importers } from '../src/sources/importers.ts';
import { drawBars } from './draw-bars.ts';
import { writePackageTable } from './list-packages.ts';
import { readTable, replacePart } from './replace-part.ts';

export interface GeneratedFile {
  /** The path below the project's root. */
  readonly path: string;
  /** Returns the file with its generated parts renewed. */
  readonly write: () => string;
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The formats in the README, by the kind of data that they contain. */
const formatKinds: Record<string, string> = {
  'AI conversations': 'chatgpt claude claude-code codex',
  'Chats and calls': 'whatsapp signal telegram imessage sms-backup google-voice line slack discord snapchat',
  'Social networks': 'instagram facebook x tiktok mastodon linkedin reddit',
  'Mail, calendar, contacts': 'gmail mail google-calendar calendar contacts',
  'Money and orders': 'bank-csv camt mt940 ofx qif ynab amazon',
  'Notes and journals': 'apple-notes bear evernote notion day-one google-keep markdown',
  'Reading and bookmarks':
    'kindle goodreads readwise pocket raindrop instapaper omnivore wallabag pinboard browser google-activity',
  'Music, films, series': 'spotify lastfm listenbrainz letterboxd trakt netflix',
  'Health, places, photos': 'apple-health strava tracks google-location google-photos',
  'Code and other data': 'github generic',
};

export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'README.md', write: () => replacePart(read('README.md'), 'formats', listFormats()) },
  {
    path: 'docs/commands.md',
    write: () => replacePart(read('docs/commands.md'), 'commands', groups.map(describeGroup).join('\n\n')),
  },
  { path: 'docs/decisions/README.md', write: listDecisions },
  {
    path: 'docs/dependencies.md',
    write: () => replacePart(read('docs/dependencies.md'), 'packages', writePackageTable()),
  },
  { path: 'docs/calls-per-second.svg', write: () => drawPeers(read('docs/performance.md')) },
];

function listFormats(): string {
  const titles = new Map(importers.map(({ format, title }) => [format, title]));
  const rows = Object.entries(formatKinds).map(([kind, names]) => {
    const named = names.split(' ').map((name) => {
      const title = titles.get(name);
      titles.delete(name);
      if (title === undefined) throw new Error(`There is no importer for ${name}.`);
      return title.replace(/ (export|archive|data package|sessions|clippings)$/, '');
    });
    return `- **${kind}:** ${named.join(', ')}`;
  });
  if (titles.size > 0) throw new Error(`Add to formatKinds: ${[...titles.keys()].join(', ')}`);
  return rows.join('\n');
}

function listDecisions(): string {
  const names = readdirSync(new URL('../docs/decisions/', import.meta.url)).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  const rows = names.map((name) => `- [${/^# (.+)$/m.exec(read(`docs/decisions/${name}`))?.[1]}](${name})`);
  return `# Decisions\n\nEach page has a problem, the options, a measurement where there is one, and the choice.\n\n${rows.sort().join('\n')}\n`;
}

function describeGroup({ title, commands }: (typeof groups)[number]): string {
  return [`## ${title}`, ...commands.map(describeCommand)].join('\n\n');
}

function describeCommand({ name, parameters, summary, options, examples }: Command): string {
  const own = Object.entries(options).filter(([name]) => !(name in folderOptions));
  const list = own.map(([name, option]) => describeOption(name, option)).join('\n');
  return [
    `### ${name}`,
    `${summary}.`,
    ['```sh', `pdpp ${[name, parameters].join(' ').trim()}${own.length > 0 ? ' [options]' : ''}`]
      .concat(examples.filter((example) => example !== name).map((example) => `pdpp ${example}`))
      .concat('```')
      .join('\n'),
    ...(list === '' ? [] : [list]),
  ].join('\n\n');
}

function describeOption(name: string, { placeholder, summary, values, multiple }: Option): string {
  // The formats are in the README.
  const known = values === undefined || values.length > 10 ? '' : `: ${values.join(', ')}`;
  const repeated = multiple ? ' (repeatable)' : '';
  return `- \`--${[name, placeholder].filter(Boolean).join(' ')}\`: ${summary}${known}${repeated}`;
}

/** Draws the table of calls per second, which has a row per request and a column per server. */
function drawPeers(page: string): string {
  const [[, ...series] = [], ...data] = readTable(page, 'calls-per-second');
  return drawBars({
    title: 'Calls per second with 8 connections; each question is scaled to its fastest server',
    series,
    rows: data.map(([label = '', ...cells]) => ({
      label: label.replaceAll('`', ''),
      values: cells.map((text) => Number(text.replaceAll(',', ''))),
    })),
  });
}
