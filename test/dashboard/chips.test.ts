import { describe, expect, it } from 'vitest';
import { SourceChip } from '../../dashboard/parts/chips.tsx';

describe('the kind of a source', () => {
  it.each([
    ['Personal mail', 'gmail', 'gmail'],
    ['Calendar', 'google_calendar', 'google calendar'],
    ['Apple Health', 'apple_health', undefined],
    ['Slack Halden Robotics', 'slack', undefined],
    ['foundry-mcp (Waypoint)', 'foundry_mcp', undefined],
    ['Old diary', null, undefined],
  ])('stands in words beside %s, unless its name says it', (name, connector_key, shown) => {
    const html = SourceChip({ of: { name, connector_key } });
    expect(html === null ? undefined : String(html).replaceAll(/<[^>]+>/g, '')).toBe(shown);
  });
});
