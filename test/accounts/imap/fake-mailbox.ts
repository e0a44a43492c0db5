import { type Answer, serveImap } from './fake-server.ts';

export interface FakeMail {
  readonly uid: number;
  readonly raw: string;
  flags: string;
}

/** A folder whose numbers the test may change at will, as a broken or hostile server does. */
export interface FakeMailbox {
  uidValidity: number;
  uidNext: number;
  /** Undefined: a server without CONDSTORE. */
  modseq?: number;
  folders: string[];
  mails: FakeMail[];
  /** Commands that the client sent. */
  readonly seen: string[];
  /** Called with each sign-in. */
  onLogin?: () => void;
}

export const createMailbox = (mails: readonly Pick<FakeMail, 'raw'>[]): FakeMailbox => ({
  uidValidity: 1,
  uidNext: mails.length + 1,
  folders: ['INBOX'],
  mails: mails.map(({ raw }, index) => ({ uid: index + 1, raw: raw.replaceAll('\n', '\r\n'), flags: '' })),
  seen: [],
});

/** Serves a mailbox over IMAP. Returns the port. */
export function serveMailbox(box: FakeMailbox): Promise<number> {
  const answer: Answer = (socket, tag, text) => {
    const say = (...lines: string[]) =>
      void socket.write([...lines, `${tag} OK done`, ''].join('\r\n'), 'latin1');
    box.seen.push(text);
    const modseq = box.modseq === undefined ? '' : ` HIGHESTMODSEQ ${box.modseq}`;
    if (/^(?:LOGIN|AUTHENTICATE)/.test(text)) box.onLogin?.();
    if (/^ENABLE/.test(text)) say('* ENABLED CONDSTORE');
    else if (/^LIST/.test(text))
      say(
        ...box.folders.flatMap((name) => [
          `* LIST () "/" ${quote(name)}`,
          `* STATUS ${quote(name)} (MESSAGES ${box.mails.length} UIDNEXT ${box.uidNext} UIDVALIDITY ${box.uidValidity}${modseq})`,
        ]),
      );
    else if (/^EXAMINE/.test(text))
      say(
        `* ${box.mails.length} EXISTS`,
        `* OK [UIDVALIDITY ${box.uidValidity}] x`,
        `* OK [UIDNEXT ${box.uidNext}] x`,
        ...(box.modseq === undefined ? [] : [`* OK [HIGHESTMODSEQ ${box.modseq}] x`]),
      );
    else if (/^(?:UID )?FETCH/.test(text)) {
      // The server claims that nothing has changed.
      const mails = /CHANGEDSINCE/.test(text) ? [] : find(box, text);
      for (const { uid, raw, flags } of mails) {
        const body = /BODY/.test(text) ? ` BODY[]<0> {${raw.length}}\r\n${raw}` : '';
        const position = box.mails.findIndex((mail) => mail.uid === uid) + 1;
        socket.write(
          `* ${position} FETCH (UID ${uid} RFC822.SIZE ${raw.length} INTERNALDATE "02-Mar-2026 10:00:00 +0100" FLAGS (${flags})${body})\r\n`,
          'latin1',
        );
      }
      say();
    } else return false;
    return true;
  };
  const extensions = box.modseq === undefined ? '' : ' CONDSTORE ENABLE';
  const capability = `CAPABILITY IMAP4rev1 SASL-IR SPECIAL-USE LIST-STATUS LIST-EXTENDED${extensions}`;
  return serveImap({ capability, answer });
}

/** A name with control characters is sent as it is. */
const quote = (name: string) => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function find({ mails }: FakeMailbox, text: string): FakeMail[] {
  const [, uid, set = ''] = /^(UID )?FETCH (\S+)/.exec(text) ?? [];
  const ranges = set.split(',').map((one) => {
    const [from = '', to = from] = one.split(':');
    return [Number(from), to === '*' ? Number.POSITIVE_INFINITY : Number(to)] as const;
  });
  return mails.filter((mail, index) => {
    const number = uid === undefined ? index + 1 : mail.uid;
    return ranges.some(([from, to]) => number >= from && number <= to);
  });
}
