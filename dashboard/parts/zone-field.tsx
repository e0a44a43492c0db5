/** Time zone field. With `fromBrowser`, the script selects the browser's time zone. */
export function ZoneField(props: { zone: string; zones: readonly string[]; fromBrowser?: boolean }) {
  const { zone, zones, fromBrowser = false } = props;
  const all = zones.includes(zone) ? zones : [zone, ...zones];
  return (
    <div class="field">
      <label for="time_zone">Your time zone</label>
      <select
        id="time_zone"
        name="time_zone"
        aria-describedby="time-zone-hint"
        {...(fromBrowser ? { 'data-browser-zone': '' } : {})}
      >
        {all.map((one) => (
          <option value={one} selected={one === zone}>
            {one.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
      <p class="hint" id="time-zone-hint">
        Used to decide which day something happened.
      </p>
    </div>
  );
}
