/** Words that several places share. */
export const TEXTS = {
  title: 'Console',
  name: 'Name',
  metadata: 'Metadata',
  json: 'application/json',
  keepSecret: 'Keep it now: it is not shown again.',
  skip: 'Skip to content',
  menu: 'Menu',
  project: 'Project',
  signIn: {
    heading: 'Sign in',
    ended: 'Your session has ended',
    endedAbout: 'Sign in again, and what you were doing goes on.',
    about: 'With the admin password, which the first start printed.',
    password: 'Admin password',
    button: 'Sign in',
    noCookie:
      'The password is right, but this browser did not keep the session: it takes a secure cookie over https only. Open the console over https, or on this machine in Chromium or Firefox.',
    out: 'Sign out',
  },
  password: {
    change: 'Change password',
    about: 'Everybody else signs in again with the new password: every session but this one ends.',
    current: 'Current password',
    next: 'New password',
    least: 'At least 12 characters.',
    changed: 'The password is changed. Every other session has ended.',
  },
  problem: {
    request: 'Request',
    retry: 'Try again',
    offline: 'The service did not answer. What you see may be out of date; the console tries again by itself.',
    meaning: 'What this code means',
    unstored: 'The answer ended before the message was stored. It can be sent again.',
  },
  list: {
    newer: 'Newer',
    older: 'Older',
    loading: 'Loading …',
    more: 'There may be more: this filter looks through the list a part at a time.',
    changes: (count: number) => (count === 1 ? '1 change since this was loaded.' : `${count} changes since this was loaded.`),
    show: 'Show',
    filters: 'Filters',
    apply: 'Apply',
    clear: 'Clear',
    any: 'any',
  },
  talk: {
    user: 'Customer',
    assistant: 'Agent',
    earlier: 'Earlier',
    later: 'Later',
    newest: 'Newest',
  },
  reach: (count: string) =>
    count === '0'
      ? 'No endpoint of this project is enabled: what this emits is posted to none.'
      : count === '1'
        ? 'What this emits is posted to 1 enabled endpoint, if its filters let it through.'
        : `What this emits is posted to ${count} enabled endpoints, as far as their filters let it through.`,
  reachWhich: 'Endpoints',
  chart: { table: 'Table', from: 'From', max: (most: string) => `max ${most}` },
  copy: 'Copy',
  copied: 'Copied',
  metadataAsJson: 'Metadata, as JSON',
  curl: 'The same with curl',
  all: 'Show all',
  more: 'Show more',
  less: 'Show less',
  cancel: 'Cancel',
  close: 'Close',
  none: '–',
  search: 'Search for an id, a phone number, an e-mail address …',
  unknownPlace: 'There is no such page',
} as const;

/** The words of the navigation. Each place's heading says its own. */
export const PLACES = {
  overview: 'Overview',
  conversations: 'Conversations',
  playground: 'Playground',
  appointments: 'Appointments',
  calls: 'Calls',
  customers: 'Customers',
  events: 'Events',
  deliveries: 'Deliveries',
  endpoints: 'Endpoints',
  'api-keys': 'API keys',
  tasks: 'Tasks',
  projects: 'Projects',
  projections: 'Projections',
  audit: 'Audit',
} as const;

/** Headings of the navigation that lead nowhere themselves. */
export const GROUPS = { settings: 'Settings', webhooks: 'Webhooks' } as const;

/** For how many seconds a secret works on beside its successor. */
export const GRACES = [
  ['0', 'not at all'],
  ['3600', 'an hour'],
  ['86400', 'a day'],
  ['604800', 'a week'],
] as const;
