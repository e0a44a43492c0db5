/** Appends query parameters that have a value. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const given = Object.entries(parameters).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === '' ? path : `${path}?${query}`;
}

export function appHref(grantId: string): string {
  return `/dashboard/apps/${encodeURIComponent(grantId)}`;
}

/** The form that changes access. `add` preselects a connection. */
export function accessHref(grantId: string, add?: string): string {
  return withQuery(`${appHref(grantId)}/access`, { add });
}

export function streamHref(
  connectionId: string,
  stream: string,
  parameters: Parameters<typeof withQuery>[1] = {},
): string {
  return withQuery(
    `/dashboard/data/${encodeURIComponent(connectionId)}/${encodeURIComponent(stream)}`,
    parameters,
  );
}

/** The page of a record. Ids are already percent-encoded; `as` is the app to view as. */
export function recordHref(
  id: string,
  as: string | null | undefined,
  suffix: '' | '.md' | '.json' = '',
): string {
  return withQuery(`/r/${id}${suffix}`, { as });
}

/** Returns the URL if the text is a plain web address without credentials. */
export function findWebAddress(text: string): string | undefined {
  if (text.length > 2_000 || !/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password, href } = new URL(text);
  return username === '' && password === '' ? href : undefined;
}

export function newImportHref(id: string): string {
  return `/dashboard/imports/new/${encodeURIComponent(id)}`;
}

export function importHref(id: number | string): string {
  return `/dashboard/imports/${encodeURIComponent(String(id))}`;
}

export function removalHref(id: string): string {
  return `/dashboard/removals/${encodeURIComponent(id)}`;
}

export function connectionHref(id: string): string {
  return `/dashboard/connections/${encodeURIComponent(id)}`;
}

/** The page of a period. */
export function periodHref(period: string, as: string | undefined): string {
  return withQuery('/dashboard/data', { period, as });
}

export const NEW_ACCOUNT = '/dashboard/accounts/new';

export function accountHref(id: string): string {
  return `/dashboard/accounts/${encodeURIComponent(id)}`;
}

/** The form for a new account of a kind. A preset fills its fields. */
export function newAccountHref(kind: string, preset?: string): string {
  return withQuery(`${NEW_ACCOUNT}/${encodeURIComponent(kind)}`, { preset });
}
