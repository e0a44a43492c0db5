import type { ColumnProfile } from './column-profile.ts';

const words = (text: string) => text.trim().split(/\s+/);

/** Word stems for when something happened, without accents, in English, German, French and Spanish. */
const HAPPENED = words(`
  creat erstell angelegt cree cread creacion begin began begonn beginn start debut inicio inici commenc
  happen occur event listen gehort ecout escuch play gespielt abgespielt joue reproduc watch view seen gesehen
  angesehen vu visto rated rating bewert sent send gesendet envoy enviad receiv empfang erhalten recu recib
  order bestell command pedido purchas gekauft kauf achat achet compra bought added add hinzugefug ajout anadid
  agregad saved save gespeichert enregistr guardad bookmark liked like favorited followed joined read gelesen lu
  leido taken aufgenommen pris tomad visit besucht checkin recorded aufgezeichnet logged measured gemessen mesur
  medid request search gesucht recherch busqued posted gepostet publie paid bezahlt gezahlt paye pagad booked
  gebucht reserv transaction buchung operation operacion signup registered subscribed uploaded hochgeladen
  written geschrieben ecrit escrit completed first erste premier primer scrobbl dive workout activity`);
/** Word stems for later changes to a record, and for dates of other things. */
const AFTERWARDS = words(`
  modif updat aktualisier edit bearbeit chang geander zuletzt last dernier ultim actualiz maj insert eingefugt
  import export sync index fetch scrap crawl download refresh cached processed deleted delete geloscht supprim
  eliminad archived end ended ende finish fin closed abgeschlossen expire expir ablauf gultig venc due fallig echeance
  release relea erschein sortie estreno lanzamiento birth born geburt naissance nacim generated verified accessed`);
const PLAIN =
  words(`date datum fecha time zeit uhrzeit heure hora timestamp when wann quand cuando day tag jour dia
  at on am ts published veroffentlicht month monat mois mes moment zeitpunkt`);

/** Ranks a column name as the time of an event: 3 if it names the event, 0 if it means a later or other date. */
function rankName(name: string): number {
  const parts = name
    // Databases of Apple apps use `ZCREATIONDATE`.
    .replace(/^Z(?=[A-Z]+$)/, '')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '');
  const begins = (list: readonly string[]) =>
    parts.some((part) => list.some((word) => part.startsWith(word)));
  // `fin` and `end` are also the start of other words.
  const isShort = (word: string) => word.length <= 3;
  const isAfter = parts.some((part) =>
    AFTERWARDS.some((word) => (isShort(word) ? part === word : part.startsWith(word))),
  );
  if (isAfter) return 0;
  if (begins(HAPPENED.filter((word) => !isShort(word))) || parts.some((part) => HAPPENED.includes(part)))
    return 3;
  return parts.some((part) => PLAIN.includes(part)) ? 2 : 1;
}

/**
 * Returns the date column that says when something happened: created, listened or rated before modified, inserted or
 * released. A mostly empty column comes last.
 */
export function findTime(profiles: ReadonlyMap<string, ColumnProfile>): string | undefined {
  const times = [...profiles].filter(([, profile]) => /date/.test(profile.kind()) && !profile.isEmpty);
  const rank = ([column, profile]: [string, ColumnProfile]) => [
    Number(profile.isMostlyFilled),
    rankName(column),
    Number(profile.isEverywhere),
    Number(profile.kind() === 'date-time'),
  ];
  const ranked = times.map((one) => ({ column: one[0], rank: rank(one) }));
  ranked.sort((a, b) => b.rank.map((n, at) => n - (a.rank[at] as number)).find((by) => by !== 0) ?? 0);
  return ranked[0]?.column;
}
