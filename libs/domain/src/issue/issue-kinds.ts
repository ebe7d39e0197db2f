export const ISSUE_SUBJECTS = ['webhook_endpoint', 'project', 'read_model', 'component', 'server', 'data_directory'] as const;
export type SubjectKind = (typeof ISSUE_SUBJECTS)[number];

/** What a kind of issue is about. `{name}` in the title is the subject's name. */
export interface IssueKindEntry {
  readonly subject: SubjectKind;
  readonly title: string;
  /** The condition under which it opens and closes, for the operator's documents. */
  readonly opens: string;
  readonly closes: string;
  readonly whatToDo: string;
}

/** The one table of kinds: answers, posts to the operator and documents are made from it. */
export const ISSUE_KINDS = {
  endpoint_failing: {
    subject: 'webhook_endpoint',
    title: 'Endpoint {name} fails',
    opens: 'three attempts in a row failed',
    closes: 'an attempt succeeded, or the endpoint was deleted',
    whatToDo:
      'Find out why the receiver does not answer 2xx: the cause is that of the attempt that opened the issue. Once it answers, what is `retrying` is sent by the schedule; what has `failed` by then waits for a replay.',
  },
  endpoint_paused: {
    subject: 'webhook_endpoint',
    title: 'Endpoint {name} was paused because it failed for long',
    opens: 'the endpoint was paused as `auto_failing`',
    closes: 'it was resumed, disabled or deleted',
    whatToDo:
      'Repair the receiver, resume the endpoint, then replay what had failed before the pause with `POST /v1/deliveries/retry`.',
  },
  endpoint_gone: {
    subject: 'webhook_endpoint',
    title: 'Endpoint {name} is gone',
    opens: 'the endpoint was disabled as `gone`, because it answered 410',
    closes: 'it was enabled or deleted',
    whatToDo: 'Delete the endpoint if its receiver is gone for good; otherwise enable it.',
  },
  deliveries_failed: {
    subject: 'webhook_endpoint',
    title: 'Deliveries to {name} have failed for good',
    opens: 'a delivery failed for good',
    closes: 'no event younger than 30 days has failed there without a later success',
    whatToDo:
      'Repair the receiver, then replay the failed deliveries with `POST /v1/deliveries/retry`. What is older than 30 days is lost.',
  },
  agent_failing: {
    subject: 'project',
    title: 'The agent does not answer',
    opens: 'three turns in a row failed',
    closes: 'the agent replied',
    whatToDo: 'Look at the model server, and at `agent_turns_total` for what fails. Failed messages have to be sent again.',
  },
  projection_behind: {
    subject: 'read_model',
    title: 'The read model {name} is behind',
    opens: 'the read model was a minute behind',
    closes: 'it has caught up: it is less than five seconds behind',
    whatToDo:
      'Look at `projection_restarts_total` and the log for what holds it up; lists wait or answer 503 until it has caught up.',
  },
  event_skipped: {
    subject: 'component',
    title: '{name} lacks events',
    opens: 'a projection or a reactor could not apply an event',
    closes: 'it lacks none: each was applied by a retry or a rebuild',
    whatToDo:
      'Look at `GET /admin/v1/skipped_events` for the events and where each failed. Retry them once a program is installed that can apply them: until then the rows of a projection are stale, and a reactor has not done its work for them.',
  },
  server_away: {
    subject: 'server',
    title: '{name} is away',
    opens: 'the server did not serve for 30 s; an outage of EventStoreDB is stored, and told, when it is back',
    closes: 'it serves again',
    whatToDo: 'Bring the server back, or repair the network to it. Everything that waits for it then goes on by itself.',
  },
  disk_low: {
    subject: 'data_directory',
    title: 'The disk of the data directory is nearly full',
    opens: 'less than 5 % or 1 GiB of the disk of the data directory was free',
    closes: 'more is free',
    whatToDo: 'Free space, or make the disk larger: a full disk stops every write.',
  },
} as const satisfies Readonly<Record<string, IssueKindEntry>>;

export type IssueKind = keyof typeof ISSUE_KINDS;
export const ISSUE_KIND_NAMES = Object.keys(ISSUE_KINDS) as readonly IssueKind[];

export function titleOf(kind: IssueKind, name: string): string {
  return ISSUE_KINDS[kind].title.replace('{name}', () => name);
}
