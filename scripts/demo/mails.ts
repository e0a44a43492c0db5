import { createRandom, type Random } from '../../bench/generator/random.ts';
import type { DemoLine } from '../../src/demo/read-demo.ts';
import { BOOKS, pickUpBook } from './books.ts';
import { createId, createLine } from './line.ts';
import { addSeconds, parseMoment, writeMoment } from './moment.ts';
import { joinLines, readBlocks, splitBlocks } from './read-blocks.ts';

interface Mailbox {
  readonly connection: string;
  readonly address: string;
}

const NORA: Mailbox = { connection: 'gmail_nora', address: 'nora.keller@mail.example' };
const HOUSEHOLD: Mailbox = { connection: 'gmail_household', address: 'keller.herrera@mail.example' };

interface Person {
  readonly name: string;
  readonly address: string;
}

interface Mail {
  readonly from: Person;
  readonly to: readonly string[];
  /** A moment as the data set writes it. */
  readonly when: string;
  readonly body: string;
  readonly attachments: readonly { name: string; media_type: string; size_bytes: number }[];
}

interface Thread {
  readonly subject: string;
  readonly language: string;
  readonly label: string | undefined;
  readonly mails: readonly [Mail, ...Mail[]];
}

const MONTHS = Array.from({ length: 13 }, (_, index) => index - 12);

/** The mail of both mailboxes. */
export function createMails(): DemoLine[] {
  const random = createRandom(1, 'mails');
  const nora = [...readThreads('mails-nora.txt', NORA, random), ...writeNorasNotices()];
  const household = [...readThreads('mails-household.txt', HOUSEHOLD, random), ...writeHouseholdNotices()];
  return [
    ...nora.flatMap((thread) => createThread(NORA, thread)),
    ...household.flatMap((thread) => createThread(HOUSEHOLD, thread)),
  ];
}

/** A conversation appears as a whole, with its last mail. */
function createThread({ connection, address }: Mailbox, thread: Thread): DemoLine[] {
  const { subject, language, label, mails } = thread;
  const last = mails.at(-1) as Mail;
  const id = createId(connection, subject, mails[0].when);
  const participants = [...new Set(mails.flatMap(({ from, to }) => [from.address, ...to]))];
  const record = createLine(connection, 'threads', last.when, {
    id,
    subject,
    participants,
    message_count: mails.length,
    first_message_at: `[[instant ${mails[0].when}]]`,
    last_message_at: `[[instant ${last.when}]]`,
  });
  const messages = mails.map(({ from, to, when, body, attachments }, index) => {
    const isFromMe = from.address === address;
    return createLine(connection, 'messages', last.when, {
      id: createId(id, index),
      thread_id: id,
      subject: index === 0 ? subject : `Re: ${subject}`,
      from_name: from.name,
      from_address: from.address,
      to,
      sent_at: `[[instant ${when}]]`,
      body,
      labels: [isFromMe ? 'Sent' : 'Inbox', ...(label === undefined ? [] : [label])],
      is_unread: /^w0\.[3-7]/.test(when) && !isFromMe,
      language,
      is_from_me: isFromMe,
      in_reply_to: index === 0 ? undefined : createId(id, index - 1),
      ...(attachments.length === 0
        ? {}
        : { attachment: attachments[0], attachments, attachment_names: attachments.map(({ name }) => name) }),
    });
  });
  return [record, ...messages];
}

/** `== MOMENT`, headers, text; then `--- MOMENT SENDER` and text for each answer. */
function readThreads(file: string, mailbox: Mailbox, random: Random): Thread[] {
  return readBlocks(file, '== ').map(({ head, lines }) => {
    const fields = new Map<string, string>();
    const start = lines.findIndex((line) => {
      const [, name, value] = /^(From|To|Subject|Lang|Labels): (.+)$/.exec(line) ?? [];
      if (name !== undefined) fields.set(name, value as string);
      return name === undefined;
    });
    const known = new Map<string, Person>([['Nora', { name: 'Nora Keller', address: mailbox.address }]]);
    const first = readPerson(fields.get('From') ?? '', known);
    const partners = (fields.get('To') ?? mailbox.address).split(', ');
    const blocks = splitBlocks([`--- ${head} ${first.name}`, ...lines.slice(start)], '--- ');
    const mails = blocks.map(({ head: opening, lines: text }): Mail => {
      const [, moment, sender] = /^(w\S+ \d\d:\d\d) (.+)$/.exec(opening) ?? [];
      const from = readPerson(sender ?? '', known);
      const everyone = [...new Set([first.address, ...partners])];
      const to = everyone.filter((one) => one !== from.address);
      return {
        from,
        to: to.length === 0 ? [mailbox.address] : to,
        when: writeMoment(addSeconds(parseMoment(moment as string), random.int(0, 55))),
        body: joinLines(text.filter((line) => !line.startsWith('Attachment: '))),
        attachments: text.filter((line) => line.startsWith('Attachment: ')).map(readAttachment),
      };
    });
    return {
      subject: fields.get('Subject') as string,
      language: fields.get('Lang') ?? 'en',
      label: fields.get('Labels'),
      mails: mails as [Mail, ...Mail[]],
    };
  });
}

const PEOPLE: Record<string, string> = {
  'Tomás Herrera': 'tomas.herrera@mail.example',
  'Beatriz Gómez': 'beatriz.gomez@post.example',
};

function readPerson(text: string, known: Map<string, Person>): Person {
  const [, name, address] = /^(.+?) <(.+)>$/.exec(text) ?? [];
  if (name !== undefined && address !== undefined) {
    known.set(name, { name, address });
    return { name, address };
  }
  const person = known.get(text) ?? { name: text, address: PEOPLE[text] ?? '' };
  if (person.address === '') throw new Error(`no address of ${text}`);
  return person;
}

function readAttachment(line: string): Mail['attachments'][number] {
  const [name, media_type, size] = line.slice('Attachment: '.length).split(' ') as [string, string, string];
  return { name, media_type, size_bytes: Number(size) };
}

/** A mail that nobody answers. */
function createNotice(
  from: string,
  to: string,
  when: string,
  label: string,
  subject: string,
  body: string,
): Thread {
  const sender = readPerson(from, new Map());
  const mail = { from: sender, to: [to], when, body, attachments: [] };
  return { subject, language: 'en', label, mails: [mail] };
}

/** What companies send every month, and what the bookshop sends before each book club. */
function writeNorasNotices(): Thread[] {
  const monthly = MONTHS.flatMap((month) => {
    const [now, before] = [`[[month_en m${month}.1]]`, `[[month_en m${month - 1}.1]]`];
    const send = (from: string, when: string, label: string, subject: string, body: string) =>
      createNotice(from, NORA.address, when, label, subject, body);
    return [
      send(
        'Nordbank <service@nordbank.example>',
        `m${month}.2 06:15:00`,
        'Bills',
        `Your statement for ${before} is ready`,
        `Dear Ms Keller,\n\nthe statements of your checking and savings accounts for ${before} are in your mailbox at Nordbank. For your security we never ask for your PIN by mail.\n\nNordbank`,
      ),
      send(
        'Mobil Nord <rechnung@mobil-nord.example>',
        `m${month}.6 07:40:00`,
        'Bills',
        `Your mobile phone bill for ${now}: 14.99 EUR`,
        'Dear Ms Keller,\n\nwe collect 14.99 EUR by direct debit in the next days. You used 6 to 9 GB of your 20 GB.\n\nMobil Nord',
      ),
      send(
        'Spotify <no-reply@spotify.example>',
        `m${month}.11 04:02:00`,
        'Bills',
        `Your receipt for ${now}`,
        `Spotify Family, one month: 17.99 EUR, charged to your card ending in 4471.`,
      ),
      send(
        'Halden Robotics Payroll <payroll@halden.example>',
        `m${month}.26 12:00:00`,
        'Work',
        `Your payslip for ${now}`,
        `Dear Nora,\n\nyour payslip for ${now} is in the portal. The salary is paid tomorrow.\n\nPeople and Finance, Halden Robotics`,
      ),
    ];
  });
  const books = BOOKS.map((book) => {
    const { ordered, price } = pickUpBook(book);
    return createNotice(
      'Bücher Lüders <laden@buecher-lueders.example>',
      NORA.address,
      writeMoment(ordered),
      'Orders',
      `Ready for pick-up: ${book.title}`,
      `Dear Nora Keller,\n\nyour book is here: ${book.author}, ${book.title}, ${price.toFixed(2)} EUR. We keep it for ten days.\n\nBücher Lüders, Bahrenfelder Straße`,
    );
  });
  return [...monthly, ...books];
}

function writeHouseholdNotices(): Thread[] {
  return MONTHS.flatMap((month) => [
    createNotice(
      'Nordbank <service@nordbank.example>',
      HOUSEHOLD.address,
      `m${month}.2 06:20:00`,
      'Bills',
      `Joint account: your statement for [[month_en m${month - 1}.1]] is ready`,
      'Dear Ms Keller, dear Mr Herrera,\n\nthe statement of your joint account is in your mailbox at Nordbank.\n\nNordbank',
    ),
    createNotice(
      'Internet Nord <rechnung@internet-nord.example>',
      HOUSEHOLD.address,
      `m${month}.4 08:05:00`,
      'Bills',
      `Your invoice for [[month_en m${month}.1]]: 39.99 EUR`,
      'Dear customers,\n\nwe collect 39.99 EUR by direct debit tomorrow. Thank you for your trust.\n\nInternet Nord',
    ),
  ]);
}
