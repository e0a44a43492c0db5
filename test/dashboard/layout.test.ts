import { describe, expect, it } from 'vitest';
import {
  Chip,
  Confirm,
  Copy,
  Count,
  Empty,
  formatCount,
  formatTime,
  Page,
  Time,
} from '../../dashboard/parts/layout.tsx';

const HOSTILE = '</title><script>alert("1")</script>';

describe('a page', () => {
  it('is a whole document with the style, the script and the icon', () => {
    const html = String(Page({ title: 'Apps', children: 'hello' }));
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    for (const part of [
      '<meta charset="utf-8"/>',
      'name="viewport"',
      '<title>Apps · pdpp</title>',
      'href="/style.css"',
      'src="/script.js"',
      'href="/icon.svg"',
      'name="theme-color"',
      'href="#main"',
    ])
      expect(html).toContain(part);
    expect(html).toMatch(/<main id="main"[^>]*>hello<\/main>/);
  });

  it('has navigation and sign-out only when signed in', () => {
    const bare = String(Page({ title: 'Sign in', width: 'narrow' }));
    expect(bare).not.toContain('<nav');
    expect(bare).not.toContain('/logout');
    expect(bare).toContain('<main id="main" class="narrow"');
    const home = String(Page({ title: 'Overview', here: 'home', csrf: 'value-of-csrf' }));
    expect(home).toMatch(/<a href="\/dashboard" aria-current="page">/);
    expect(home.match(/aria-current/g)).toHaveLength(1);
    expect(home).toMatch(
      /<form[^>]*action="\/logout"><input type="hidden" name="csrf" value="value-of-csrf"\/>/,
    );
  });

  it('shows alarms with a button to dismiss them', () => {
    const alarm = { at: '2026-11-16T11:00:00.000Z', text: 'Something happened.', grant_id: 'grant/1' };
    const html = String(
      Page({ title: 'x', here: 'apps', csrf: 'c', alarms: [alarm], zone: 'Europe/Berlin' }),
    );
    expect(html).toContain('Something happened.');
    expect(html).toContain('16 Nov 2026, 12:00');
    expect(html).toContain('href="/dashboard/apps/grant%2F1"');
    expect(html).toContain('action="/dashboard/alarms/seen"');
    expect(String(Page({ title: 'x', here: 'apps', csrf: 'c', alarms: [] }))).not.toContain('alarms');
  });

  it('has no inline style or script, and escapes values', () => {
    const html = [
      Page({
        title: HOSTILE,
        here: 'home',
        csrf: HOSTILE,
        alarms: [{ at: HOSTILE, text: HOSTILE, grant_id: HOSTILE }],
        children: HOSTILE,
      }),
      Copy({ text: HOSTILE, label: HOSTILE }),
      Time({ at: HOSTILE, zone: 'UTC' }),
      Empty({ title: HOSTILE, children: HOSTILE }),
      Confirm({ label: HOSTILE, action: HOSTILE, csrf: HOSTILE, button: HOSTILE, children: HOSTILE }),
      Chip({ children: HOSTILE }),
    ].join('');
    expect(html).not.toMatch(/<script>|alert\("/);
    expect(html).not.toMatch(/\sstyle=|<style|\son\w+=/);
    expect(html.match(/<script/g)).toHaveLength(1);
  });
});

describe('the layout components', () => {
  it('shows text to copy, which also works without script', () => {
    const html = String(Copy({ text: 'claude mcp add' }));
    expect(html).toContain('<code>claude mcp add</code>');
    expect(html).toContain('data-copy="claude mcp add"');
    expect(html).toContain('aria-label="Copy: claude mcp add"');
  });

  it("shows times in the owner's zone and keeps the exact time for machines", () => {
    const at = '2026-11-15T23:30:05.000Z';
    expect(String(Time({ at, zone: 'Asia/Tokyo' }))).toBe(
      '<time datetime="2026-11-15T23:30:05.000Z" title="16 Nov 2026, 08:30:05 (Asia/Tokyo)">16 Nov 2026, 08:30</time>',
    );
    expect(formatTime(at, 'UTC', 'day')).toBe('15 Nov 2026');
  });

  it('counts with commas and the right word', () => {
    expect(String(Count({ n: 1_234_567 }))).toBe('<span class="count">1,234,567</span>');
    expect([formatCount(1, 'record'), formatCount(0, 'record'), formatCount(2, 'entry', 'entries')]).toEqual([
      '1 record',
      '0 records',
      '2 entries',
    ]);
  });

  it('asks for confirmation before an irreversible action', () => {
    const html = String(Confirm({ label: 'End access', action: '/x', csrf: 'c', button: 'End it now' }));
    expect(html).toMatch(/^<details class="confirm"><summary class="button danger">End access<\/summary>/);
    expect(html).toMatch(/<form method="post" action="\/x">.*name="csrf" value="c".*End it now/);
  });
});
