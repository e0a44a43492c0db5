/** What WhatsApp writes into a chat in its own words, in the languages of its users. Parts of words, in no order. */

/** A file that the export does not contain. */
export const OMITTED =
  /omitt?ed|omitid|oculto|weggelassen|ausgelassen|nicht enthalten|omis|absent|omess|weggelaten|udelad|utelämn|utelat|pominięt|пропущ|отсутств|省略|생략|略去|ausente|dihilangkan|çıkarıldı|vynechán|kihagyva|omisă|παραλείφθηκε|jätetty pois|השמט|تم استبعاد|حذف شد|छोड़ा|不包含|bỏ qua|ละเว้น/i;

/** A message that was changed after it was sent. */
export const EDITED =
  /edited|bearbeitet|modifi|edit(?:ad|ó)|bewerkt|redigera|redigert|redigeret|edytowan|zmodyfikowan|düzenlen|diedit|disunting|редак|измен|змінен|upraven|uređen|szerkeszt|editat|επεξεργ|muokattu|編集|编辑|編輯|수정|נערכ|تعديل|ویرایش|एडिट|संपादित|সম্পাদ|এডিট|chỉnh sửa|แก้ไข/i;

/** A message that somebody took back. */
export const DELETED =
  /deleted|gelöscht|supprim|eliminad|eliminat|eliminó|eliminaste|apagad|verwijderd|slettet|raderat|raderad|poistettu|usunięt|smazán|odstránen|törölt|șters|διαγράφηκε|удал|видален|silindi|dihapus|dipadam|削除|삭제|删除|刪除|נמחק|حذف|हटा|মুছে|đã xóa|ลบ/i;

/** Where somebody is, for a while. */
export const LIVE_LOCATION =
  /live location|live-?standort|ubicación en (?:tiempo real|vivo)|(?:localisation|position) en direct|posizione (?:in tempo reale|attuale)|localização (?:em tempo real|atual)|live-?locatie|geodane|трансляция геоданных|canlı konum|リアルタイム位置情報|실시간 위치|实时位置|即時位置/i;
