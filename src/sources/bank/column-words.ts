import { findCurrency } from './parse-amount.ts';

/** What a column of a statement may hold. */
export type ColumnRole =
  | 'date'
  | 'paidOn'
  | 'valueDate'
  | 'time'
  | 'zone'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'direction'
  | 'currency'
  | 'payee'
  | 'payer'
  | 'recipient'
  | 'memo'
  | 'category'
  | 'balance'
  | 'type'
  | 'status'
  | 'fee'
  | 'account'
  | 'otherAccount'
  | 'originalAmount'
  | 'originalCurrency'
  | 'check'
  | 'city'
  | 'tags'
  | 'reference'
  | 'id';

/**
 * Names of columns in the languages of banks, without accents and signs, parted by bars. A name stands once; where
 * two roles share a word (`valuta` is a day in German and a currency in Dutch) the values decide.
 */
const WORDS: Readonly<Record<ColumnRole, string>> = {
  date: `date|booking date|posting date|posted date|post date|date posted|posted on|completed date|date completed|
    finished on|clearing date|settlement date|transaction date|transaction date time|datetime|date time|timestamp|
    date utc|created on|created|buchungstag|buchungsdatum|buchung|datum|transaktionsdatum|date operation|dateop|
    date de l operation|date d operation|date de comptabilisation|date comptable|fecha|fecha operacion|
    fecha de operacion|datum der transaktion|f operacion|fecha contable|data|data operazione|data contabile|data movimento|data mov|
    data lancamento|data do lancamento|boekdatum|boekingsdatum|transactiedatum|uitvoeringsdatum|bokforingsdag|
    bokforingsdatum|dato|bogforingsdato|bokfort|bokfort dato|utfort dato|paivamaara|kirjauspaiva|data operacji|
    data ksiegowania|data transakcji|datum zauctovani|datum provedeni|tarih|islem tarihi|дата|дата операции|
    дата платежа|дата проводки|konyveles datuma|data tranzactiei|日付|取引日|交易日期|交易时间`,
  paidOn: `trans date|started date|date started|purchase date|belegdatum|kaufdatum|transaktionsdag|
    date transaction|date de transaction|date d achat|fecha de compra|data acquisto`,
  valueDate: `value date|valutadatum|wertstellung|wertstellungsdatum|wert|date valeur|date de valeur|dateval|
    fecha valor|f valor|data valuta|data valor|rentedatum|valutadag|rentedato|arvopaiva|maksupaiva|data waluty|
    datum splatnosti`,
  time: 'time|transaction time|uhrzeit|heure|hora|ora|tijd|tid|saat',
  zone: 'timezone|time zone|zeitzone|fuseau horaire|zona horaria',
  amount: `amount|transaction amount|amt|gross|gross amount|brutto|betrag|umsatz|
    montant|montant operation|montant de l operation|importe|cantidad|monto|importe total|importo|valor|quantia|
    montante|valor da transacao|bedrag|transactiebedrag|belopp|belob|belop|maara|summa|kwota|kwota operacji|
    kwota transakcji|castka|objem|tutar|islem tutari|сумма|сумма операции|сумма платежа|osszeg|suma|金額|金额|
    source amount after fees|amount in account currency`,
  debit: `debit|debits|debit amount|withdrawal|withdrawals|withdrawal amount|withdrawal amt|money out|paid out|
    payments out|spent|soll|belastung|lastschrift|ausgang|ausgabe|depense|cargo|cargos|debe|addebito|
    addebiti|uscite|dare|debito|rechnungsbetrag ausgehend|debit euros|ut|ut fra konto|ut av konto|obciazenia|расход`,
  credit: `credit|credits|credit amount|deposit|deposits|deposit amount|deposit amt|money in|paid in|payments in|
    received|haben|gutschrift|eingang|einnahme|recette|abono|abonos|haber|accredito|accrediti|entrate|avere|
    credito|rechnungsbetrag eingehend|credit euros|inn|inn pa konto|uznania|приход`,
  direction: `debit credit|credit debit|dc|d c|cr dr|dr cr|soll haben|s h|af bij|debet credit|bij af|
    credit debit indicator|credit or debit|credit debit code|direction|sens|debe haber`,
  currency: `currency|transaction currency|account currency|ccy|wahrung|waehrung|devise|moneda|divisa|valuta|munt|
    muntsoort|mutation currency|valutakod|waluta|mena|monn|wahrung der karte|para birimi|валюта|валюта операции|currency code`,
  payee: `payee|payee name|name|merchant|merchant name|counterparty|counterparty name|partner name|partnername|
    partner|beneficiary|vendor|beguenstigter zahlungspflichtiger|begunstigter zahlungspflichtiger|begunstigter|
    auftraggeber begunstigter|auftraggeber empfanger|name zahlungsbeteiligter|beteiligter|kontrahent|tiers|
    nom|nom de la contrepartie|contrepartie|beneficiario|ordenante|nombre|comercio|controparte|naam tegenpartij|
    naam omschrijving|tegenpartij|naam|mottagare|modtager|mottaker|saaja maksaja|saaja|nadawca odbiorca|
    nazwa kontrahenta|nazev protiuctu|protistrana|контрагент|handelspartner|counter party|target name`,
  payer: 'zahlungspflichtige r|zahlungspflichtiger|payer|auftraggeber|donneur d ordre|ordonnateur|nadawca',
  recipient: `zahlungsempfanger in|zahlungsempfanger|empfanger|recipient|beneficiaire|odbiorca|destinatario|
    empfangername`,
  memo: `description|memo|details|transaction description|transaction details|narrative|narration|particulars|
    notes|note|comment|original description|extended details|appears on your statement as|verwendungszweck|
    buchungstext|text|beschreibung|umsatztext|zweck|libelle|libelle operation|libelle simplifie|motif|
    communication|communications|concepto|descripcion|observaciones|movimiento|mas datos|causale|desc|reason|vwz|transaction ref|transactions|zahlungsreferenz|additional description|descrizione|
    descrizione operazione|descrizione completa|omschrijving|mededelingen|mededeling|beschrijving|rubrik|
    meddelande|tekst|beskrivelse|forklaring|viesti|selite|tytul|tytul przelewu|opis|opis operacji|
    opis transakcji|zprava|zprava pro prijemce|poznamka|popis|aciklama|описание|назначение платежа|purpose|
    payment reference|title|item|transaction|historico|descricao|subject|item title|detail|摘要|備考`,
  category: `category|category name|spending category|kategorie|hauptkategorie|categorie|categoria|kategori|
    kategoria|rubriek|категория`,
  balance: `balance|running balance|runningbalance|running bal|account balance|closing balance|available balance|
    balance after|saldo|saldo nach buchung|kontostand|solde|saldo contabile|saldo disponible|saldo na mutatie|verfugbares guthaben|
    saldo po operacji|bokfort saldo|остаток|bakiye|zustatek|残高|余额|balance impact`,
  type: `type|transaction type|art|umsatzart|umsatztyp|vorgang|vorgang buchungstext|mutatiesoort|code|
    art der transaktion|posting text|type operation|type d operation|tipo|tipo movimento|tipo de movimiento|transaktionstyp|laji|typ|
    typ transakcji|typ operacji|transactietype|вид операции|transaction kind`,
  status: 'status|state|etat|estado|tila|umsatzstatus|transaction status|stato|statut',
  fee: `fee|fees|fee amount|source fee amount|gebuhr|gebuhren|frais|comision|commissione|kosten|provize`,
  account: `account|account name|account number|account id|account no|account iban|own iban|konto|kontonummer|
    kontonr|auftragskonto|iban auftragskonto|iban des kontoinhabers|compte|numero de compte|cuenta|conto|
    rekening|rekeningnummer|iban bban|numer rachunku|card|card no|card number|kartennummer|product|
    bezeichnung auftragskonto|konto nr`,
  otherAccount: `iban|partner iban|kontonummer iban|gegenkonto|iban zahlungsbeteiligter|iban kontonummer|
    tegenrekening|tegenrekening iban bban|counterparty account|counterparty iban|payee account number|
    compte contrepartie|numero du compte contrepartie|beneficiary account|cislo protiuctu`,
  originalAmount: `original amount|foreign amount|amount foreign currency|local amount|native amount|
    amount original|betrag ursprung|fremdwahrungsbetrag|betrag in fremdwahrung|foreign spend amount`,
  originalCurrency: `original currency|foreign currency|local currency|currency original|type foreign currency|
    wahrung ursprung|foreign currency code`,
  check: 'check|check number|check no|checknumber|check or slip|cheque number|cheque no|chk ref|check num',
  city: 'city|town city|city state|ort|ciudad|ville|plaats',
  tags: 'labels|tags|label',
  reference: `reference|reference number|ref|ref no|bank reference|referenz|kundenreferenz|mandatsreferenz|
    kundenreferenz end to end|end to end id|referencia|riferimento|kenmerk|referens|numer referencyjny|
    reference no|receipt id`,
  id: 'transaction id|transferwise id|id|txn id|transaktionscode|transaktions id|uid|transaction reference|n de transaction|no de transaction',
};

const roles = new Map<string, ColumnRole>(
  Object.entries(WORDS).flatMap(([role, words]) =>
    words.split('|').map((word): [string, ColumnRole] => [word.trim(), role as ColumnRole]),
  ),
);

/** The role of a column by its name, and the currency where the name has it: `Amount (EUR)`, `amount_usd`. */
export function readColumnName(name: string): { role?: ColumnRole; currency?: string } {
  const plain = name
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  // `VWZ2` and `Memo 2` are as `VWZ` and `Memo`.
  const words = plain.split(' ').flatMap((word) => word.replace(/\d+$/, '') || []);
  const currency = findCurrency(name.replaceAll('_', ' ').toUpperCase());
  const role = roles.get(words.join(' ')) ?? roles.get(words.join(''));
  if (role !== undefined) return { role, ...(currency === undefined ? {} : { currency }) };
  if (currency === undefined) return {};
  const rest = words.filter((word) => word.toUpperCase() !== currency && word !== 'in').join(' ');
  const bare = roles.get(rest);
  return bare === undefined ? {} : { role: bare, currency };
}
