import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openInputs } from '../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { importers } from '../../src/sources/importers.ts';
import { importAll } from './import-export.ts';

const SAMPLES = fileURLToPath(new URL('../../../shared/samples/', import.meta.url));

/** How often a pattern stands in the file: what it holds, counted without any of the code that reads it. */
const count = (path: string, pattern: RegExp) =>
  readFileSync(SAMPLES + path, 'utf8').match(pattern)?.length ?? 0;

type Expected = Record<string, number | RegExp>;
const pulsar = 'chatgpt/2015pulsar__chatgpt-conversation-extractor__';
const osteele = 'claude/osteele__claude-chat-viewer__';
const miner = 'whatsapp/joweich__chat-miner__test_';
const HEADER = /^\[?\d+\/\d+\/\d+/gm;

const samples: readonly (readonly [string, string, Expected])[] = [
  [`${pulsar}conversations.json`, 'chatgpt', { conversations: 8, messages: /"message":\s*\{/g }],
  [`${pulsar}hardening.json`, 'chatgpt', { conversations: 5, messages: /"message":\s*\{/g }],
  [`${osteele}conversations.json`, 'claude', { conversations: 2, messages: /"sender":/g }],
  [`${osteele}claude-bakery-chat.json`, 'claude', { conversations: 1, messages: /"sender":/g }],
  [`${osteele}conversation-rendering-tests.json`, 'claude', { conversations: 1, messages: /"sender":/g }],
  [`${osteele}conversations-multiple-errors.json`, 'claude', { conversations: 5, messages: /"sender":/g }],
  [`${osteele}cooking.json`, 'claude', { conversations: 1, messages: /"sender":/g }],
  [
    'claude-code-sessions/noo-bass__context-carry__session-001.jsonl',
    'claude-code',
    { sessions: 1, messages: /^\{/gm },
  ],
  ['slack/zulip__zulip__test_slack_importer.zip', 'slack', { users: 4, channels: 2, messages: 91 }],
  ['slack/zulip__zulip__channels.json', 'slack', { channels: /"id":/g }],
  ['slack/zulip__zulip__dms.json', 'slack', { channels: /"id":/g }],
  ['slack/zulip__zulip__mpims.json', 'slack', { channels: /"id":/g }],
  ['slack/zulip__zulip__normal_thread.json', 'slack', { messages: /"ts":/g }],
  [`${miner}[mmddyy]_24hrs.txt`, 'whatsapp', { chats: 1, messages: HEADER }],
  [`${miner}ddmmyy_24hrs.txt`, 'whatsapp', { chats: 1, messages: HEADER }],
  [`${miner}mmddyyyy_12hrs.txt`, 'whatsapp', { chats: 1, messages: HEADER }],
  [`${miner}yyyymmdd_24hrs.txt`, 'whatsapp', { chats: 1, messages: HEADER }],
  [
    'telegram/joweich__chat-miner__test_single_export.json',
    'telegram',
    { chats: 1, messages: /"date_unixtime"/g },
  ],
  [
    'telegram/joweich__chat-miner__test_batch_export.json',
    'telegram',
    { chats: 1, messages: /"date_unixtime"/g },
  ],
  ['twitter/dogsheep__twitter-to-sqlite__account.js', 'x', { account: 1 }],
  ['twitter/dogsheep__twitter-to-sqlite__follower.js', 'x', { followers: /"accountId"/g }],
  ['twitter/dogsheep__twitter-to-sqlite__following.js', 'x', { following: /"accountId"/g }],
  ['twitter/dogsheep__twitter-to-sqlite__saved-search.js', 'x', { saved_searches: /"savedSearchId"/g }],
  ['twitter/dogsheep__twitter-to-sqlite__account-suspension.js', 'x', {}],
  ['twitter/PDP-Connect__pdpp__tweets.js', 'x', { posts: /"id_str"/g }],
  ['twitter/PDP-Connect__pdpp__tweet.js', 'x', { posts: /"id_str"/g }],
  ['twitter/PDP-Connect__pdpp__direct-messages.js', 'x', { direct_messages: /"messageCreate"/g }],
  [
    'instagram/Berektassuly__chatpack-cli__instagram_export.json',
    'instagram',
    { chats: 1, messages: /"sender_name"/g },
  ],
  [
    'linkedin/labeldekho__linkedin-network-intelligence__Connections.csv',
    'linkedin',
    { connections: /linkedin\.com\/in/g },
  ],
  [
    'linkedin/labeldekho__linkedin-network-intelligence__Messages.csv',
    'linkedin',
    { chats: 4, messages: /^conv\d/gm },
  ],
  ['reddit/joeamroo__knowledgemaxxing__saved_posts.csv', 'reddit', { saved: /^t3_/gm }],
  ['reddit/joeamroo__knowledgemaxxing__saved_comments.csv', 'reddit', { saved: /^t1_/gm }],
];

describe.runIf(existsSync(SAMPLES))('samples of talks', () => {
  it.each(samples)('%s is %s and is imported completely', async (path, format, expected) => {
    const opened = await openInputs([SAMPLES + path]);
    const { found, leftovers } = await recogniseInputs(importers, opened.files);
    expect(found.map(({ importer }) => importer.format)).toEqual([format]);
    // Who installed which app in the workspace is nobody's talk.
    expect(
      leftovers
        .map(({ path: left }) => left.split('/').at(-1))
        .filter((left) => left !== 'integration_logs.json'),
    ).toEqual([]);
    const importer = importers.find((one) => one.format === format) as (typeof importers)[number];
    const result = await importAll(importer, opened.files);
    const counts = Object.entries(expected).map(([stream, wanted]) => [
      stream,
      typeof wanted === 'number' ? wanted : count(path, wanted),
    ]);
    expect(result.counts).toEqual(Object.fromEntries(counts));
    expect(result.problems).toEqual([]);
  });

  it('reads the same chat from every date format', async () => {
    const target = JSON.parse(
      readFileSync(`${SAMPLES}whatsapp/joweich__chat-miner__target.json`, 'utf8'),
    ) as { timestamp: string; author: string }[];
    const whatsapp = importers.find((one) => one.format === 'whatsapp') as (typeof importers)[number];
    for (const [path, format] of samples.filter(([, one]) => one === 'whatsapp')) {
      const { files } = await openInputs([SAMPLES + path]);
      const { records } = await importAll(whatsapp, files, { timeZone: 'UTC' });
      const said = records.messages
        ?.filter(({ kind }) => kind === 'message')
        .map(({ sent_at, sender }) => [sent_at, sender]);
      expect(said, `${format} ${path}`).toEqual(
        target.map(({ timestamp, author }) => [`${timestamp}Z`, author]).reverse(),
      );
    }
  });
});
