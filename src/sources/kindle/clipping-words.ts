export type ClippingKind = 'highlight' | 'note' | 'bookmark' | 'clip';

/** The words of each language for what an entry is, the more particular before the more general. */
const KINDS: readonly (readonly [ClippingKind, RegExp])[] = [
  [
    'bookmark',
    /bookmark|lesezeichen|signet|marcador|segnalibro|bladwijzer|ブックマーク|书签|書籤|закладк|zakładk|bokmärke|bogmærke|bokmerke|yer imi/iu,
  ],
  [
    'highlight',
    /highlight|markierung|surlign|subrayad|resaltad|evidenziazione|destaque|destacad|markering|ハイライト|标注|標註|标記|выделен|podświetl|podkreśl|überstrichen|vurgu/iu,
  ],
  ['clip', /\bclip|ausschnitt|recorte|ritaglio|knipsel|extrait|切り抜き|剪(?:报|贴|報|貼)/iu],
  [
    'note',
    /(?<!\p{L})(?:note|nota|not|notiz|notitie|notatka|anteckning)(?!\p{L})|メモ|笔记|筆記|заметк|notat/iu,
  ],
];

const PAGE =
  /(?:page|seite|p[áa]gina|страниц\p{L}*|sida|side|stron\p{L}*|sayfa)\s*(?:n[ºo°]?\.?\s*)?(\d+|[ivxlc]+)(?!\p{L})|第?\s*(\d+)\s*(?:ページ|页|頁)|ページ\s*(\d+)/iu;
const LOCATION =
  /(?:\bloc\.|location|position|posici[óo]n|posizione|posi[çc][ãa]o|emplacement|locatie|мест\p{L}*|pozycj\p{L}*|miejsc\p{L}*|plats|位置)\s*(?:no\.?|n°|#|:)?\s*(\d+)(?:\s*[-–—]\s*(\d+))?/iu;

export interface ClippingPlace {
  readonly page?: string;
  readonly start?: number;
  readonly end?: number;
}

/** What an entry is, where its words are known. */
export function findClippingKind(text: string): ClippingKind | undefined {
  return KINDS.find(([, words]) => words.test(text))?.[0];
}

export function findClippingPlace(text: string): ClippingPlace {
  const page = PAGE.exec(text);
  const location = LOCATION.exec(text) ?? (page === null ? /(\d+)(?:\s*[-–—]\s*(\d+))?/.exec(text) : null);
  const written = page?.[1] ?? page?.[2] ?? page?.[3];
  const start = location?.[1];
  return {
    ...(written === undefined ? {} : { page: written }),
    ...(start === undefined ? {} : { start: Number(start), end: findEnd(start, location?.[2]) }),
  };
}

/** Old Kindles leave out what does not change: `1210-12` is `1210-1212`. */
function findEnd(start: string, end: string | undefined): number {
  if (end === undefined) return Number(start);
  return Number(end.length < start.length ? start.slice(0, start.length - end.length) + end : end);
}
