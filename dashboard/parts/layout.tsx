import { raw } from 'hono/html';
import type { PropsWithChildren } from 'hono/jsx';
import type { Alarm } from '../../src/audit/alarms.ts';
import { appHref } from './links.ts';

/** The pages in the navigation, and those that are reached from every page. */
export type MainPage = 'home' | 'connect' | 'apps' | 'activity' | 'data' | 'settings' | 'find';

/** Data for the layout of every page of a signed-in owner. */
export interface Frame {
  readonly csrf: string;
  readonly alarms: readonly Alarm[];
  /** The command that adds the demo data. */
  readonly demo?: string;
  /** Whether this server syncs accounts. */
  readonly hasAccounts?: boolean;
}

export type PageProps = PropsWithChildren<{
  title: string;
  /** The current navigation entry. A page without it and without csrf has no navigation. */
  here?: MainPage | undefined;
  csrf?: string | undefined;
  /** The text in quick find. */
  query?: string | undefined;
  alarms?: readonly Alarm[] | undefined;
  /** The owner's time zone, for the times of alarms. */
  zone?: string | undefined;
  /** The width of the main column: `narrow` for a page with one form (sign-in, consent). */
  width?: 'narrow' | undefined;
}>;

const navigation: readonly { here: MainPage; path: string; label: string; rest?: string }[] = [
  { here: 'home', path: '/dashboard', label: 'Overview' },
  { here: 'connect', path: '/dashboard/connect', label: 'Connect', rest: ' an AI app' },
  { here: 'apps', path: '/dashboard/apps', label: 'Apps' },
  { here: 'activity', path: '/dashboard/activity', label: 'Activity' },
  { here: 'data', path: '/dashboard/data', label: 'Data' },
];

/** An HTML document without inline styles or scripts, which the content security policy forbids. */
export function Page({ title, here, csrf, query, alarms = [], zone = 'UTC', width, children }: PageProps) {
  const signedIn = here !== undefined || csrf !== undefined;
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="theme-color" content="#f7f6f3" media="(prefers-color-scheme: light)" />
          <meta name="theme-color" content="#141517" media="(prefers-color-scheme: dark)" />
          <title>{`${title} · pdpp`}</title>
          <link rel="icon" href="/icon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href="/style.css" />
          <script type="module" src="/script.js" />
        </head>
        <body>
          <a class="skip" href="#main">
            Skip to content
          </a>
          <Header here={here} csrf={csrf} query={query} signedIn={signedIn} />
          {alarms.length > 0 && <Alarms alarms={alarms} csrf={csrf} zone={zone} />}
          <main id="main" class={width} tabindex={-1}>
            {children}
          </main>
          <footer class="foot">
            <p>Read-only. Apps see only what you approve.</p>
            <p>
              <a href="/llms.txt">For AI agents</a>
            </p>
          </footer>
          <p id="announcement" class="unseen" role="status" aria-live="polite" />
        </body>
      </html>
    </>
  );
}

function Header(props: Pick<PageProps, 'here' | 'csrf' | 'query'> & { signedIn: boolean }) {
  const { here, csrf, query, signedIn } = props;
  return (
    <header class={signedIn ? 'top' : 'top bare'}>
      <a class="brand" href={signedIn ? '/dashboard' : '/'}>
        <img src="/icon.svg" width="28" height="28" alt="" />
        pdpp
      </a>
      {signedIn && (
        <nav class="navigation" aria-label="Main">
          {navigation.map((entry) => (
            <a href={entry.path} aria-current={entry.here === here ? 'page' : undefined}>
              <span>
                {entry.label}
                {entry.rest !== undefined && <span class="wide-only">{entry.rest}</span>}
              </span>
            </a>
          ))}
        </nav>
      )}
      {here !== undefined && <QuickFind query={query} />}
      {signedIn && (
        <a
          class="settings"
          href="/dashboard/settings"
          aria-current={here === 'settings' ? 'page' : undefined}
        >
          Settings
        </a>
      )}
      {csrf !== undefined && (
        <form class="sign-out" method="post" action="/logout">
          <CsrfField csrf={csrf} />
          <button class="quiet" type="submit">
            Sign out
          </button>
        </form>
      )}
    </header>
  );
}

/** Quick find. With script, results open while typing. */
function QuickFind({ query }: { query: string | undefined }) {
  return (
    <search class="find">
      <form method="get" action="/dashboard/find" data-find>
        <label class="unseen" for="find">
          Find a page, connection, app or format
        </label>
        <input
          id="find"
          type="search"
          name="q"
          value={query}
          placeholder="Find"
          autocomplete="off"
          maxlength={64}
        />
        <span class="key needs-script wide-only">/</span>
        <ul class="found card" hidden />
      </form>
    </search>
  );
}

function Alarms(props: { alarms: readonly Alarm[]; csrf: string | undefined; zone: string }) {
  const { alarms, csrf, zone } = props;
  return (
    <section class="alarms" aria-label="Needs your attention">
      <ul>
        {alarms.map((alarm) => (
          <li>
            <Time at={alarm.at} zone={zone} /> {alarm.text}{' '}
            {alarm.grant_id !== undefined && <a href={appHref(alarm.grant_id)}>View app</a>}
            {alarm.page !== undefined && <a href={alarm.page.path}>{alarm.page.label}</a>}
          </li>
        ))}
      </ul>
      {csrf !== undefined && alarms.some(({ isLasting }) => isLasting !== true) && (
        <form method="post" action="/dashboard/alarms/seen">
          <CsrfField csrf={csrf} />
          <button type="submit">Dismiss</button>
        </form>
      )}
    </section>
  );
}

export function CsrfField({ csrf }: { csrf: string }) {
  return <input type="hidden" name="csrf" value={csrf} />;
}

/** Text with a copy button. Without script, one click selects it. */
export function Copy(props: { text: string; label?: string; large?: boolean }) {
  const { text, label = 'Copy', large = false } = props;
  return (
    <div class={large ? 'copy large' : 'copy'}>
      <code>{text}</code>
      <button type="button" data-copy={text} aria-label={`${label}: ${text}`}>
        {label}
      </button>
    </div>
  );
}

/** A time in the owner's time zone. */
export function Time(props: { at: string; zone: string; show?: keyof typeof TIME_FORMATS }) {
  const { at, zone, show = 'minute' } = props;
  return (
    <time datetime={at} title={`${formatTime(at, zone, 'second')} (${zone})`}>
      {formatTime(at, zone, show)}
    </time>
  );
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const TIME_FORMATS = {
  day: DAY,
  clock: CLOCK,
  minute: { ...DAY, ...CLOCK },
  second: { ...DAY, ...CLOCK, second: '2-digit' },
} as const;
const formatters = new Map<string, Intl.DateTimeFormat>();

export function formatTime(at: string, zone: string, show: keyof typeof TIME_FORMATS): string {
  const name = `${zone} ${show}`;
  let formatter = formatters.get(name);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-GB', { ...TIME_FORMATS[show], timeZone: zone });
    formatters.set(name, formatter);
  }
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : formatter.format(time);
}

/** `1,234` or, with a word, `1,234 records`. */
export function Count(props: { n: number; one?: string; many?: string }) {
  return <span class="count">{formatCount(props.n, props.one, props.many)}</span>;
}

const number = new Intl.NumberFormat('en');

export function formatCount(n: number, one?: string, many = `${one}s`): string {
  if (one === undefined) return number.format(n);
  return `${number.format(n)} ${n === 1 ? one : many}`;
}

/** Error message of a form. */
export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
}

/** Shown instead of an empty list. */
export function Empty({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** A button that opens a confirmation, which submits the form. */
export function Confirm(
  props: PropsWithChildren<{ label: string; action: string; csrf: string; button: string }>,
) {
  return (
    <details class="confirm">
      <summary class="button danger">{props.label}</summary>
      <form method="post" action={props.action}>
        <CsrfField csrf={props.csrf} />
        {props.children}
        <button class="danger" type="submit">
          {props.button}
        </button>
      </form>
    </details>
  );
}

export function Chip({ tone, children }: PropsWithChildren<{ tone?: 'good' | 'warn' | 'bad' }>) {
  return <span class={tone === undefined ? 'chip' : `chip ${tone}`}>{children}</span>;
}

/** Links to the previous and next page. */
export function Pagination(props: { previous: string | null; next: string | null; label: string }) {
  const { previous, next, label } = props;
  if (previous === null && next === null) return null;
  return (
    <nav class="buttons pagination" aria-label={label}>
      {previous !== null && (
        <a class="button" rel="prev" href={previous}>
          ← Previous
        </a>
      )}
      {next !== null && (
        <a class="button" rel="next" href={next}>
          Next →
        </a>
      )}
    </nav>
  );
}

/** Shows the parts of a text in `backticks` as code. */
export function InlineCode({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 0 ? part : <code>{part}</code>))}</>;
}

/**
 * Reloads a page every 3 seconds in browsers without script. A string, because JSX moves meta elements to the head.
 * Place it outside elements that the script replaces: if a script inserts a meta element, browsers apply it.
 */
export const REFRESH = '<noscript><meta http-equiv="refresh" content="3"></noscript>';
