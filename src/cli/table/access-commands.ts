import { addressOptions, type CommandGroup, flag, folderOptions, severalOf, value } from './option.ts';

/** Who may read, without a browser. */
export const accessCommands: CommandGroup = {
  title: 'Give and end access',
  commands: [
    {
      words: 'grant create',
      takes: '',
      says: 'let an app read, and print its token once',
      options: {
        ...folderOptions,
        client: value('NAME', 'the name of the app'),
        allow: severalOf(value('CONNECTION[:STREAM[:FIELD,FIELD]]', 'what it may read')),
        key: severalOf(value('KEY', 'only the record with this key')),
        since: value('TIME', 'only from then on, such as 2026-01-31 or last_365_days'),
        until: value('TIME', 'only up to then'),
        expires: value('DURATION', 'when it ends by itself, such as 12h, 30d, 8w'),
        purpose: value('TEXT', 'what it is for, for you to remember'),
      },
      examples: ['grant create --client Notes --allow gmail_nora:messages:subject,sent_at --expires 30d'],
      load: async () => (await import('../grant.ts')).grantCreate,
    },
    {
      words: 'grant list',
      takes: '',
      says: 'who may read what, and since when',
      options: folderOptions,
      examples: ['grant list'],
      load: async () => (await import('../grant.ts')).grantList,
    },
    {
      words: 'grant revoke',
      takes: '[ID]',
      says: 'end the access of one app, or all access',
      options: { ...folderOptions, all: flag('end everything that lets anybody in') },
      examples: ['grant revoke grant_Qk3', 'grant revoke --all'],
      load: async () => (await import('../grant.ts')).grantRevoke,
    },
    {
      words: 'owner token',
      takes: '',
      says: 'a token of your own for /v1, shown once',
      options: folderOptions,
      examples: ['owner token'],
      load: async () => (await import('../owner.ts')).ownerToken,
    },
    {
      words: 'owner reset',
      takes: '',
      says: 'a link to set a new passphrase',
      options: { ...folderOptions, ...addressOptions },
      examples: ['owner reset'],
      load: async () => (await import('../owner.ts')).ownerReset,
    },
    {
      words: 'owner revoke',
      takes: '',
      says: 'end all tokens of your own',
      options: folderOptions,
      examples: ['owner revoke'],
      load: async () => (await import('../owner.ts')).ownerRevoke,
    },
  ],
};
