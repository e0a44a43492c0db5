import { hashKey } from '../../import/make-key.ts';

export interface Activity {
  readonly product: string | undefined;
  /** The whole line: `Watched How to make bread`. */
  readonly title: string;
  /** The name of the item in the line, if the markup separates it. */
  readonly name?: string | undefined;
  readonly url: string | undefined;
  readonly time: string | undefined;
  readonly items: readonly { readonly name: string; readonly url?: string | undefined }[];
  readonly details: readonly string[];
  readonly places: readonly string[];
  readonly response?: string | undefined;
  /** Names of attached files, as Gemini lists them. */
  readonly files?: readonly string[];
}

/**
 * Assigns an entry to a stream: played videos, or everything else. A video is in the YouTube history and in My Activity,
 * so its key uses only what both contain.
 */
export function toActivityRecord(activity: Activity): { stream: string; data: Record<string, unknown> } {
  const { product, title, url, time, items, details, places, response } = activity;
  const id = time === undefined ? undefined : hashKey(time, url, title);
  const video = url === undefined ? undefined : findVideo(url);
  if (video !== undefined || (isYouTube(product) && url === undefined && isWatching(title))) {
    const [channel] = items;
    return {
      stream: 'watch_history',
      data: {
        id,
        title: activity.name ?? findWatched(title),
        channel: channel?.name,
        channel_url: channel?.url,
        video_id: video,
        url,
        product,
        is_ad:
          details.some((detail) => /\bads?\b|anzeige|annonce|anuncio|annunci/i.test(detail)) || undefined,
        watched_at: time,
      },
    };
  }
  const list = <T>(values: readonly T[]) => (values.length > 0 ? values : undefined);
  return {
    stream: 'activity',
    data: {
      id,
      title,
      product,
      query: findQuery(url),
      url,
      occurred_at: time,
      items: list(items.map(({ name }) => name)),
      details: list(details),
      places: list(places),
      response,
      files: list(listFiles(activity)),
    },
  };
}

/** Returns the names of the files of a prompt. They are listed separately, or linked as files beside the page. */
function listFiles({ files = [], items }: Activity): string[] {
  const linked = items.flatMap(({ url }) => (url === undefined || /^[a-z]+:|^[/#]/i.test(url) ? [] : url));
  return [...new Set([...files, ...linked].map(nameFile))];
}

function nameFile(path: string): string {
  const name = path.split('/').at(-1) ?? path;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const isYouTube = (product: string | undefined) => /^youtube/i.test(product ?? '');

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function findVideo(url: string): string | undefined {
  const parsed = parseUrl(url);
  const host = parsed?.hostname.replace(/^(?:www|m|music)\./, '');
  if (parsed === undefined || (host !== 'youtube.com' && host !== 'youtu.be' && host !== 'youtubekids.com'))
    return undefined;
  const short = /^\/(?:shorts|live|embed)\/([\w-]{3,20})/.exec(parsed.pathname)?.[1];
  const id = host === 'youtu.be' ? parsed.pathname.slice(1) : (short ?? parsed.searchParams.get('v'));
  return id === null || id === undefined || id === '' ? undefined : id;
}

/** Returns the search query. A visited page has its own address in `q`, which is not a search. */
function findQuery(url: string | undefined): string | undefined {
  const parsed = url === undefined ? undefined : parseUrl(url);
  if (parsed === undefined) return undefined;
  const isGoogleSearch =
    /(?:^|\.)google\.[a-z.]+$/.test(parsed.hostname) &&
    /^\/(?:search|maps|store\/search)/.test(parsed.pathname);
  const isYouTubeSearch = /(?:^|\.)youtube\.com$/.test(parsed.hostname) && parsed.pathname === '/results';
  const words = parsed.searchParams.get(isYouTubeSearch ? 'search_query' : 'q')?.trim();
  return (isGoogleSearch || isYouTubeSearch) && words !== '' ? words : undefined;
}

/** The phrases for a played video in several languages. The group is the title. */
const PLAYED_PATTERNS: readonly RegExp[] = [
  /^(?:Watched|Viewed|Listened to)\s+(.+)$/s,
  /^(?:Sie haben\s+)?[„"]?(.+?)[“"]?\s+(?:angesehen|angehört)$/s,
  /^(?:Vous avez )?(?:regardé|visionné|écouté|consulté)\s+(.+)$/is,
  /^(?:Has visto|Viste|Has mirado|Has escuchado)\s+(.+)$/s,
  /^(?:Hai guardato|Hai visualizzato|Hai ascoltato|Guardato)\s+(.+)$/s,
  /^(?:(?:Você )?assistiu(?: a|o)?|Viu|Você ouviu)\s+(.+)$/is,
  /^(?:Gekeken naar|Bekeken:?|Geluisterd naar)\s+(.+)$/s,
  /^(.+) (?:bekeken|gekeken)$/s,
  /^(?:Obejrzano:?|Obejrzane:?|Wyświetlono:?)\s+(.+)$/s,
  /^(?:Просмотрено:?|Вы (?:посмотрели|смотрели)(?: видео)?|Переглянуто:?|Ви переглянули(?: відео)?)\s+(.+)$/s,
  /^(?:Du (?:har )?(?:tittade på|tittat på|så|sett)|Tittade på|Har sett|Har set)\s+(.+)$/s,
  /^(?:Katsottu|Katsoit)\s+(.+)$/s,
  /^(?:Sledováno|Zhlédnuto)\s*:?\s+(.+)$/s,
  /^(.+) (?:izlendi|adlı videoyu izlediniz)$/s,
  /^(.+?)\s*を(?:視聴|再生)しました$/s,
  /^(?:观看了|已观看|已觀看|您觀看了|您观看了|收看了)\s*[「“]?(.+?)[」”]?$/s,
  /^(.+?)(?:을|를|을\(를\))?\s*시청(?:함|했습니다)$/s,
];

const isWatching = (title: string) => PLAYED_PATTERNS.some((pattern) => pattern.test(title));

/** Returns the video title, or the whole line if no pattern matches. */
function findWatched(title: string): string {
  for (const pattern of PLAYED_PATTERNS) {
    const found = pattern.exec(title)?.[1]?.trim();
    if (found !== undefined && found !== '') return found;
  }
  return title;
}
