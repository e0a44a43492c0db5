/** What Outlook and Exchange call zones, in small letters, after CLDR's windowsZones. */
const PAIRS = `dateline standard time=Etc/GMT+12|hawaiian standard time=Pacific/Honolulu|alaskan standard time=America/Anchorage
pacific standard time=America/Los_Angeles|pacific standard time (mexico)=America/Tijuana|us mountain standard time=America/Phoenix
mountain standard time=America/Denver|mountain standard time (mexico)=America/Mazatlan|central standard time=America/Chicago
central america standard time=America/Guatemala|central standard time (mexico)=America/Mexico_City|canada central standard time=America/Regina
eastern standard time=America/New_York|us eastern standard time=America/Indianapolis|sa pacific standard time=America/Bogota
venezuela standard time=America/Caracas|atlantic standard time=America/Halifax|sa western standard time=America/La_Paz
pacific sa standard time=America/Santiago|newfoundland standard time=America/St_Johns|e. south america standard time=America/Sao_Paulo
argentina standard time=America/Buenos_Aires|sa eastern standard time=America/Cayenne|greenland standard time=America/Godthab
azores standard time=Atlantic/Azores|cape verde standard time=Atlantic/Cape_Verde|gmt standard time=Europe/London
greenwich standard time=Atlantic/Reykjavik|morocco standard time=Africa/Casablanca|w. europe standard time=Europe/Berlin
central europe standard time=Europe/Budapest|romance standard time=Europe/Paris|central european standard time=Europe/Warsaw
w. central africa standard time=Africa/Lagos|gtb standard time=Europe/Bucharest|fle standard time=Europe/Kiev
e. europe standard time=Europe/Chisinau|egypt standard time=Africa/Cairo|south africa standard time=Africa/Johannesburg
israel standard time=Asia/Jerusalem|jordan standard time=Asia/Amman|middle east standard time=Asia/Beirut
turkey standard time=Europe/Istanbul|arabic standard time=Asia/Baghdad|arab standard time=Asia/Riyadh
belarus standard time=Europe/Minsk|russian standard time=Europe/Moscow|e. africa standard time=Africa/Nairobi
iran standard time=Asia/Tehran|arabian standard time=Asia/Dubai|caucasus standard time=Asia/Yerevan
georgian standard time=Asia/Tbilisi|afghanistan standard time=Asia/Kabul|west asia standard time=Asia/Tashkent
pakistan standard time=Asia/Karachi|india standard time=Asia/Calcutta|sri lanka standard time=Asia/Colombo
nepal standard time=Asia/Katmandu|central asia standard time=Asia/Almaty|bangladesh standard time=Asia/Dhaka
myanmar standard time=Asia/Rangoon|se asia standard time=Asia/Bangkok|china standard time=Asia/Shanghai
singapore standard time=Asia/Singapore|w. australia standard time=Australia/Perth|taipei standard time=Asia/Taipei
tokyo standard time=Asia/Tokyo|korea standard time=Asia/Seoul|cen. australia standard time=Australia/Adelaide
aus central standard time=Australia/Darwin|e. australia standard time=Australia/Brisbane|aus eastern standard time=Australia/Sydney
tasmania standard time=Australia/Hobart|west pacific standard time=Pacific/Port_Moresby|central pacific standard time=Pacific/Guadalcanal
new zealand standard time=Pacific/Auckland|fiji standard time=Pacific/Fiji|tonga standard time=Pacific/Tongatapu|utc=UTC`;

export const windowsZones: Readonly<Record<string, string>> = Object.fromEntries(
  PAIRS.split(/[|\n]/).map((pair) => pair.split('=') as [string, string]),
);
