import type { Revision } from './support/suite.ts';

/** What the suite finds at a server that has tools, records as resources, and nothing else. */
export interface ServerChecks {
  /** Must be green: check ids by scenario. */
  readonly green: Readonly<Record<string, readonly string[]>>;
  /** Not green, by the reason: each as SCENARIO:CHECK. One that turns green must leave the list. */
  readonly excused: Readonly<Record<string, readonly string[]>>;
  /** Scenarios that the suite runs without counting them, and that we do not claim, by the reason. */
  readonly unclaimed: Readonly<Record<string, readonly string[]>>;
  /** Scenarios in which the suite does not compare messages with the schema. */
  readonly unrecorded: readonly string[];
}

const WIRE = 'wire-schema-valid';
const rebinding = ['localhost-host-rebinding-rejected', 'localhost-host-valid-accepted'];

const reasons = {
  fixture: 'calls a tool of the suite: we ship five tools and none to please it',
  resource: 'reads or completes a resource of the suite: ours are records under the address of their page',
  absent: 'asks for prompts, subscriptions or logging: we have none',
  asksBack: 'wants a server that asks its client something: ours only answers',
  stateless: 'wants a session: there is none, each request brings its own token',
  listen: 'subscriptions/listen is refused (T-07), since a stream would outlive the access that opened it',
  unfinished: 'not finished in the suite, and needs a tool of the suite',
  extension: 'an extension that we do not have',
} as const;

export const serverChecks: Record<Revision, ServerChecks> = {
  '2025-11-25': {
    green: {
      'server-initialize': ['server-initialize', WIRE],
      ping: ['ping', WIRE],
      'tools-list': ['tools-list', 'tools-name-format', WIRE],
      'resources-list': ['resources-list', WIRE],
      'dns-rebinding-protection': rebinding,
    },
    excused: {
      [reasons.fixture]: [
        'tools-call-audio:tools-call-audio',
        'tools-call-embedded-resource:tools-call-embedded-resource',
        'tools-call-error:tools-call-error',
        'tools-call-image:tools-call-image',
        'tools-call-mixed-content:tools-call-mixed-content',
        'tools-call-simple-text:tools-call-simple-text',
        'tools-call-with-logging:tools-call-with-logging',
        'tools-call-with-progress:tools-call-with-progress',
      ],
      [reasons.resource]: [
        'completion-complete:completion-complete',
        'resources-read-binary:resources-read-binary',
        'resources-read-text:resources-read-text',
        'resources-templates-read:resources-templates-read',
      ],
      [reasons.absent]: [
        'logging-set-level:logging-set-level',
        'prompts-get-embedded-resource:prompts-get-embedded-resource',
        'prompts-get-simple:prompts-get-simple',
        'prompts-get-with-args:prompts-get-with-args',
        'prompts-get-with-image:prompts-get-with-image',
        'prompts-list:prompts-list',
        'resources-subscribe:resources-subscribe',
        'resources-unsubscribe:resources-unsubscribe',
      ],
      [reasons.asksBack]: [
        'elicitation-sep1034-defaults:elicitation-sep1034-general',
        'elicitation-sep1330-enums:elicitation-sep1330-general',
        'tools-call-elicitation:tools-call-elicitation',
        'tools-call-sampling:tools-call-sampling',
      ],
      [reasons.stateless]: ['server-sse-multiple-streams:server-sse-multiple-streams-session'],
    },
    unclaimed: {
      [reasons.stateless]: ['server-session-lifecycle', 'server-sse-polling'],
      [reasons.unfinished]: ['json-schema-2020-12'],
    },
    unrecorded: [
      'dns-rebinding-protection',
      'server-session-lifecycle',
      'server-sse-multiple-streams',
      'server-sse-polling',
    ],
  },
  '2026-07-28': {
    green: {
      'server-stateless': [
        'sep-2575-request-meta-invalid-missing-meta',
        'sep-2575-request-meta-invalid-missing-protocol-version',
        'sep-2575-request-meta-invalid-missing-client-capabilities',
        'sep-2575-request-meta-client-info-optional',
        'sep-2575-http-server-meta-invalid-400',
        'sep-2575-server-implements-discover',
        'sep-2575-server-identifies-in-result-meta',
        'sep-2575-server-declares-prompts-in-discover',
        'sep-2575-discover-capabilities-match-handlers',
        'sep-2575-server-unsupported-version-error',
        'sep-2575-http-server-unsupported-version-400',
        'sep-2575-http-server-header-mismatch-400',
        'sep-2575-http-server-method-not-found-404',
        'sep-2575-http-server-method-not-found-404-initialize',
        'sep-2575-http-server-method-not-found-404-ping',
        'sep-2575-http-server-method-not-found-404-logging-setlevel',
        'sep-2575-http-server-method-not-found-404-resources-subscribe',
        'sep-2575-http-server-method-not-found-404-resources-unsubscribe',
        'sep-2575-http-server-error-jsonrpc-id',
      ],
      'tools-list': ['tools-list', 'tools-name-format', 'tools-list-deterministic-order', WIRE],
      'resources-list': ['resources-list', WIRE],
      'sep-2164-resource-not-found': ['sep-2164-error-code', 'sep-2164-data-uri', WIRE],
      'dns-rebinding-protection': rebinding,
      caching: [
        'sep-2549-tools-list-caching-hints',
        'sep-2549-resources-list-caching-hints',
        'sep-2549-resources-read-caching-hints',
        'sep-2549-resources-templates-list-caching-hints',
        'sep-2549-ttl-non-negative',
        'sep-2549-cache-scope-valid',
        WIRE,
      ],
      'server-sse-multiple-streams': ['server-accepts-multiple-post-streams'],
      'input-required-result-unsupported-methods': ['sep-2322-not-on-unsupported-requests', WIRE],
      'http-header-validation': [
        'sep-2243-server-reject-invalid-headers',
        'sep-2243-server-reject-error-code',
        'sep-2243-server-accepts-whitespace-header-value',
        'sep-2243-header-name-case-insensitive',
        WIRE,
      ],
    },
    excused: {
      [reasons.fixture]: [
        'server-stateless:sep-2575-missing-capability-http-400',
        'server-stateless:sep-2575-server-no-log-without-loglevel',
        'server-stateless:sep-2575-server-rejects-undeclared-capability',
        'tools-call-audio:tools-call-audio',
        'tools-call-embedded-resource:tools-call-embedded-resource',
        'tools-call-error:tools-call-error',
        'tools-call-image:tools-call-image',
        'tools-call-mixed-content:tools-call-mixed-content',
        'tools-call-simple-text:tools-call-simple-text',
        'tools-call-with-progress:tools-call-with-progress',
      ],
      [reasons.resource]: [
        'completion-complete:completion-complete',
        'resources-read-binary:resources-read-binary',
        'resources-read-text:resources-read-text',
        'resources-templates-read:resources-templates-read',
      ],
      [reasons.absent]: [
        'caching:sep-2549-prompts-list-caching-hints',
        'prompts-get-embedded-resource:prompts-get-embedded-resource',
        'prompts-get-simple:prompts-get-simple',
        'prompts-get-with-args:prompts-get-with-args',
        'prompts-get-with-image:prompts-get-with-image',
        'prompts-list:prompts-list',
      ],
      [reasons.asksBack]: [
        'input-required-result-basic-elicitation:sep-2322-elicitation-incomplete',
        'input-required-result-basic-list-roots:sep-2322-list-roots-incomplete',
        'input-required-result-basic-sampling:sep-2322-sampling-incomplete',
        'input-required-result-capability-check:sep-2322-respect-client-capabilities',
        'input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params',
        'input-required-result-missing-input-response:sep-2322-missing-response-rerequests',
        'input-required-result-multi-round:sep-2322-multi-round-r1',
        'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete',
        'input-required-result-non-tool-request:sep-2322-non-tool-incomplete',
        'input-required-result-request-state:sep-2322-request-state-incomplete',
        'input-required-result-result-type:sep-2322-result-type-included',
        'input-required-result-tampered-state:sep-2322-reject-tampered-state',
        'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
      ],
      [reasons.listen]: [
        'server-stateless:sep-2575-server-honors-notification-filter',
        'server-stateless:sep-2575-server-sends-prompts-list-changed-on-subscription',
        'server-stateless:sep-2575-server-sends-subscription-ack',
        'server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription',
        'server-stateless:sep-2575-server-tags-subscription-id',
      ],
    },
    unclaimed: {
      [reasons.unfinished]: ['http-custom-header-server-validation', 'json-schema-2020-12'],
      [reasons.extension]: [
        'tasks-capability-negotiation',
        'tasks-dispatch-and-envelope',
        'tasks-lifecycle',
        'tasks-mrtr-composition',
        'tasks-mrtr-input',
        'tasks-request-headers',
        'tasks-request-state-removal',
        'tasks-required-task-error',
        'tasks-status-notifications',
        'tasks-wire-fields',
      ],
    },
    unrecorded: [
      'dns-rebinding-protection',
      'server-sse-multiple-streams',
      'server-stateless',
      'tasks-status-notifications',
    ],
  },
};
