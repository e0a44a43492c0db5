type Send = (path: string, init?: RequestInit) => Promise<Response>;

export interface Page {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

/** As much of a browser as forms, cookies and redirects need. Redirects to other origins are not followed. */
export interface Browser {
  readonly cookies: Map<string, string>;
  open(url: string): Promise<Page>;
  /** Submits the form of a page as it stands, with some values changed; null takes one away. */
  submit(page: Page, change?: FormChange, headers?: Record<string, string>): Promise<Page>;
  send(url: string, init?: RequestInit): Promise<Page>;
}

export type FormChange = Record<string, string | readonly string[] | null>;

export function createBrowser(send: Send, origin: string): Browser {
  const cookies = new Map<string, string>();

  const step = async (url: string, init: RequestInit): Promise<Page> => {
    const { pathname, search } = new URL(url, origin);
    const matching = [...cookies].filter(([key]) => pathname.startsWith(key.split(' ')[1] as string));
    const headers = {
      accept: 'text/html,application/xhtml+xml',
      ...(matching.length === 0
        ? {}
        : { cookie: matching.map(([key, value]) => `${key.split(' ')[0]}=${value}`).join('; ') }),
      ...(init.headers as Record<string, string>),
    };
    const response = await send(`${pathname}${search}`, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) keep(line);
    return {
      status: response.status,
      url: `${origin}${pathname}${search}`,
      headers: response.headers,
      text: await response.text(),
    };
  };
  const keep = (line: string) => {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
    const key = `${name} ${path}`;
    if (value === '' || attributes.some((one) => /^expires=Thu, 01 Jan 1970/i.test(one))) cookies.delete(key);
    else cookies.set(key, value);
  };
  const follow = async (url: string, init: RequestInit): Promise<Page> => {
    let page = await step(url, init);
    for (let hops = 0; hops < 10; hops += 1) {
      const location = page.headers.get('location');
      if (location === null) return page;
      const next = new URL(location, page.url);
      if (next.origin !== origin) return { ...page, url: next.href };
      page = await step(next.href, {});
    }
    throw new Error('too many redirects');
  };

  return {
    cookies,
    open: (url) => follow(url, {}),
    send: (url, init = {}) => step(url, init),
    submit(page, change = {}, headers = {}) {
      const { action, fields } = readForm(page.text);
      for (const [name, value] of Object.entries(change)) {
        fields.delete(name);
        for (const one of value === null ? [] : [value].flat()) fields.append(name, one);
      }
      return follow(new URL(action, page.url).href, {
        method: 'POST',
        body: fields.toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      });
    },
  };
}

/** The first form of a page that is not on every page (sign out, quick find), with what a browser would send of it. */
export function readForm(html: string): { action: string; fields: URLSearchParams } {
  const forms = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
  const [, action, body] = forms.find((one) => !/^\/(logout|dashboard\/find)/.test(one[1] ?? '')) ?? [];
  if (action === undefined || body === undefined) throw new Error(`no form in: ${html.slice(0, 500)}`);
  const fields = new URLSearchParams();
  for (const [tag] of body.matchAll(/<input[^>]*>/g)) {
    const get = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
    const name = get('name');
    const type = get('type');
    if (name === undefined || /\sdisabled/.test(tag)) continue;
    if ((type === 'checkbox' || type === 'radio') && !/\schecked/.test(tag)) continue;
    fields.append(name, decode(get('value') ?? ''));
  }
  for (const [, name, options] of body.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    const chosen = /<option[^>]*value="([^"]*)"[^>]*\sselected/.exec(options ?? '')?.[1];
    if (name !== undefined) fields.append(name, chosen ?? '');
  }
  return { action: decode(action), fields };
}

export function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
