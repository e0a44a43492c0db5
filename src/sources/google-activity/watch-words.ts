/** How Google says that a video was played, around its title, in the languages people have it in. */
const SHAPES: readonly RegExp[] = [
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

export const isWatching = (title: string) => SHAPES.some((shape) => shape.test(title));

/** The title of the video alone; the whole line where the words around it are not known. */
export function findWatched(title: string): string {
  for (const shape of SHAPES) {
    const found = shape.exec(title)?.[1]?.trim();
    if (found !== undefined && found !== '') return found;
  }
  return title;
}
